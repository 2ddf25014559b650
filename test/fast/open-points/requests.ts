import { expect } from "vitest";
import { operations } from "../../../provider/api/operations";
import { answers } from "../../harness/emulators";
import { createdBy } from "../../harness/in-process";
import { ScriptedServer } from "../../harness/scripted-server";
import { accepts, type Claims, call, lifeOf, refuses, requestsOf, sentFor, withTheExtendedApi } from "./provider";

const store = { dbHost: "db.example.com", dbName: "sales" };
const folder = { folderId: "701", type: "notes", name: "archive", location: "Common/reports" };
const policy = [{ access: "deny" }];
const words = { error: { error_code: 1, error_message: "no, thank you" } };

/** The sections "Requests in general" and "IP whitelist". */
export const requests: Claims = {
  "Sends every path as the specification prints it": () =>
    expect(
      Object.values(operations)
        .map(({ path }) => path)
        .filter((path) => path.endsWith("/")),
    ).toEqual([
      "/api/v1.2/commands/",
      "/api/v1.2/commands/",
      "/api/v1/commands/",
      "/api/v1.2/db_taps/",
      "/api/v1.2/hive/default/",
      "/api/v1.2/account/",
    ]),

  "Always sends both headers, and reads the answer whatever its type says": async () => {
    const server = await ScriptedServer.forTest();
    server.script({ headers: { "content-type": "text/html" }, body: { id: 1, name: "Blue" } });
    expect(await call({ url: server.url, tokens: {} } as never, "getAccount")).toMatchObject({ id: 1, name: "Blue" });
    expect(server.received.map(({ headers }) => [headers["content-type"], headers.accept])).toEqual([
      ["application/json", "application/json"],
    ]);
  },

  "Sends JSON objects only; 400 and 422 are refusals alike": async (on) => {
    for (const status of [400, 422]) {
      answers(on, "folders.rename", status, words);
      const [request, ...others] = await requestsOf(on, () =>
        expect(lifeOf(on, "Folder").life.create(folder)).rejects.toMatchObject({ code: "rejected" }),
      );
      expect(others).toEqual([]);
      expect(request!.body).toEqual({ ...folder, folderId: undefined, folder_id: "701" });
    }
  },

  "Sends `page` only to a list whose answer announces another page, and nothing else that the tables do not name":
    async (on) => {
      const paths = async () => (await requestsOf(on, () => call(on, "getUsers"))).map(({ path }) => path);
      const list = "/api/v1.2/accounts/get_users";
      const users = [{ id: 101, user_id: 11, email: "ana@example.com" }];
      expect(await paths()).toEqual([list]);
      answers(on, "accounts.getUsers", 200, { users, paging_info: { next_page: null } });
      expect(await paths()).toEqual([list]);
      on.setFaults({
        rules: [2, null].map((next_page, index) => ({
          operation: "accounts.getUsers",
          kind: "respond",
          status: 200,
          body: { users, paging_info: { next_page } },
          ...(index === 0 && { times: 1 }),
        })),
      });
      expect((await paths()).slice(0, 2)).toEqual([list, `${list}?page=2`]);
    },

  "Leaves out what is not set; a creation sends `null` for `catalogName` alone": async (on) => {
    expect(Object.values(await sentFor(on, "DataStore", store))).not.toContain(null);
    expect(await sentFor(on, "DataStore", { ...store, catalogName: null })).toHaveProperty("catalog_name", null);
    refuses("DataStore", store, { name: null }, { dbUser: null }, { port: null }, { dbLocation: null });
  },

  "Refuses empty ids and names at preview; sends an empty name of a command, and an empty user or password": async (
    on,
  ) => {
    refuses("DataStore", store, { dbHost: "" }, { dbName: "" }, { name: "" });
    refuses("Account", { name: "Blue" }, { name: "" });
    refuses("Folder", folder, { folderId: "" }, { name: "" }, { location: "" });
    refuses("ObjectPolicy", { sourceType: "note", sourceId: "501", policy }, { sourceId: "" });
    refuses("GroupRoleAssignment", { groupId: 204, role: "analyst" }, { groupId: "" }, { role: "" });
    refuses("EnabledUser", { svcUserId: "107" }, { svcUserId: "" });
    refuses("PartitionSensor", { schema: "sales", table: "orders" }, { schema: "" }, { table: "" });
    accepts("Command", { spark: { sql: "select 1" }, name: "" });
    expect(await sentFor(on, "DataStore", { ...store, dbUser: "", dbPasswd: "" })).toMatchObject({
      db_user: "",
      db_passwd: "",
    });
  },

  "Requires and sends all that the emulator needs": async (on) => {
    const without = (...names: readonly string[]) => names.map((name) => ({ [name]: undefined }));
    refuses("DataStore", store, ...without("dbHost", "dbName"));
    refuses("Folder", folder, ...without("folderId", "type", "name", "location"));
    const folderPolicy = { type: "notes", location: "Common/reports", policy };
    refuses("FolderPolicy", folderPolicy, ...without("type", "location", "policy"));
    expect(Object.keys(await sentFor(on, "Folder", folder)).sort()).toEqual(["folder_id", "location", "name", "type"]);
    on.reset();
    expect(Object.keys(await sentFor(on, "FolderPolicy", folderPolicy)).sort()).toEqual([
      "location",
      "policy",
      "source_type",
      "type",
    ]);
  },

  "Sends an id as it is written, and encodes every part of a path": async (on) => {
    answers(on, "groups.assignRole", 200, { status: "done" });
    const [request] = await requestsOf(on, () =>
      lifeOf(on, "GroupRoleAssignment").life.create({ groupId: "041", role: "a b%" }),
    );
    expect(request!.path).toBe("/api/v1.2/groups/041/roles/a%20b%25/assign");
  },

  "Calls these operations only with `extendedApi`": async (on) => {
    const remove = (options: object) => requestsOf(on, () => lifeOf(on, "DataStore", options).life.delete("7", store));
    expect(await remove({})).toEqual([]);
    expect((await remove(withTheExtendedApi)).map(({ method }) => method)).toContain("DELETE");
  },

  "401 and 403 are errors that say what to check; only a refresh keeps the state after a 403, with a warning": async (
    on,
  ) => {
    const { said, id, state } = await createdBy(lifeOf(on, "WhitelistedIp"), { ipCidr: "203.0.113.7" });
    answers(on, "whitelist.list", 401);
    await expect(lifeOf(on, "WhitelistedIp").life.read(id, state)).rejects.toThrow(/token/);
    answers(on, "whitelist.list", 403);
    const refresh = lifeOf(on, "WhitelistedIp");
    await expect(refresh.life.read(id, state)).resolves.toEqual({ id, state });
    expect([...said.warnings, ...refresh.said.warnings]).toEqual([expect.stringMatching(/403/)]);
    answers(on, "whitelist.delete", 403);
    await expect(lifeOf(on, "WhitelistedIp").life.delete(id, state)).rejects.toThrow(/a role that allows editing/);
  },

  "Reports any refusal, 413 too, with the platform's words": async (on) => {
    for (const status of [404, 413, 422]) {
      answers(on, "package.add", status, words);
      const add = { envId: 401, sourceType: "python_package", packages: ["numpy"] };
      await expect(lifeOf(on, "PackageSet").life.create(add)).rejects.toThrow(/no, thank you/);
    }
  },

  "Accepts any answer that does not refuse: JSON, text or no body": async (on) => {
    for (const body of [{}, { status: "done" }, "renamed", ""]) {
      answers(on, "folders.rename", 200, body);
      await expect(lifeOf(on, "Folder").life.create(folder)).resolves.toMatchObject({ id: "notes/701" });
    }
  },

  "Sends ranges; a refusal shows the platform's words": async (on) => {
    expect(await sentFor(on, "WhitelistedIp", { ipCidr: "192.0.2.0/24" })).toEqual({ ip_cidr: "192.0.2.0/24" });
    answers(on, "whitelist.add", 422, words);
    await expect(lifeOf(on, "WhitelistedIp").life.create({ ipCidr: "198.51.100.0/24" })).rejects.toThrow(
      /no, thank you/,
    );
  },

  "Looks at the list first: a listed address fails `WhitelistedIp` without `adopt`, and `IpWhitelist` leaves it as it is; a 409 counts as listed":
    async (on) => {
      const ipCidr = "203.0.113.7";
      await lifeOf(on, "WhitelistedIp").life.create({ ipCidr });
      const writes = async (type: string, args: object, says?: RegExp) =>
        (
          await requestsOf(on, async () => {
            const created = lifeOf(on, type).life.create({ ...args });
            await (says ? expect(created).rejects.toThrow(says) : created);
          })
        ).filter(({ method }) => method !== "GET");
      expect(await writes("WhitelistedIp", { ipCidr }, /already whitelisted/)).toEqual([]);
      expect(await writes("WhitelistedIp", { ipCidr, adopt: true })).toEqual([]);
      expect(await writes("IpWhitelist", { addresses: [ipCidr] })).toEqual([]);
      const another = "203.0.113.8";
      on.setFaults({ rules: [{ operation: "whitelist.add", kind: "respond", status: 409, body: {}, work: "do" }] });
      expect(await writes("WhitelistedIp", { ipCidr: another }, /already whitelisted/)).toHaveLength(1);
    },
};
