import { describe, expect, onTestFinished, test } from "vitest";
import { folderGrant } from "../../../provider/resources/folder-grant";
import { objectGrant } from "../../../provider/resources/object-grant";
import { renameFolder } from "../../cases/folder";
import * as folders from "../../cases/folder-grant";
import * as objects from "../../cases/object-grant";
import { answers, freshEmulator, ownEmulator, refusal } from "../../harness/emulators";
import { GoBetween } from "../../harness/go-between";
import { createdBy, failureOf, inProcess, partOf } from "../../harness/in-process";

const kinds = [
  {
    definition: objectGrant,
    ...objects,
    theirs: objects.found,
    next: { allow: ["read"], deny: ["manage"] },
    others: [{ user: 106 }, { user: "107" }, { user: undefined, group: 204 }],
    operations: ["objectPolicy.view", "objectPolicy.set"],
  },
  {
    definition: folderGrant,
    ...folders,
    next: { allow: ["all"] },
    others: [{ group: 203 }, { group: "205", location: "/Common/reports/" }, { group: undefined, user: 104 }],
    operations: ["folders.viewPolicy", "folders.policy"],
  },
];

interface Shown {
  readonly condition?: { readonly svc_users?: readonly number[]; readonly svc_groups?: readonly number[] };
}
const withNames = ({ condition = {}, ...element }: Shown) => ({
  ...element,
  condition: {
    ...condition,
    ...(condition.svc_users && { svc_user_names: condition.svc_users.map((id) => `u${id}@example.com`) }),
    ...(condition.svc_groups && { svc_group_names: condition.svc_groups.map((id) => `group ${id}`) }),
  },
});

describe.each(kinds)("$definition.type", ({ definition, args, id, ours, theirs, operations, ...its }) => {
  const emulator = freshEmulator({ extended: true });
  const start = () => inProcess(definition, emulator, { extended: definition === folderGrant });
  const policy = () => its.policyOf(emulator.state({ secrets: true }));
  /** A platform that shows other elements than it has. */
  const where = async (shown: (element: Shown) => object) => {
    emulator.setReadings({ policyFields: "kept" });
    const between = await GoBetween.start(emulator.url);
    onTestFinished(() => between.stop());
    between.hook = ({ method, url, text }) => {
      if (method !== "GET" || !url.endsWith("/policy")) return text;
      const { policy: elements, ...others } = JSON.parse(text);
      return JSON.stringify({ ...others, policy: elements.map(shown) });
    };
    const there = { url: between.url, tokens: emulator.tokens };
    return () => inProcess(definition, there, { extended: definition === folderGrant });
  };
  const counts = () => operations.map((name) => emulator.requests().counts[name] ?? 0);

  test.each(["all fields", "names beside ids"])(
    "where the platform writes out %s: set, read without drift, changed, imported and taken out",
    async (what) => {
      const hasNames = what !== "all fields";
      const shown = hasNames ? withNames(theirs) : theirs;
      const begin = hasNames ? await where(withNames) : start;
      await its.setPolicy(emulator, [shown]);
      if (!hasNames) emulator.setReadings({ policyIdLists: "filled", policyFields: "added" });
      // Others keep what was shown.
      const expectPolicy = (...elements: object[]) =>
        hasNames ? expect(policy()).toEqual(elements) : expect(policy()).toMatchObject(elements);
      const { life, said, state } = await createdBy(begin(), args);
      expectPolicy(shown, ours);
      await expect(begin().life.read(id, state)).resolves.toEqual({ id, state });
      expect((await begin().life.read(id, {}))?.state).toMatchObject({ ...args, namedBefore: false });
      const changed = await life.update(id, state, { ...args, ...its.next });
      await expect(begin().life.read(id, changed.state)).resolves.toEqual(changed);
      await life.delete(id, changed.state);
      expectPolicy(shown);
      expect(said.warnings).toEqual([]);
    },
  );

  test("where the platform adds a condition that may limit the grant: sent once, and the error names it", async () => {
    const begin = await where(({ condition, ...element }) => ({ ...element, condition: { ...condition, scope: "x" } }));
    emulator.clearRequests();
    const { reason } = await failureOf(begin().life.create(args));
    expect(counts()[1]).toBe(1);
    expect(reason).toContain("manual does not have (scope)");
  });

  test("an empty response once, by mishap, takes nobody's rights away", async () => {
    await its.setPolicy(emulator, [theirs]);
    emulator.setFaults({ rules: [{ operation: operations[0]!, kind: "empty", status: 200, work: "skip", times: 1 }] });
    await start().life.create(args);
    expect(policy()).toMatchObject([theirs, ours]);
  });

  test("lost answers: what was done is found, and what stays open is kept and repeated", async () => {
    await its.setPolicy(emulator, [theirs]);
    const [, operation = ""] = operations;
    emulator.setFaults({ rules: [{ operation, kind: "reset-after", times: 3 }] });
    const made = await start().life.create(args);
    expect(policy()).toEqual([theirs, ours]);
    await start().life.delete(id, made.state);
    emulator.setFaults({ rules: [{ operation, kind: "reset-before", times: 3 }] });
    const { life } = start();
    const { state } = await partOf(life.create(args));
    expect(state).toMatchObject({ ...args, namedBefore: false });
    expect(policy()).toEqual([theirs]);
    const { state: after } = await life.update(id, state, args);
    expect(policy()).toEqual([theirs, ours]);
    await life.delete(id, after);
    expect(policy()).toEqual([theirs]);
  });

  test("many on one object share the requests, and so do refresh and destroy", async () => {
    await its.setPolicy(emulator, [theirs]);
    const { life } = start();
    emulator.clearRequests();
    const made = await Promise.all([{}, ...its.others].map((other) => life.create({ ...args, ...other })));
    expect(counts()).toEqual([2, 1]);
    expect(policy()).toHaveLength(5);
    emulator.clearRequests();
    await Promise.all(made.map((one) => life.read(one.id, one.state)));
    expect(counts()).toEqual([1, 0]);
    emulator.clearRequests();
    await Promise.all(made.map((one) => life.delete(one.id, one.state)));
    expect(counts()[1]).toBeLessThanOrEqual(2);
    expect(policy()).toEqual([theirs]);
  });
});

