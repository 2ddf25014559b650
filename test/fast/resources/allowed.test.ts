import { expect, test } from "vitest";
import { freshEmulator } from "../../harness/emulators";
import { definitionOf, inProcess } from "../../harness/in-process";

const note = { sourceType: "note", sourceId: "501" };
const copy = { s3DistCp: { src: "s3://a/b", dest: "s3://c/d", encryptionKey: "canary" } };
const moon = { name: "x", policies: [{ access: "allow", resource: "moon" }] };

/** What the specification does not forbid is sent, with advice where it may be a mistake. */
type Allowed = [type: string, inputs: Record<string, unknown>, advice?: string];
const allowed: Allowed[] = [
  ["Command", copy, "s3DistCp.encryptionKey is sent, but the specification describes it only with"],
  ["Account", { name: "a", idleClusterTimeout: 2, idleClusterTimeoutInSecs: 600 }],
  ["DataStore", { dbHost: "bücher.example", dbName: "x" }],
  ["DataStore", { dbHost: "例え.jp", dbName: "x" }],
  ["DataStore", { dbHost: "db.example.com", dbName: "x", dbType: "snowflake" }, 'dbType is "snowflake"'],
  ["DataStore", { dbHost: "h", dbName: "x", dbType: "snowflake", catalogName: "c" }, 'dbType is "snowflake"'],
  ["Folder", { folderId: "1", type: "notes", name: "n", location: "/" }, 'location is "/", which names no folder'],
  ["Folder", { folderId: "1", type: "notes", name: "n", location: "a//b" }, "contains an empty folder name"],
  ["FolderPolicy", { type: "notes", location: "/", policy: [] }, 'location is "/", which names no folder'],
  ["ObjectPolicy", { ...note, policy: [] }, "is empty: if there is another one, it is cleared"],
  ["ObjectPolicy", { ...note, policy: [{ access: "deny", condition: {} }] }, "condition has neither users nor groups"],
  ["ObjectPolicy", { ...note, policy: [{ access: "deny", action: [] }] }, "policy[0].action is empty"],
  ["Role", moon, 'resource "moon" is not in the API\'s manual and is sent unchanged'],
  ["EnabledUser", { svcUserId: 107 }],
  ["EnabledUser", { svcUserId: "Dan" }, 'svcUserId is "Dan"; expected a user id'],
  ["PackageSet", { envId: 401, sourceType: "python_package", packages: ["numpy==1.*"] }],
  ["PartitionSensor", { schema: "s", table: "t", columns: [{ column: "c", values: [true, ""] }] }],
  ["PartitionSensor", { schema: "s", table: "t", columns: [{ column: "c", values: [] }] }],
  ["PartitionSensor", { schema: "s", table: "t", columns: [{ column: "c", values: "[a,,b]" }] }],
  ["WhitelistedIp", { ipCidr: "203.0.113.7/24" }, "has bits set beyond its prefix; the range is 203.0.113.0/24"],
  ["IpWhitelist", { addresses: ["2001:db8::7/32"] }, "has bits set beyond its prefix; the range is 2001:db8::/32"],
  ["IpWhitelist", { addresses: ["0.0.0.0/0"] }, "0.0.0.0/0 allows every address"],
];

const emulator = freshEmulator();

test.each<Allowed>(allowed)("%s %j", (type, inputs, advice) => {
  const definition = definitionOf(type);
  const { life, said } = inProcess(definition, emulator, { extended: definition.extended?.required ?? false });
  expect(life.check(inputs).failures).toEqual([]);
  if (advice) expect(said.warnings).toContainEqual(expect.stringContaining(advice));
  else expect(said.warnings).toEqual([]);
});

test("a range with host bits is sent as it is written, and found as the platform lists it", async () => {
  const { life } = inProcess(definitionOf("WhitelistedIp"), emulator);
  const { id, state } = await life.create({ ipCidr: "203.0.113.7/24" });
  const sent = emulator.requests().requests.find(({ method }) => method === "POST");
  expect(sent?.body).toEqual({ ip_cidr: "203.0.113.7/24" });
  expect(await life.read(id, state)).toEqual({ id, state });
  expect(life.diff(state, { ipCidr: "203.0.113.0/24" }).changed).toEqual([]);
});

test("hours beside seconds are both sent; without hours, only the seconds", async () => {
  const { life } = inProcess(definitionOf("Account"), emulator);
  const seconds = { name: "a", idleClusterTimeoutInSecs: 600 };
  const made = await life.create({ ...seconds, idleClusterTimeout: 2 });
  await life.create({ ...seconds, name: "b" });
  const bodies = emulator.requests().requests.filter(({ method }) => method === "POST");
  expect(bodies.map(({ body }) => (body as { account: object }).account)).toMatchObject([
    { idle_cluster_timeout: 2, idle_cluster_timeout_in_secs: 600 },
    { idle_cluster_timeout_in_secs: 600 },
  ]);
  expect(JSON.stringify(bodies[1]?.body)).not.toContain('idle_cluster_timeout"');
  expect(life.diff(made.state, seconds).changed, "2 hours are the default").toEqual([]);
});
