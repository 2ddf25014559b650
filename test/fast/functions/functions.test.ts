import { describe, expect, test, vi } from "vitest";
import { unknownValue } from "../../../provider/core/engine-values";
import { FunctionRun, secretOutputs } from "../../../provider/core/function-run";
import { functions } from "../../../provider/functions";
import { answers, freshEmulator, ownEmulator } from "../../harness/emulators";
import { hostAt, resultOf } from "../../harness/in-process";

const emulator = freshEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });

const definitionOf = (name: string) => functions.find((definition) => definition.name === name)!;

/** With the extended API only if the function needs that. */
const call = (
  name: string,
  inputs: Record<string, unknown> = {},
  options: { token?: string; preview?: boolean } = {},
) => resultOf(name, inputs, emulator, { extended: definitionOf(name).extended?.required ?? false, ...options });

describe("getAccount", () => {
  test("shows the account, and its credentials are secrets", async () => {
    const account = await call("getAccount");
    const shown = { storageLocation: "s3://analytics-logs/default", storageSecretKey: "analytics-storage-secret" };
    expect(account).toMatchObject({ id: 1001, name: "Analytics", ...shown });
    const secrets = ["storageAccessKey", "storageSecretKey", "computeAccessKey", "computeSecretKey"];
    expect(secretOutputs(definitionOf("getAccount"), account)).toEqual(secrets);
  });
  test("an account with a role has no secrets", async () => {
    const account = await call("getAccount", {}, { token: "otherAdmin" });
    expect(account).toMatchObject({ id: 1002, roleArn: expect.stringContaining("role/research") });
    expect(secretOutputs(definitionOf("getAccount"), account)).toEqual([]);
  });
});

describe("lists of users", () => {
  test.each([
    ["strings", ["a@b.c"]],
    ["objects with tokens", { users: [{ email: "a@b.c", authentication_token: "canary" }] }],
  ])("e-mail addresses as %s are understood, and nothing else is returned", async (_, body) => {
    answers(emulator, "accounts.getUserEmails", 200, body);
    expect(await call("getUserEmails")).toEqual({ emails: ["a@b.c"] });
  });
  test("an answer of another shape is an error that names the operation", async () => {
    answers(emulator, "accounts.getUsers", 200, { message: "hello" });
    await expect(call("getUsers")).rejects.toThrow(/^getUsers: could not list the users: .*documented shape/);
  });
});

test.each([
  ["getUsers", "accounts.getUsers", "users", { id: 101, email: "a@b.c" }],
  ["getPendingUsers", "accounts.getPendingUsers", "users", { id: 101, email: "a@b.c" }],
  ["getUserEmails", "accounts.getUserEmails", "emails", "a@b.c"],
  ["getGroups", "groups.list", "groups", { id: 203, name: "everyone" }],
  ["getWhitelistedIps", "whitelist.listV2", "account_whitelisted_ips", { id: 1, ip_cidr: "192.0.2.10" }],
])(
  "%s says that it is not all, where a record cannot be read or is announced and not shown",
  async (name, operation, list, record) => {
    for (const body of [{ [list]: [record, 7] }, { [list]: [record], total_count: 2, paging_info: undefined }]) {
      answers(emulator, operation, 200, body);
      const { host, said } = hostAt(emulator, { extended: true });
      const shown = await new FunctionRun(definitionOf(name), host).run({}, { preview: false });
      expect(Object.values(shown)[0]).toHaveLength(1);
      expect(said.warnings).toEqual([expect.stringMatching(/^\w+: could list .* only in part: .*run this again/)]);
    }
  },
);

