import { expect, test } from "vitest";
import { resources } from "../../../provider/resources";
import { companiesOf } from "../../cases";
import { definitionOf, inProcess } from "../../harness/in-process";
import { checkOf, inputsOf } from "../../harness/lifecycle";

const [specified, extended] = [companiesOf("lives").flat(), companiesOf("extended").flat()];
for (const life of specified) inputsOf(life);
for (const life of extended) inputsOf(life, true);

test("every resource lives through the tests on the engine: with the extended API, and without it unless it needs it", () => {
  const types = (lives: readonly { readonly type: string }[]) => lives.map(({ type }) => type).toSorted();
  const wanted = resources.filter(({ type }) => [undefined, type].includes(process.env["RESOURCE"]));
  expect(types(extended)).toEqual(types(wanted));
  expect(types(specified)).toEqual(types(wanted.filter(({ extended }) => !extended?.required)));
});

const wrongIds: Readonly<Record<string, readonly string[]>> = {
  Account: ["two words"],
  Command: ["my command"],
  EnabledUser: ["nobody"],
  Folder: ["701", "notes", "notes/", "folder/701", "notes/7 1", ""],
  FolderGrant: ["notes/Common/reports", "pages/Common/group:204", "notes/group:204", "notes//user:1"],
  FolderPolicy: ["Common/reports", "notes", "notes/", "note/Common", ""],
  GroupRoleAssignment: ["205", "205/", "/analyst", "two words/analyst", ""],
  GroupRoles: ["205/analyst"],
  ObjectGrant: ["note/501", "note/501/104", "page/501/user:104", "note/501/user:", "environment/401/user:104"],
  ObjectPolicy: ["501", "note", "note/", "environment/401", "note/ 5", ""],
  PackageSet: ["403"],
  PartitionSensor: ["sales", "sales.orders", "sales.orders/dt", "a.b/%=1"],
};
test.each(Object.entries(wrongIds).flatMap(([type, ids]) => ids.map((id) => [type, id] as const)))(
  "a %s cannot be imported by %j: the error shows what an id looks like",
  async (type, id) => {
    const definition = definitionOf(type);
    const nowhere = { url: "http://127.0.0.1:9", tokens: {} };
    const { life } = inProcess(definition, nowhere, { extended: /^(Folder|Group)/.test(type), retries: 0 });
    const { message } = (await life.read(id, {}).catch((error: Error) => error)) as Error;
    expect(message).toContain(`${JSON.stringify(id)} is not a`);
    expect(message).toContain(type === "PartitionSensor" ? "expected <schema>.<table>/" : definition.importId.example);
  },
);

test("every resource records its account, by which a token of another one is noticed", () => {
  const others = resources.filter(({ outputs }) => !("accountId" in outputs.shape)).map(({ type }) => type);
  expect(others).toEqual(["Account"]);
});

test.each(extended.filter(({ bad }) => bad))("without the extended API, there is no $type", ({ type, args }) =>
  expect(checkOf(type, args)).toEqual([
    { property: "", reason: expect.stringContaining(`${type} needs the extended API; set dataplatform:extendedApi`) },
  ]),
);
