import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as pipeline from "../../../cli/pipeline";
import { requireHeadOf } from "../../../cli/pipeline/head";
import { steps } from "../../../cli/pipeline/options";
import { inside } from "../../harness/command";
import { root } from "../../harness/engine";
import { Forge } from "../../harness/forge";
import { Repository } from "./repository";

test("--help names every step, and the page every option", () => {
  for (const step of steps) expect(pipeline.help).toMatch(new RegExp(`^ {2}${step} `, "m"));
  const page = readFileSync(join(root, "docs/gitops.md"), "utf8");
  for (const [option] of pipeline.help.matchAll(/--(?!help)[a-z-]+/g)) expect(page, option).toContain(option);
  for (const line of pipeline.help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(110);
});

test.each([
  ["", /the step is ""; use one of snapshot, preview/],
  ["preview", /name a stack, such as: dataplatform pipeline preview dev/],
  ["preview ../dev", /name a stack/],
  ["preview dev prod", /name one step and one stack/],
  ["apply dev --max-age forever", /--max-age is "forever"; use a number of hours/],
  ["apply dev --max-age 0", /use a number of hours/],
  ["seal dev --pull x", /--pull is "x"; use its number/],
])("%s is a clear error", async (args, says) => {
  const ran = await inside(pipeline, args.split(" ").filter(Boolean), {});
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
});

test("keys are two lines for variables, and every time others", async () => {
  const [one, other] = [await inside(pipeline, ["keys"], {}), await inside(pipeline, ["keys"], {})];
  expect(one.stdout).toMatch(/^DATAPLATFORM_SIGNING_KEY=\S{64}\nDATAPLATFORM_VERIFY_KEY=\S{60}\n$/);
  expect(other.stdout).not.toBe(one.stdout);
});

let repository: Repository;
let forge: Forge;
beforeEach(async () => {
  [repository, forge] = [new Repository(), await Forge.start()];
});
afterEach(async () => {
  repository.remove();
  await forge.close();
});

test.each(["github", "gitlab"] as const)(
  "a repair is for the head of the protected branch, as %s knows it",
  async (kind) => {
    const old = repository.commit({ a: "1" });
    forge.head = repository.commit({ a: "2" });
    await expect(requireHeadOf("main", forge.variables(kind))).resolves.toBeUndefined();
    repository.git("checkout", "--quiet", old);
    await expect(requireHeadOf("main", forge.variables(kind))).rejects.toThrow(
      `foreign: this is commit ${old}, and the head of main is ${forge.head}`,
    );
  },
);

test("without a forge, origin is asked; what cannot be asked is refused", async () => {
  repository.commit({ a: "1" });
  await expect(requireHeadOf("main", {})).rejects.toThrow(
    "not verifiable: the head of main cannot be read from origin",
  );
});
