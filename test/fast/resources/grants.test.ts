import { describe, expect, test } from "vitest";
import { folderGrant } from "../../../provider/resources/folder-grant";
import { objectGrant } from "../../../provider/resources/object-grant";
import * as folders from "../../cases/folder-grant";
import * as objects from "../../cases/object-grant";
import { freshEmulator } from "../../harness/emulators";
import { createdBy, inProcess, partOf } from "../../harness/in-process";

const kinds = [
  {
    definition: objectGrant,
    ...objects,
    theirs: objects.found,
    next: { allow: ["read"], deny: ["manage"] },
    others: [{ user: 106 }, { user: "107" }, { user: undefined, group: 204 }],
    operations: ["objectPolicy.view", "objectPolicy.set"],
    wrongIds: ["note/501", "note/501/104", "page/501/user:104", "note/501/user:", "environment/401/user:104"],
  },
  {
    definition: folderGrant,
    ...folders,
    next: { allow: ["all"] },
    others: [{ group: 203 }, { group: "205", location: "/Common/reports/" }, { group: undefined, user: 104 }],
    operations: ["folders.viewPolicy", "folders.policy"],
    wrongIds: ["notes/Common/reports", "pages/Common/group:204", "notes/group:204", "notes//user:1"],
  },
];

describe.each(kinds)("$definition.type", ({ definition, args, id, ours, theirs, operations, ...its }) => {
  const emulator = freshEmulator({ extended: true });
  const start = () => inProcess(definition, emulator, { extended: definition === folderGrant });
  const policy = () => its.policyOf(emulator.state({ secrets: true }));
  const counts = () => operations.map((name) => emulator.requests().counts[name] ?? 0);

  test("where the platform writes out all fields: set, read without drift, changed, imported and taken out", async () => {
    await its.setPolicy(emulator, [theirs]);
    emulator.setReadings({ policyIdLists: "filled", policyFields: "added" });
    const { life, said, state } = await createdBy(start(), args);
    expect(policy()).toMatchObject([theirs, ours]);
    await expect(start().life.read(id, state)).resolves.toEqual({ id, state });
    expect((await start().life.read(id, {}))?.state).toMatchObject({ ...args, namedBefore: false });
    const changed = await life.update(id, state, { ...args, ...its.next });
    await expect(start().life.read(id, changed.state)).resolves.toEqual(changed);
    await life.delete(id, changed.state);
    expect(policy()).toMatchObject([theirs]);
    expect(said.warnings).toEqual([]);
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

  test.each(its.wrongIds)("%s is not an import id", (wrong) =>
    expect(start().life.read(wrong, {})).rejects.toThrow(`such as ${id}`),
  );
});
