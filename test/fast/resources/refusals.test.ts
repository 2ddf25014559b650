import { describe, expect, test } from "vitest";
import { resources } from "../../../provider/resources";
import { freshEmulator } from "../../harness/emulators";
import { inProcess, partOf } from "../../harness/in-process";

/** What a platform that we did not write has said, and what it must mean. */
const emulator = freshEmulator();
const life = (type: string) => inProcess(resources.find((one) => one.type === type)!, emulator, { retries: 0 });
const answer = (operation: string, status: number, body: unknown, more: object = {}) =>
  emulator.setFaults({ rules: [{ operation, kind: "respond", status, body, ...more }] });

const role = { groupId: 205, role: "analyst" };
const policy = [{ access: "deny" }];
const packages = { envId: 403, sourceType: "python_package", packages: ["aa", "bb", "cc"] };

describe("a refusal in a response with status 200, beside an id", () => {
  const failed = { error_code: 422, error_message: "cannot connect" };
  test.each([
    ["GroupRoleAssignment", role, "groups.assignRole", { account_id: 42, status: "error", message: "no such role" }],
    [
      "ObjectPolicy",
      { sourceType: "note", sourceId: "501", policy },
      "objectPolicy.set",
      { id: 1, error: "not yours" },
    ],
    [
      "FolderPolicy",
      { type: "notes", location: "Common/reports", policy },
      "folders.policy",
      { id: 7, status: { status_code: 403, message: "not allowed" } },
    ],
    ["PackageSet", packages, "package.add", { account_id: 42, error: failed }],
    ["WhitelistedIp", { ipCidr: "203.0.113.7" }, "whitelist.add", { errors: { ip_cidr: ["no such thing"] } }],
    ["EnabledUser", { svcUserId: "107" }, "accounts.enableUser", { id: 12, success: false, error: "licence limit" }],
    ["DataStore", { dbName: "d", dbHost: "h" }, "dbTaps.create", { error: failed, account_id: 42 }],
    ["Account", { name: "a" }, "account.createV2", { status: "error", message: "quota reached", account_id: 42 }],
  ])("%s", async (type, inputs, operation, body) => {
    answer(operation, 200, body);
    await expect(life(type).life.create(inputs)).rejects.toThrow(
      /no such role|ip_cidr no such thing|not yours|not allowed|cannot connect|licence limit|quota reached/,
    );
  });
});

describe("a conflict that says something else", () => {
  test("is no role that is there, or not there, already", async () => {
    answer("groups.assignRole", 409, { error: { error_code: 409, error_message: "group is locked" } });
    await expect(life("GroupRoleAssignment").life.create(role)).rejects.toThrow("group is locked");
    emulator.clearFaults();
    const { id, state } = await life("GroupRoleAssignment").life.create(role);
    answer("groups.unassignRole", 409, { error: { error_code: 409, error_message: "it cannot be unassigned" } });
    await expect(life("GroupRoleAssignment").life.delete(id, state)).rejects.toThrow("it cannot be unassigned");
  });

  test("is no package that is installed", async () => {
    answer("package.add", 500, "");
    const { id, state } = await partOf(life("PackageSet").life.create(packages));
    emulator.clearRequests();
    answer("package.add", 409, { error: { error_code: 409, error_message: "the environment is being rebuilt" } });
    await expect(life("PackageSet").life.update(id, state, packages)).rejects.toThrow("being rebuilt");
    expect(emulator.requests().counts["package.add"]).toBe(1);
  });
});

test("a package that somebody has removed does not keep the others in the environment", async () => {
  const { id, state } = await life("PackageSet").life.create(packages);
  const body = { error: { error_code: 404, error_message: "package aa is not installed" } };
  answer("package.remove", 404, body, { nth: [1, 2] });
  const { life: its, said } = life("PackageSet");
  await its.delete(id, state);
  const installed = JSON.stringify(emulator.state());
  expect([installed.includes('"bb"'), installed.includes('"cc"')]).toEqual([false, false]);
  expect(said.warnings.join()).toContain("or aa in it, no longer exists");
});

test.each([
  { detail: "no such thing" },
  { errors: { ip_cidr: ["no such thing"] } },
  { error: "invalid_request", error_description: "no such thing" },
  { code: 7, data: { message: "no such thing" } },
])("words are shown whatever the form: %j", async (body) => {
  answer("whitelist.add", 422, { ...body, api_token: "canary-token" });
  const error = await life("WhitelistedIp")
    .life.create({ ipCidr: "192.0.2.1" })
    .catch((failure: Error) => failure);
  expect((error as Error).message).toContain("no such thing");
  expect((error as Error).message).not.toContain("canary-token");
});

test("a sensor's table that is not found at either path is told in the platform's words", async () => {
  answer("partitionSensor.create", 404, { error: { error_code: 404, error_message: "schema s not found" } });
  const error = await life("PartitionSensor")
    .life.create({ schema: "s", table: "t" })
    .catch((failure: Error) => failure);
  expect((error as Error).message).toContain("schema s not found");
  expect((error as Error).message).not.toContain("serves neither");
});
