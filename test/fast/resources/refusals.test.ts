import { describe, expect, test } from "vitest";
import { argsOf } from "../../cases";
import { answers, freshEmulator, refusal, writesTo } from "../../harness/emulators";
import { definitionOf, inOneRun, inProcess, partOf } from "../../harness/in-process";

/** How a platform that we did not write refuses, and what it must mean: the specification shows neither the status nor the body. */
const emulator = freshEmulator({ extended: true });
const life = (type: string, options: object = {}) =>
  inProcess(definitionOf(type), emulator, { retries: 0, ...options });

const args: Record<string, Record<string, unknown>> = {
  ObjectPolicy: { sourceType: "note", sourceId: "501", policy: [{ access: "deny" }] },
  ObjectGrant: { sourceType: "note", sourceId: "501", group: 204, allow: ["read"] },
  GroupRoles: { groupId: 205, roles: ["analyst", "302"] },
  FolderPolicy: { ...argsOf("FolderPolicy"), onDestroy: "clear" },
};
const packages = { envId: 403, sourceType: "python_package", packages: ["aa", "bb", "cc"] };
const argsFor = (type: string) => args[type] ?? argsOf(type);

const inJson: unknown[] = [
  { errors: ["Couldn't find it"] },
  { status: 404, error: "Not Found" },
  { timestamp: "2026-11-17T17:46:48Z", status: 404, error: "Not Found", message: "no such thing", path: "/api" },
  { message: "no such thing" },
  { error: "no such thing" },
  {},
];
const pages: unknown[] = ["<h1>Not Found</h1>", "", "not here"];

describe.each([
  ["ObjectPolicy", ["objectPolicy.view", "objectPolicy.set"]],
  ["FolderPolicy", ["folders.policy"]],
  ["ObjectGrant", ["objectPolicy.view", "objectPolicy.set"]],
  ["GroupRoleAssignment", ["groups.unassignRole"]],
  ["GroupRoles", ["groups.unassignRole"]],
  ["PackageSet", ["package.remove"]],
])("destroying a %s that is gone", (type, operation) => {
  test.each(inJson)("ends after %j, with one warning for each thing and without a second write", async (body) => {
    const { id, state } = await life(type).life.create(argsFor(type));
    answers(emulator, operation, 404, body);
    emulator.clearRequests();
    const { life: its, said } = life(type);
    await its.delete(id, state);
    const what = type === "PackageSet" ? 3 : type === "GroupRoles" ? 2 : 1;
    expect(said.warnings).toEqual(Array(what).fill(expect.stringContaining('the platform answers "not found" (404)')));
    const writes = emulator.requests().requests.filter(({ method }) => method !== "GET");
    const sent = writes.map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
    expect(sent).toEqual([...new Set(sent)]);
  });

  test.each(pages)("is an error after %j, which names the way out", async (body) => {
    const { id, state } = await life(type).life.create(argsFor(type));
    answers(emulator, operation, 404, body);
    await expect(life(type).life.delete(id, state)).rejects.toThrow("pulumi state delete");
  });

  test("is an error where the platform does not answer at all", async () => {
    const { id, state } = await life(type).life.create(argsFor(type));
    for (const body of [...inJson, ...pages]) {
      answers(emulator, "*", 404, body);
      await expect(life(type).life.delete(id, state)).rejects.toThrow("check dataplatform:baseUrl");
    }
  });
});