const partitions = (...values: string[]) => ({
  schema: "default",
  table: "daily_ticks",
  columns: [{ column: "dt", values }],
});
const pending = (id: number, userId: number) => ({ id, userId, email: `pending${userId - 17}@analytics.example.com` });
const at = "2024-01-01T00:00:00Z";
const listed = { id: 1, accountId: 1002, ipCidr: "192.0.2.10", createdAt: at, updatedAt: at };
test.each<[name: string, inputs: Record<string, unknown>, result: Record<string, unknown>, token?: string]>([
  ["getUserEmails", {}, { emails: expect.arrayContaining(["owner@analytics.example.com"]) }],
  ["getPendingUsers", {}, { users: [pending(108, 18), pending(109, 19)] }],
  ["getWhitelistedIps", {}, { whitelistedIps: expect.arrayContaining([listed]) }, "otherAdmin"],
  ["getHiveTables", { filter: "^page_" }, { names: ["page_views"], tables: [{ name: "page_views" }] }],
  [
    "getObjectPolicy",
    { sourceType: "note", sourceId: "501" },
    { policy: [{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }] },
  ],
  ["getObjectPolicy", { sourceType: "environment", sourceId: "401" }, { policy: [] }],
  ["checkPartition", partitions("2024-01-01"), { ready: true }],
  ["checkPartition", partitions("2024-01-01", "2030-01-01"), { ready: false }],
])("%s %j", async (name, inputs, result, token = "admin") =>
  expect(await call(name, inputs, { token })).toEqual(result),
);

test("getHiveTables does not send false, because the API only accepts true", async () => {
  await call("getHiveTables", { describe: false });
  expect(emulator.requests().requests.at(-1)!.path).not.toContain("describe");
});