describe("FolderGrant alone", () => {
  const emulator = freshEmulator({ extended: true });
  const start = (options: Parameters<typeof inProcess>[2] = {}) =>
    inProcess(folderGrant, emulator, { extended: true, ...options });
  const reports = (): unknown => folders.policyOf(emulator.state({ secrets: true }));
  const { args, id, ours } = folders;

  test("all as the two actions of folders is not drift", async () => {
    const { state } = await createdBy(start(), { ...args, allow: ["all"] });
    await folders.setPolicy(emulator, [{ ...ours, action: ["write", "read"] }]);
    await expect(start().life.read(id, state)).resolves.toEqual({ id, state });
  });

  test("an installation that cannot show the policy: create and import fail, refresh keeps the state, destroy says what may stay", async () => {
    const half = await ownEmulator({ extended: [] });
    const { life: its, said } = inProcess(folderGrant, half, { extended: true });
    await expect(its.create(args)).rejects.toThrow(
      /could not read the policy of folder notes\/Common\/reports.*there is no such folder, or .* use FolderPolicy/,
    );
    await expect(its.read(id, {})).rejects.toThrow("does not show policies of folders");
    await expect(its.read(id, args)).resolves.toEqual({ id, state: args });
    await its.delete(id, args);
    expect(said.warnings.at(-1)).toMatch(
      /folder notes\/Common\/reports no longer exists, .* so no grant was taken out/,
    );
    await its.foresee(undefined, args);
    expect(said.warnings.at(-1)).toContain("cannot preview what this changes on the platform");
    expect(half.requests().counts["folders.policy"]).toBeUndefined();
  });

  test("a folder that the token may not see does not stop the grant on another one", async () => {
    const { life: its } = start();
    answers(emulator, "folders.viewPolicy", 403, refusal("not yours", 403), { times: 1 });
    await expect(its.create({ ...args, location: "Common/other" })).rejects.toThrow("403");
    await expect(its.create(args)).resolves.toMatchObject({ id });
  });

  test("a passing error while looking whether the installation can show policies is not remembered", async () => {
    const { life: its } = start({ retries: 0 });
    const view = { operation: "folders.viewPolicy", body: refusal("no policy", 404) };
    const missing = { ...view, kind: "respond" as const, status: 404, nth: [1, 3] };
    emulator.setFaults({ rules: [missing, { ...view, kind: "500", nth: 2 }] });
    await expect(its.create(args)).rejects.toThrow("500");
    await expect(its.create(args)).resolves.toMatchObject({ id });
  });

  test("a folder that was renamed keeps the grant: destroy says so, and refresh drops it", async () => {
    const { life: its, said, state } = await createdBy(start(), args);
    await renameFolder(emulator, "Common/reports", "renamed");
    await expect(start().life.read(id, state)).resolves.toBeUndefined();
    await its.delete(id, state);
    expect(said.warnings).toEqual([expect.stringContaining("if the folder was moved or renamed")]);
    expect(reports()).toEqual([ours]);
    await expect(its.create(args)).rejects.toThrow("404");
  });
});
