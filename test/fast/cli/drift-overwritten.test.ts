import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unknownValue } from "../../../provider/core/engine-values";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { freshEmulator } from "../../harness/emulators";
import { ownFolder } from "../../harness/folders";
import { inProcess } from "../../harness/in-process";
import { driftOf, resource } from "./stacks";

/* What a plan creates over what is there, such as the policy that an object has: nothing of it is drift. */

const emulator = freshEmulator();
const policy = [{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }];

async function overwritten(inputs: object, token?: string) {
  const file = join(ownFolder(), "plan.json");
  const newState = resource("ObjectPolicy", "notebook", "", { sourceType: "note", sourceId: "501", policy, ...inputs });
  writeFileSync(file, JSON.stringify({ steps: [{ op: "create", urn: newState.urn, newState }] }));
  const [one] = (await driftOf(emulator, [], token, {}, file)).overwritten ?? [];
  return one;
}

test("the policy that an object has now", async () => {
  const { urn, ...before } = (await overwritten({}))!;
  expect([urn, before]).toEqual([
    expect.stringMatching(/ObjectPolicy::notebook$/),
    { found: { policy: expect.anything() } },
  ]);
  await inProcess(objectPolicy, emulator).life.create({ sourceType: "note", sourceId: "501", policy });
  expect(await overwritten({})).toEqual({ urn, found: { policy } });
});

test.each([
  ["an object that the update decides", { sourceId: unknownValue }, "admin", /only after the update/],
  ["one that the plan masks", { sourceId: "[secret]" }, "admin", /as a secret/],
  ["a token that may not read it", {}, "powerless", /\(403\)/],
])("%s: not known, and it says why", async (_, inputs, token, why) => {
  expect((await overwritten(inputs, token))?.unknown).toMatch(why);
});