describe.each(["ObjectPolicy", "ObjectGrant"])("refreshing a %s whose object is gone", (type) => {
  test.each([...inJson, ...pages])("keeps the state after %j, with a warning", async (body) => {
    const made = await life(type).life.create(argsFor(type));
    answers(emulator, "objectPolicy.view", 404, body);
    const { life: its, said } = life(type);
    expect(await its.read(made.id, made.state)).toEqual(made);
    expect(said.warnings.join()).toMatch(/its state is kept: .*\(404\).* If the resource is gone/);
    answers(emulator, "*", 404, body);
    await expect(life(type).life.read(made.id, made.state)).rejects.toThrow("check dataplatform:baseUrl");
  });

  test.each([400, 422])("keeps the state after a %s that says so, and fails after another", async (status) => {
    const made = await life(type).life.create(argsFor(type));
    answers(emulator, "objectPolicy.view", status, { errors: ["Couldn't find it"] });
    const { life: its, said } = life(type);
    expect(await its.read(made.id, made.state)).toEqual(made);
    expect(said.warnings.join()).toMatch(/its state is kept: .*Couldn't find it\. If the resource is gone/);
    answers(emulator, "objectPolicy.view", status, { errors: ["source_type is invalid"] });
    await expect(life(type).life.read(made.id, made.state)).rejects.toThrow("source_type is invalid");
  });

  test("an import is an error", async () => {
    const { id } = await life(type).life.create(argsFor(type));
    answers(emulator, "objectPolicy.view", 404, { errors: ["Couldn't find it"] });
    await expect(life(type).life.read(id, {})).rejects.toThrow("Couldn't find it");
  });
});

test("clearing the policy of a folder that is gone ends after a 422 that says so, and only then", async () => {
  const { id, state } = await life("FolderPolicy").life.create(argsFor("FolderPolicy"));
  answers(emulator, "folders.policy", 422, refusal("Couldn't find folder"));
  const { life: its, said } = life("FolderPolicy");
  await its.delete(id, state);
  expect(said.warnings.join()).toContain("no longer exists, so its policy was not changed");
  answers(emulator, "folders.policy", 422, refusal("policy has no elements"));
  await expect(life("FolderPolicy").life.delete(id, state)).rejects.toThrow(/onDestroy to "keep".*state delete/);
});

test.each(["FolderPolicy", "FolderGrant"])(
  "a folder that the same run renames keeps its %s, and nothing is sent to its old place",
  async (type) => {
    const inputs = { ...argsFor(type), location: "Common/reports" };
    const of = inOneRun(emulator, { extended: true });
    const before = await of(definitionOf(type)).life.create(inputs);
    const here = { folderId: "701", type: "notes", name: "reports", location: "Common/reports" };
    const folder = await of(definitionOf("Folder")).life.create(here);
    const next = inOneRun(emulator, { extended: true });
    const there = { ...here, name: "renamed" };
    const renamed = await next(definitionOf("Folder")).life.update(folder.id, folder.state, there);
    expect(renamed.state["currentLocation"]).toBe("Common/renamed");
    emulator.clearRequests();
    const { life: its, said } = next(definitionOf(type));
    await its.delete(before.id, before.state);
    await its.create({ ...inputs, location: "Common/renamed" });
    const places = emulator.requests().requests.flatMap(({ body }) => (body as { location?: string })?.location ?? []);
    expect(new Set(places)).toEqual(new Set(["Common/renamed"]));
    expect(said.warnings).toEqual([]);
  },
);

describe("what was done, but its answer was lost", () => {
  const role = argsOf("GroupRoleAssignment");
  test.each([
    [422, refusal("Role is already assigned to the group")],
    [400, { errors: ["the group has role analyst already"] }],
    [409, {}],
    [422, {}],
  ])("a role is assigned if the repetition is refused: %i %j", async (status, body) => {
    const lost = { operation: "groups.assignRole", kind: "500", work: "do", nth: 1 } as const;
    emulator.setFaults({ rules: [lost, { operation: "groups.assignRole", kind: "respond", status, body }] });
    await life("GroupRoleAssignment", { retries: 1 }).life.create(role);
    emulator.reset();
    emulator.setFaults({ rules: [lost] });
    const { id, state } = await partOf(life("GroupRoleAssignment").life.create(role));
    answers(emulator, "groups.assignRole", status, body);
    expect((await life("GroupRoleAssignment").life.update(id, state, role)).state["__open"]).toBeUndefined();
  });

  test.each([
    ["in words", { errors: ["aa is already installed"] }, 4],
    ["without words", {}, 1],
  ])("packages are added if the repetition is refused %s", async (_, body, sent) => {
    emulator.setFaults({ rules: [{ operation: "package.add", kind: "500", work: "do" }] });
    const { id, state } = await partOf(life("PackageSet").life.create(packages));
    answers(emulator, "package.add", 422, body);
    emulator.clearRequests();
    await life("PackageSet").life.update(id, state, packages);
    expect(writesTo(emulator)).toHaveLength(sent);
  });

  test("a refusal that says something else is an error, and so is a conflict", async () => {
    answers(emulator, "groups.assignRole", 409, { errors: ["the group is locked"] });
    await expect(life("GroupRoleAssignment").life.create(role)).rejects.toThrow("the group is locked");
    const refused = { operation: "groups.assignRole", body: { errors: ["there is no such role"] } };
    const rules = [
      { ...refused, kind: "500" as const, nth: 1 },
      { ...refused, kind: "respond" as const, status: 422 },
    ];
    emulator.setFaults({ rules });
    const failed = life("GroupRoleAssignment", { retries: 1 }).life.create(role);
    await expect(failed).rejects.toThrow("no such role");
  });
});

describe("a role that somebody has taken away", () => {
  const notAssigned = refusal("Role is not assigned to the group");
  test.each(["GroupRoleAssignment", "GroupRoles"])(
    "%s: destroy ends where the platform says so; other words name the way out",
    async (type) => {
      const { id, state } = await life(type).life.create(argsFor(type));
      for (const status of [400, 409, 422]) {
        answers(emulator, "groups.unassignRole", status, notAssigned);
        const { life: its, said } = life(type);
        await its.delete(id, state);
        expect(said.warnings.join()).toContain("Role is not assigned to the group");
        answers(emulator, "groups.unassignRole", status, { errors: ["it cannot be unassigned"] });
        const advice = status === 400 ? "cannot be unassigned" : /cannot be unassigned.*pulumi state delete/;
        await expect(life(type).life.delete(id, state)).rejects.toThrow(advice);
      }
    },
  );

  test("destroy ends where a list shows it, whatever the words", async () => {
    const { id, state } = await life("GroupRoleAssignment").life.create({ groupId: 205, role: "analyst" });
    await life("GroupRoleAssignment").life.delete(id, state);
    answers(emulator, "groups.unassignRole", 422, { errors: ["invalid"] });
    await life("GroupRoleAssignment", { extended: true }).life.delete(id, state);
  });

  test("a 404 says that any of the three may be gone", async () => {
    const { id, state } = await life("GroupRoleAssignment").life.create({ groupId: 205, role: "analyst" });
    answers(emulator, "groups.unassignRole", 404, refusal("not found", 404));
    const { life: its, said } = life("GroupRoleAssignment");
    await its.delete(id, state);
    expect(said.warnings.join()).toContain("group 205 does not have role analyst, or one of the two no longer exists");
  });
});

describe("a package that somebody has removed", () => {
  const body = refusal("aa is not installed");

  test.each([400, 404, 409, 422])("the others are removed one by one after a %s", async (status) => {
    const { id, state } = await life("PackageSet").life.create(packages);
    emulator.clearRequests();
    answers(emulator, "package.remove", status, body, { nth: [1, 2] });
    const { life: its, said } = life("PackageSet");
    await its.delete(id, state);
    const installed = JSON.stringify(emulator.state());
    expect([installed.includes('"bb"'), installed.includes('"cc"')]).toEqual([false, false]);
    expect(said.warnings.join()).toContain("or aa in it, no longer exists");
    expect(writesTo(emulator)).toHaveLength(4);
  });

  test("a lost answer to destroy does not advise an update", async () => {
    const { id, state } = await life("PackageSet").life.create(packages);
    answers(emulator, "package.remove", 500, "");
    const error = await life("PackageSet").life.delete(id, state).catch(String);
    expect(error).toContain("run the command again to retry");
    expect(error).not.toContain("pulumi up");
  });
});

test("a conflict that says something else is no package that is installed", async () => {
  answers(emulator, "package.add", 500, "");
  const { id, state } = await partOf(life("PackageSet").life.create(packages));
  emulator.clearRequests();
  answers(emulator, "package.add", 409, refusal("the environment is being rebuilt", 409));
  await expect(life("PackageSet").life.update(id, state, packages)).rejects.toThrow("being rebuilt");
  expect(emulator.requests().counts["package.add"]).toBe(1);
});

const failed = { error_code: 422, error_message: "cannot connect" };
test.each([
  ["GroupRoleAssignment", "groups.assignRole", { account_id: 42, status: "error", message: "no such role" }],
  ["GroupRoles", "groups.assignRole", failed],
  ["Folder", "folders.rename", { status: "Not permitted" }],
  ["ObjectPolicy", "objectPolicy.set", { id: 1, error: "not yours" }],
  ["FolderPolicy", "folders.policy", { id: 7, status: { status_code: 403, message: "not allowed" } }],
  ["PackageSet", "package.add", { account_id: 42, error: failed }],
  ["WhitelistedIp", "whitelist.add", { errors: { ip_cidr: ["no such thing"] } }],
  ["EnabledUser", "accounts.enableUser", { id: 12, success: false, error: "licence limit" }],
  ["DataStore", "dbTaps.create", { error: failed, account_id: 42 }],
  ["Account", "account.createV2", { status: "error", message: "quota reached", account_id: 42 }],
])("a refusal in a response with status 200, beside an id: %s", async (type, operation, body) => {
  answers(emulator, operation, 200, body);
  await expect(life(type).life.create(argsFor(type))).rejects.toThrow(
    /no such role|Not permitted|ip_cidr no such thing|not yours|not allowed|cannot connect|licence limit|quota reached/,
  );
});

test.each([
  { detail: "no such thing" },
  { errors: { ip_cidr: ["no such thing"] } },
  { error: "invalid_request", error_description: "no such thing" },
  { code: 7, data: { message: "no such thing" } },
])("words are shown whatever the form: %j", async (body) => {
  answers(emulator, "whitelist.add", 422, { ...body, api_token: "canary-token" });
  const error = await life("WhitelistedIp").life.create({ ipCidr: "192.0.2.1" }).catch(String);
  expect(error).toContain("no such thing");
  expect(error).not.toContain("canary-token");
});

test("a sensor's table that is not found at either path is told in the platform's words", async () => {
  answers(emulator, "partitionSensor.create", 404, refusal("schema s not found", 404));
  const error = await life("PartitionSensor").life.create({ schema: "s", table: "t" }).catch(String);
  expect(error).toContain("schema s not found");
  expect(error).not.toContain("serves neither");
});
