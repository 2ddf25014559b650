import { describe, expect, test } from "vitest";
import { group } from "../../../provider/resources/group";
import { role } from "../../../provider/resources/role";
import * as groups from "../../cases/group";
import * as roles from "../../cases/role";
import { answers, freshEmulator, ownEmulator, writesTo } from "../../harness/emulators";
import { createdBy, inOneRun, inProcess, partOf } from "../../harness/in-process";
import type { EmulatorState } from "../../harness/lifecycle";

/** Roles and groups are found again by their names. */
const kinds = [
  {
    kind: "role",
    definition: role,
    args: roles.args,
    operations: ["list", "view", "create", "update", "delete"],
    idIn: (state: EmulatorState) => roles.roleIn(state, "reporter")?.id,
    expectMade: (state: EmulatorState) => expect(roles.roleIn(state, "reporter")?.policies).toEqual(roles.encoded),
    taken: ["analyst", "301"],
    system: ["system-admin", "307"],
    notUpdated: "role other (id ID) was not changed",
  },
  {
    kind: "group",
    definition: group,
    args: groups.args,
    operations: ["list", "view", "create", "update", "delete", "addUsers", "removeUsers", "users", "roles"],
    idIn: (state: EmulatorState) => groups.groupIn(state)?.id,
    expectMade: (state: EmulatorState) => expect(groups.membersIn(state)).toEqual([104, 106]),
    taken: ["analysts", "204"],
    system: ["everyone", "203"],
    notUpdated: "group reviewers (id ID) was not renamed",
  },
];