describe("getCommandHistory", () => {
  const submit = (inputs: Record<string, unknown> = {}) =>
    call("submitCommand", { spark: { sql: "select 1" }, ...inputs });
  test("newest first, with tags when asked, by either version", async () => {
    await submit({ name: "first", tags: ["a"] });
    await submit({ name: "second" });
    for (const apiVersion of ["v1", "v1.2"]) {
      const { commands } = await call("getCommandHistory", { apiVersion, includeQueryProperties: true });
      expect(commands).toMatchObject([{ name: "second" }, { name: "first", status: "done" }]);
      expect((commands as { tags: string[] }[])[1]!.tags[0]).toBe("a");
    }
    const { requests } = emulator.requests();
    expect(requests.filter(({ path }) => path.startsWith("/api/v1/"))).toHaveLength(1);
  });
  test("a limit stops reading, and returns the next page number", async () => {
    for (let count = 0; count < 5; count++) await submit();
    emulator.clearRequests();
    const result = await call("getCommandHistory", { limit: 2 });
    expect(result["commands"]).toHaveLength(2);
    expect(result["nextPage"]).toBe(2);
    expect(emulator.requests().counts["commands.history"]).toBe(1);
    expect((await call("getCommandHistory", { limit: 2, page: 3 }))["commands"]).toHaveLength(1);
  });
  test("a limit that no page size divides drops nothing: the next page starts where it stopped", async () => {
    for (let count = 0; count < 7; count++) await submit();
    const ids = (page: Awaited<ReturnType<typeof call>>) => (page["commands"] as { id: string }[]).map(({ id }) => id);
    const all = ids(await call("getCommandHistory"));
    for (const limit of [101, 150, 199]) {
      const { nextPage } = await call("getCommandHistory", { limit });
      expect(nextPage).toBeUndefined();
    }
    const seen: string[] = [];
    for (let page: number | undefined = 1; page !== undefined; ) {
      const found = await call("getCommandHistory", { limit: 3, page });
      seen.push(...ids(found));
      page = found["nextPage"] as number | undefined;
    }
    expect(new Set(seen)).toEqual(new Set(all));
  });
  test("only the user's own commands, unless all users are requested", async () => {
    await call("submitCommand", { spark: { sql: "x" } }, { token: "user" });
    expect((await call("getCommandHistory"))["commands"]).toEqual([]);
    expect((await call("getCommandHistory", { allUsers: true }))["commands"]).toHaveLength(1);
  });
  test("never repeats an encryption key", async () => {
    const s3DistCp = { src: "s3://a/b", dest: "s3://c/d", s3SSEAlgorithm: "SSE-C", encryptionKey: "can' ary" };
    await call("submitCommand", { s3DistCp });
    const { commands } = await call("getCommandHistory");
    expect(JSON.stringify(commands)).not.toMatch(/can'|ary/);
    expect(JSON.stringify(commands)).toContain("--s3SSEAlgorithm SSE-C --encryptionKey [secret]");
  });
  test.each([
    [{ startDate: "yesterday" }, "startDate must be a date"],
    [{ limit: 0 }, "limit must be at least 1"],
    [{ apiVersion: "v2" }, 'apiVersion is "v2"; expected one of "v1", "v1.2"'],
    [{ perPage: 5 }, "perPage is not a known property"],
  ])("rejects %j", async (inputs, says) => {
    await expect(call("getCommandHistory", inputs)).rejects.toThrow(says);
  });
});

describe("every function", () => {
  const good: Record<string, Record<string, unknown>> = {
    submitCommand: { spark: { sql: "select 1" } },
    getObjectPolicy: { sourceType: "note", sourceId: "501" },
    checkPartition: partitions("2024-01-01"),
    getCommandResults: { id: "10001" },
    getCommandLog: { id: "10001" },
    getTableDefinition: { table: "daily_ticks" },
    getTablePartitions: { table: "daily_ticks" },
  };
  test.each(functions)(
    "$name: an unknown property is rejected before anything is sent, and a token may lack a permission",
    async ({ name }) => {
      const unknown = `${name}: nonsense is not a known property`;
      await expect(call(name, { ...good[name], nonsense: 1 })).rejects.toThrow(unknown);
      expect(emulator.requests().requests).toEqual([]);
      const powerless = new RegExp(`^${name}: could not .* \\(403\\).*a role that allows`);
      await expect(call(name, good[name], { token: "powerless" })).rejects.toThrow(powerless);
    },
  );
  const needing = functions.filter(({ extended }) => extended?.required).map(({ name }) => name);
  test.each(needing)("%s says how to turn the extended API on, and sends nothing while it is off", async (name) => {
    await expect(resultOf(name, good[name] ?? {}, emulator)).rejects.toThrow("set dataplatform:extendedApi to true");
    expect(emulator.requests().requests).toEqual([]);
  });
  test.each(needing)("%s says so if the installation lacks the operation", async (name) => {
    const called = resultOf(name, good[name] ?? {}, await ownEmulator(), { extended: true });
    await expect(called).rejects.toThrow(/\((404|405)\)|: (404|405)\)/);
  });
  test("without the extended API, sends the same to a platform that has it as to one without", async () => {
    const without = await ownEmulator({ waitSeconds: 0, runSeconds: 0 });
    for (const { name } of functions.filter(({ extended }) => !extended?.required))
      for (const platform of [emulator, without]) await resultOf(name, good[name] ?? {}, platform);
    expect(emulator.requests().counts).toEqual(without.requests().counts);
  });
  test("at preview, reading functions run and submitting ones do not", async () => {
    expect(await call("submitCommand", good["submitCommand"])).toMatchObject({ id: "10001" });
    for (const { name, outputs, effect } of functions) {
      emulator.clearRequests();
      const result = await call(name, good[name], { preview: true });
      // A list that may be paginated is asked for a second page.
      const paginated = ["getUsers", "getPendingUsers", "getWhitelistedIps", "getDataStores", "getGroups", "getRoles"];
      const mayBePaginated = paginated.includes(name);
      const expected = effect === "submits" ? [0] : mayBePaginated ? [1, 2] : [1];
      expect(expected, name).toContain(emulator.requests().requests.length);
      if (effect === "submits")
        expect(result).toEqual(Object.fromEntries(Object.keys(outputs.shape).map((output) => [output, unknownValue])));
    }
  });
  test("with an unknown argument, nothing is sent and the result is unknown", async () => {
    emulator.clearRequests();
    const tables = await call("getHiveTables", { filter: unknownValue }, { preview: true });
    expect(tables).toEqual({ names: unknownValue, tables: unknownValue });
    await expect(call("getHiveTables", { filter: unknownValue, describe: "yes" })).rejects.toThrow("describe must be");
    expect(emulator.requests().requests).toEqual([]);
  });
});

test.each([true, false])(
  "a command is not submitted where the environment says so, at preview: %s",
  async (preview) => {
    vi.stubEnv("DATAPLATFORM_SUBMIT", "refuse");
    const submitted = call("submitCommand", { tableRefresh: { dbName: "sales", hiveTable: "orders" } }, { preview });
    await expect(submitted).rejects.toThrow("tableRefresh is not submitted: DATAPLATFORM_SUBMIT is");
    expect(emulator.requests(0).total).toBe(0);
    vi.unstubAllEnvs();
  },
);
