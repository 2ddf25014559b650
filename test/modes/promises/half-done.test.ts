import { describe, expect } from "vitest";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import type { Program } from "../../harness/stack";
import { expectOk, mode, sharedStack, story } from "../../harness/stacks";
import { messagesOf, quick } from "./shared";

/** An update that is refused half-way: what it did is known, to go back from and to destroy. */

/** One of the sets: what all of them keep is in test/fast/resources/sets.test.ts. */
describe(`a set, in ${mode} mode`, () => {
  const emulator = sharedEmulator(quick);
  const stack = sharedStack(emulator, { mode });
  const chapter = story();
  const some = ["data-engineer"];
  const program = (roles: readonly string[]): Program => ({
    it: { type: "GroupRoles", args: { groupId: 204, roles } },
  });
  const there = () => [...accountOf(emulator).groups.find(({ id }) => id === 204)!.roles];
  const failHalfWay = async () => {
    emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "respond", status: 422, nth: 2 }] });
    const outcome = await stack.up(program([...some, "nothing", "security-officer"]));
    emulator.setFaults({ rules: [] });
    expect(outcome.code).not.toBe(0);
    expect(messagesOf(outcome)).toContain("1 of 2");
  };
  let [empty, first]: ReturnType<typeof there>[] = [];

  chapter("going back takes away what was done", async () => {
    empty = there();
    await expectOk(stack.up(program(some)));
    first = there();
    await failHalfWay();
    expect(there()).not.toEqual(first);
    await expectOk(stack.up(program(some)));
    expect(there()).toEqual(first);
  });

  chapter("and so does a destroy", async () => {
    await failHalfWay();
    expect(there()).not.toEqual(first);
    await expectOk(stack.destroy());
    expect(there()).toEqual(empty);
  });
});

describe(`a replacement that is refused, in ${mode} mode`, () => {
  const emulator = sharedEmulator(quick);
  const stack = sharedStack(emulator, { mode });
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

  chapter("takes nothing away, where the new one is something else", async () => {
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
});

describe(`a command that has failed, in ${mode} mode`, () => {
  const emulator = sharedEmulator(quick);
  const stack = sharedStack(emulator, { mode });
  const args = { spark: { sql: "select 1" }, wait: { intervalSeconds: 1 } };

  story()("fails the next run too, and is not submitted again", async () => {
    await request(emulator, "POST", "/_emulator/commands/outcome", { match: {}, outcome: "error" });
    stack.write({ it: { type: "Command", args } }, {});
    for (const _ of ["first", "again"]) {
      const outcome = await stack.up();
      expect(outcome.code).not.toBe(0);
      expect(messagesOf(outcome)).toContain("ended with status error");
    }
    expect(emulator.requests(0).counts["commands.submit"]).toBe(1);
    await stack.destroy();
  });
});
