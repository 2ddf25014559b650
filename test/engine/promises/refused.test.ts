import { expect } from "vitest";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import type { Program } from "../../harness/stack";
import { expectOk, sharedStack, story } from "../../harness/stacks";
import { quick } from "../../modes/promises/shared";

const emulator = sharedEmulator(quick);
const stack = sharedStack(emulator);
const chapter = story();
const program = (role: string, sourceId: string, envId: number): Program => ({
  role: { type: "GroupRoleAssignment", args: { groupId: 205, role } },
  grant: { type: "ObjectGrant", args: { sourceType: "note", sourceId, group: "204", allow: ["read"] } },
  packages: { type: "PackageSet", args: { envId, sourceType: "python_package", packages: ["polars"] } },
});
const right = program("analyst", "501", 403);
const there = () => {
  const { groups, objects, environments } = accountOf(emulator);
  const at = <T extends { id: number }>(list: readonly T[], id: number) => list.find((one) => one.id === id)!;
  return [at(groups, 205).roles, at(objects, 501).policy, at(environments, 403).python_package];
};

chapter("a replacement that is refused takes nothing away, where the new one is something else", async () => {
  await expectOk(stack.up(right));
  const before = structuredClone(there());
  stack.write(program("analsyt", "999", 999));
  const { diagnostics } = await stack.operate("up", "--yes", "--skip-preview", "--continue-on-error");
  const refused = diagnostics.filter(({ urn, severity }) => urn && severity === "error");
  expect(refused.map(({ urn }) => urn!.split("::").at(-1)).sort()).toEqual(["grant", "packages", "role"]);
  expect(there()).toEqual(before);
  expect((await expectOk(stack.up(right))).changed).toEqual({});
  expect(there()).toEqual(before);
});

chapter("as a role by its id is not", async () => {
  await expectOk(stack.up(program("301", "501", 403)));
  expect(there()[0]).toEqual([301]);
});