describe.each(kinds)("a $kind", ({ kind, definition, args, operations, idIn, expectMade, ...its }) => {
  const emulator = freshEmulator({ extended: true });
  const start = (token = "admin") => inProcess(definition, emulator, { extended: true, token });
  const create = `${kind}s.create`;
  const called = (name: string) => (kind === "role" ? { name, policies: roles.args.policies } : { name });
  const makes = (name: string) => start().life.create(called(name));
  const without = async (...missing: string[]) => {
    const extended = operations.filter((name) => !missing.includes(name)).map((name) => `${kind}s.${name}`);
    const half = await ownEmulator({ extended });
    return { half, ...inProcess(definition, half, { extended: true }) };
  };

  test("on an installation that cannot list them is announced to fail, not only at up", async () => {
    const { life, said } = await without("list");
    await life.foresee(undefined, args);
    expect(said.warnings.join()).toContain(`"pulumi up" will probably fail: an installation that cannot list ${kind}s`);
  });

  test("is not left behind because a gateway has answered its delete with a page", async () => {
    const { life, said } = start();
    const { id, state } = await life.create(args);
    answers(emulator, `${kind}s.delete`, 404, "<html>default backend - 404</html>", { times: 2 });
    await life.delete(id, state);
    expect([idIn(emulator.state()), said.warnings]).toEqual([undefined, []]);
  });

  test("stays in the state if everything leads to a login page", async () => {
    const { id, state } = await start().life.create(args);
    answers(emulator, "*", 302, "", { headers: { location: "/users/sign_in" } });
    await expect(start().life.read(id, state)).rejects.toThrow("the token has expired");
  });

  test("that the platform keeps in small letters is known by its id", async () => {
    const name = args.name.toUpperCase();
    const shown = { kind: "respond", status: 200, times: 9 } as const;
    const answer = (operation: string, body: object) => ({ ...shown, operation: `${kind}s.${operation}`, body });
    const listed = { [`${kind}s`]: [{ id: 977, name: name.toLowerCase() }] };
    const before = { ...answer("list", { [`${kind}s`]: [] }), times: 1 };
    emulator.setFaults({ rules: [answer("create", {}), before, answer("list", listed)] });
    await expect(makes(name)).resolves.toMatchObject({ id: "977", state: { name } });
  });

  test("that the list shows in another spelling of its name is not gone", async () => {
    const name = its.taken[0]!.toUpperCase();
    const { life, said } = start();
    expect(await life.read(name, { ...args, name })).toMatchObject({ id: name, state: { name } });
    expect(await life.read("nobody", { ...args, name: "nobody" })).toBeUndefined();
    expect(said.warnings).toEqual([]);
  });

  test.each(["409", "422"] as const)("whose name exists already says how to take it over: %s", async (nameTaken) => {
    emulator.setReadings({ nameTaken });
    const [name, id] = its.taken;
    await expect(start().life.create({ ...args, name })).rejects.toThrow(
      `${kind} ${name} already exists (id ${id}). If this resource was renamed or moved, give it an alias with its old name (docs/moving.md). To take over the ${kind}, set adopt: true, or import it through the plugin, which works in both modes (docs/modes.md#import): pulumi import --generate-code=false dataplatform:index:${definition.type} <name> ${id}`,
    );
    const { life, said } = start();
    for (const adopt of [true, false]) await life.foresee(undefined, { ...args, name, adopt });
    expect(said.warnings).toEqual([expect.stringContaining(`"pulumi up" will fail: ${kind} ${name} already exists`)]);
    expect(emulator.requests().counts[create]).toBeUndefined();
    await expect(start().life.create({ ...args, name, adopt: true })).resolves.toMatchObject({ id });
  });

  test.each([false, true])(
    "whose name another one gives up is created anew, whichever comes first; adopt: %s",
    async (adopt) => {
      for (const order of ["renamed first", "created first"]) {
        const first = await makes(`b ${order}`);
        const { life } = inOneRun(emulator, { extended: true })(definition);
        const renamed = called(`a ${order}`);
        const next = { ...called(`b ${order}`), adopt };
        const rename = async () => {
          if (order === "created first") await new Promise((go) => setTimeout(go, 20));
          life.check(renamed, { who: "one", name: "one", old: called(next.name) });
          await life.plan(first.id, first.state, renamed);
          return life.update(first.id, first.state, renamed);
        };
        const create = async () => {
          life.check(next, { who: "two", name: "two" });
          return life.create(next);
        };
        const [one, two] = await Promise.all([rename(), create()]);
        expect([one.id, two.id === first.id]).toEqual([first.id, false]);
        for (const { id, state } of [one, two])
          expect((await start().life.read(id, state))?.state["name"]).toBe(state["name"]);
      }
    },
  );

  test("whose rename is declared after a new one has taken it over: an error with the way out", async () => {
    const { id, state } = await makes("b");
    const { life } = inOneRun(emulator, { extended: true })(definition);
    const next = { ...called("b"), adopt: true };
    life.check(next, { who: "two", name: "two" });
    await life.create(next);
    life.check(called("a"), { who: "one", name: "one", old: called("b") });
    await expect(life.update(id, state, called("a"))).rejects.toThrow(
      new RegExp(`${kind} ${id} is not renamed: .* took it over\\. .*state delete.*dependsOn`),
    );
    expect((await start().life.read(id, state))?.state["name"]).toBe("b");
  });

  test("that a failed run has left to two resources: the next one names both, and the way out", async () => {
    const { id, state } = await makes("b");
    const run = inOneRun(emulator, { extended: true });
    const { life } = run(definition);
    const [renamed, other] = [called("a"), called("b")];
    life.check(renamed, { who: "one", name: "one", old: other });
    life.check(other, { who: "two", name: "two", old: other });
    // The engine may ask twice.
    for (let times = 0; times < 2; times++) expect((await life.plan(id, state, renamed)).changed).toEqual(["name"]);
    await expect(run(definition).life.plan(id, state, other)).rejects.toThrow(
      new RegExp(`two resources .* ${definition.type} ${id} .*"a".*"b".*state delete.*dependsOn`),
    );
  });

  test("whose name another one should give up, but does not: an error, and nothing is taken over", async () => {
    const { id, state } = await makes("b");
    const { life } = inOneRun(emulator, { extended: true, hurried: true })(definition);
    life.check(called("a"), { who: "one", name: "one", old: called("b") });
    life.check(called("b"), { who: "two", name: "two" });
    emulator.clearRequests();
    await expect(life.create({ ...called("b"), adopt: true })).rejects.toThrow(
      `the ${kind} b is what ${definition.type} "one" manages, which gets another name in this run, but has this one still; run "pulumi up" again when it has the new one, without --parallel 1, or let this one depend on it (dependsOn)`,
    );
    expect(writesTo(emulator)).toEqual([]);
    expect((await start().life.read(id, state))?.state["name"]).toBe("b");
  });

  test.each(["409", "422"] as const)(
    "cannot get a name that another one has: the error says how; %s",
    async (nameTaken) => {
      emulator.setReadings({ nameTaken });
      const [one, two] = await Promise.all(["a", "b"].map(makes));
      await expect(start().life.update(one!.id, one!.state, called("b"))).rejects.toThrow(
        `. ${kind} ${two!.id} has the name b. If it is to be removed, or the two are to exchange their names, do it in two steps: remove it, or give one of them a name in between, run "pulumi up", then change the rest and run "pulumi up" again`,
      );
    },
  );

  test("whose request is lost is kept under its name, and the next up creates it", async () => {
    emulator.setFaults({ rules: [{ operation: create, kind: "reset-before" }] });
    const { life } = start();
    await expect(life.create(args)).rejects.toMatchObject({ message: expect.stringContaining("It may exist") });
    const lost = await partOf(life.create(args));
    expect(lost).toMatchObject({ id: args.name, state: { name: args.name } });
    emulator.clearFaults();
    const { id, state } = await life.update(lost.id, lost.state, args);
    expectMade(emulator.state());
    expect((await life.read(id, state))?.id).toBe(String(idIn(emulator.state())));
    await life.delete(id, state);
    expect(idIn(emulator.state())).toBeUndefined();
  });

  test.each(its.system)("of the system is refused on import: %s", (id) =>
    expect(start().life.read(id, {})).rejects.toThrow(`${kind} ${its.system[0]} is a system ${kind}, which cannot be`),
  );

  test("where the installation cannot update and delete, errors and warnings say what to do", async () => {
    const { life, said, id, state } = await createdBy(await without("update", "delete"), args);
    await expect(life.update(id, state, { ...args, name: "other" })).rejects.toThrow(
      `${its.notUpdated.replace("ID", id)}: this installation of the platform cannot update a ${kind}`,
    );
    await life.delete(id, state);
    expect(said.warnings.join()).toContain(`${kind} ${args.name} (id ${id}) stays on the platform`);
  });

  test("where it cannot view, the list shows it, and that it is gone; where it cannot create, the error says so", async () => {
    const { life, id, state } = await createdBy(await without("view"), args);
    expect((await life.read(id, state))?.id).toBe(id);
    await life.delete(id, state);
    expect(await life.read(id, state)).toBeUndefined();
    await expect((await without("create")).life.create(args)).rejects.toThrow(
      `this installation of the platform cannot create a ${kind} (POST /api/v1.2/${kind}s: 404)`,
    );
  });

  test("where it cannot view or list, the name and the state tell, with one warning", async () => {
    const { half, life, said } = await without("view", "list");
    const { id, state } = await life.create({ ...args, roles: undefined });
    expect(id).toBe(kind === "group" ? "reviewers" : String(idIn(half.state())));
    for (const _ of [1, 2]) expect(await life.read(id, state)).toEqual({ id, state });
    expect(said.warnings).toEqual([expect.stringContaining(`cannot list the ${kind}s (GET /api/v1.2/${kind}s: 404)`)]);
    await life.delete(id, state);
    expect(idIn(half.state())).toBeUndefined();
  });

  test("with a token that may not view its account, what is not found is kept, and a destroy says what it cannot check", async () => {
    const { id, state } = await createdBy(start(), args);
    answers(emulator, "account.view", 403, "no");
    const { life, said } = start("otherAdmin");
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    await life.delete(id, state);
    expect(said.warnings).toEqual([
      expect.stringContaining("is not found, but its state is kept: it is in account 1001"),
      expect.stringContaining("whether the token belongs to account 1001 cannot be checked"),
    ]);
    emulator.clearFaults();
    const rejected = inProcess(definition, { ...emulator, tokens: { admin: "revoked" } }, { extended: true });
    await expect(rejected.life.delete(id, state)).rejects.toThrow("the platform rejected the token (401)");
    expect(rejected.said.warnings).toEqual([]);
    await start().life.delete(id, state);
  });

  test("turning the extended API off keeps the state, and on again goes on", async () => {
    const { id, state } = await start().life.create(args);
    const off = inProcess(definition, emulator).life;
    expect(await off.read(id, state)).toEqual({ id, state });
    await expect(off.delete(id, state)).rejects.toThrow(`${definition.type} needs the extended API`);
    await start().life.delete(id, state);
    expect(idIn(emulator.state())).toBeUndefined();
  });
});

describe("a role", () => {
  const emulator = freshEmulator({ extended: true });
  const start = () => inProcess(role, emulator, { extended: true });

  test("and others need one list", async () => {
    const { life } = start();
    await Promise.all(["analyst", "account-editor", "data-engineer"].map((name) => life.read(name, {})));
    expect(emulator.requests().counts["roles.list"]).toBe(2); // the second asks for a second page
  });

  test("that has groups is not deleted if the platform refuses", async () => {
    emulator.setReadings({ roleDeleteAssigned: "refused" });
    await expect(start().life.delete("301", { name: "analyst", policies: [] })).rejects.toThrow("unassign it first");
  });
});
