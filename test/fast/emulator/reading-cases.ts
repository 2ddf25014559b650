import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { expect } from "vitest";
import type { Emulator, ReadingName } from "../../../emulator";
import type { specifiedReadings } from "../../../emulator/readings-catalogue";
import { type Call, dataStore, goodCalls, type Reply, send, spark } from "./calls";

type Case = [look: () => Promise<unknown>, expected: Record<string, unknown>];
export type Cases<N extends ReadingName = ReadingName> = Record<N, Case>;

const v = "/api/v1.2";
const status = (message: RegExp) => ({ status: { status_code: 200, message: expect.stringMatching(message) } });

/** Operations whose answer the specification does not show, with the emulator's default answer. */
const unspecified = {
  "package.add": { status: "success", packages: ["scipy==1.12.0", expect.stringMatching(/^requests==/)] },
  "package.remove": { status: "success", packages: ["numpy==1.26.4"] },
  "folders.rename": status(/renamed/),
  "folders.policy": status(/policy set/),
  "accounts.enableUser": status(/enabled/),
  "objectPolicy.set": status(/policy set/),
};

/** For every specified reading: what to observe, and the expected result for each of its values. */
export function readingCases(emulator: () => Emulator): Cases<keyof typeof specifiedReadings> {
  const call = (wanted: Call, token = "admin") => send(emulator().url, emulator().tokens[token], wanted);
  const good = (operation: string) => call(goodCalls[operation]!);
  const get = (path: string, body?: unknown) => call({ method: "GET", path: v + path, body });
  const post = (path: string, body: unknown) => call({ method: "POST", path: v + path, body });
  const put = (path: string, body: unknown) => call({ method: "PUT", path: v + path, body });
  const add = (ip_cidr: string) => post("/whitelist_ip", { ip_cidr });
  const listed = async (): Promise<string[]> =>
    (await get("/whitelist_ip")).body.account_whitelisted_ips.map((entry: { ip_cidr: string }) => entry.ip_cidr);
  const addAndList = async (...addresses: string[]): Promise<string[]> => {
    for (const address of addresses) expect((await add(address)).status).toBe(200);
    return listed();
  };
  const statusAndBody = ({ status, body }: Reply) => [status, body];
  const setPolicy = (policy: unknown) =>
    put("/object_policy/policy", { source_id: "501", source_type: "note", policy: JSON.stringify(policy) });
  const view = async () => (await get("/object_policy/policy", { source_id: "501", source_type: "note" })).body;
  const element = { access: "allow", action: ["read"], condition: { svc_groups: [203] } };
  const history = (query = "include_query_properties=true") => get(`/commands?${query}`);
  const submitTagged = () => post("/commands", { ...spark, tags: ["a", "b"] });
  const users = async () => (await get("/accounts/get_users")).body;
  const sensor = (path: string) => post(path, goodCalls["partitionSensor.create"]!.body);
  const lastCommand = async () => {
    await submitTagged();
    emulator().advance(60);
    return (await history("")).body.commands[0];
  };
  async function encoding(accept?: string): Promise<unknown> {
    const given = { "x-auth-token": "analytics-admin", ...(accept && { "accept-encoding": accept }) };
    const { headers, body } = await request(`${emulator().url}${v}/account`, { reset: true, headers: given });
    const bytes = Buffer.from(await body.arrayBuffer());
    const packed = headers["content-encoding"] === "gzip";
    expect(JSON.parse(String(packed ? gunzipSync(bytes) : bytes))).toMatchObject({ id: 1001 });
    return packed;
  }

  return {
    compression: [
      async () => [await encoding(), await encoding("br, gzip")],
      { none: [false, false], gzip: [false, true], "gzip-always": [true, true] },
    ],
    idType: [
      async () => [(await good("commands.submit")).body.user_id, (await view()).policy[0].condition],
      {
        number: [11, { svc_groups: [203] }],
        text: ["11", { svc_groups: [203] }],
        "text-everywhere": ["11", { svc_groups: ["203"] }],
      },
    ],
    whitelistSpelling: [
      () => addAndList("192.0.2.1", "2001:DB8::1", "2001:DB8:1::/48"),
      {
        "as-given": ["192.0.2.1", "2001:DB8::1", "2001:DB8:1::/48"],
        canonical: ["192.0.2.1", "2001:db8::1", "2001:db8:1::/48"],
        "with-prefix": ["192.0.2.1/32", "2001:db8::1/128", "2001:db8:1::/48"],
        expanded: [
          "192.0.2.1",
          "2001:0db8:0000:0000:0000:0000:0000:0001",
          "2001:0db8:0001:0000:0000:0000:0000:0000/48",
        ],
      },
    ],
    commandNulls: [async () => (await lastCommand()).pool, { null: null, absent: undefined }],
    commandTimes: [
      async () => (await lastCommand()).end_time,
      {
        iso: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        epoch: expect.any(Number),
        text: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
      },
    ],
    dataStorePassword: [
      async () => (await post("/db_taps", dataStore)).body.db_passwd,
      { "as-sent": "p", empty: "", absent: undefined },
    ],
    createdAccountId: [async () => (await good("account.create")).body.account_id, { number: 1003, text: "1003" }],
    policyFields: [
      async () => {
        const extended = { ...element, note: "n", condition: { svc_groups: [203], svc_teams: [1] } };
        return [(await setPolicy([extended])).status, (await view()).policy[0]];
      },
      {
        refused: [422, element],
        kept: [200, { ...element, note: "n", condition: { svc_groups: [203], svc_teams: [1] } }],
        added: [
          200,
          {
            ...element,
            note: "n",
            resource: "object",
            condition: { svc_groups: [203], svc_teams: [1], svc_roles: [] },
          },
        ],
      },
    ],
    usersEnvelope: [
      users,
      {
        users: { users: expect.any(Array) },
        array: expect.any(Array),
        paged: { paging_info: expect.any(Object), users: expect.any(Array), groups: expect.any(Array) },
      },
    ],
    emailsEnvelope: [
      async () => (await good("accounts.getUserEmails")).body,
      {
        emails: { emails: expect.arrayContaining(["admin@analytics.example.com"]) },
        array: expect.arrayContaining(["admin@analytics.example.com"]),
        users: { users: expect.arrayContaining([{ email: "admin@analytics.example.com" }]) },
      },
    ],
    oddUser: [
      async () => (await users()).users[0],
      {
        none: expect.objectContaining({ id: 101, email: "admin@analytics.example.com" }),
        "null-email": expect.objectContaining({ id: 101, email: null }),
        "id-only": { id: 101 },
        null: null,
      },
    ],
    pendingUsers: [
      async () => (await users()).users.find(({ id }: { id: number }) => id === 108)?.disabled,
      { "left-out": undefined, listed: true },
    ],
    whitelistDuplicate: [
      async () => {
        await add("2001:db8::1");
        return [(await add("2001:DB8::1")).status, (await listed()).length];
      },
      { "409": [409, 1], "200": [200, 1], "second-record": [200, 2] },
    ],
    whitelistOrder: [
      () => addAndList("192.0.2.2", "192.0.2.1", "192.0.2.3"),
      {
        "oldest-first": ["192.0.2.2", "192.0.2.1", "192.0.2.3"],
        "newest-first": ["192.0.2.3", "192.0.2.1", "192.0.2.2"],
        "by-address": ["192.0.2.1", "192.0.2.2", "192.0.2.3"],
      },
    ],
    whitelistDeleteUnknown: [
      async () => {
        await add("192.0.2.1");
        const [{ id }] = (await get("/whitelist_ip")).body.account_whitelisted_ips;
        return [
          (await call({ method: "DELETE", path: `${v}/whitelist_ip/${id},999` })).status,
          (await listed()).length,
        ];
      },
      { "404": [404, 1], "200": [200, 0] },
    ],
    historyTags: [
      async () => {
        await submitTagged();
        const [{ tags, command, comments }] = (await history()).body.commands;
        return [tags, command.tags, comments];
      },
      {
        tags: [["a", "b"], undefined, []],
        "command.tags": [undefined, ["a", "b"], []],
        text: ["a,b", undefined, []],
        never: [undefined, undefined, []],
      },
    ],
    historyTagsLate: [
      async () => {
        await submitTagged();
        const seen = [];
        for (let round = 0; round < 4; round += 1) seen.push("tags" in (await history()).body.commands[0]);
        return seen;
      },
      { "0": [true, true, true, true], "2": [false, false, true, true] },
    ],
    historyPageEnds: [
      async () => (await history("")).body.paging_info,
      { null: { previous_page: null, next_page: null, per_page: 10 }, absent: { per_page: 10 } },
    ],
    dataStoreAnswer: [
      async () => (await good("dbTaps.create")).body,
      { whole: expect.objectContaining({ id: 601, db_host: "db.example.com" }), minimal: { id: 601 } },
    ],
    hiveFilter: [
      async () => [(await get("/hive/default?filter=custom")).body, (await get("/hive/default?filter=c.*|x")).body],
      { search: [["customers"], expect.arrayContaining(["daily_ticks", "customers"])], whole: [[], ["customers"]] },
    ],
    sensorPath: [
      async () => [(await sensor("/partition_sensor")).status, (await sensor("/sensors/partition_sensor/")).status],
      { both: [200, 200], heading: [200, 404], examples: [404, 200] },
    ],
    sensorStatus: [
      async () => (await good("partitionSensor.create")).body,
      { text: { status: "true" }, boolean: { status: true } },
    ],
    notShownAnswer: [
      async () => {
        const replies: unknown[] = [];
        for (const operation of Object.keys(unspecified)) replies.push(statusAndBody(await good(operation)));
        return replies;
      },
      {
        detailed: Object.values(unspecified).map((body) => [200, body]),
        object: Array(6).fill([200, {}]),
        empty: Array(6).fill([200, ""]),
        null: Array(6).fill([200, null]),
        done: Array(6).fill([200, { status: "done" }]),
        success: Array(6).fill([200, { status: "success" }]),
        "204": Array(6).fill([204, ""]),
      },
    ],
    storageLocation: [
      async () => (await get("/account")).body.storage_location,
      {
        defloc: "s3://analytics-logs/default",
        "final-slash": "s3://analytics-logs/default/",
        "without-scheme": "analytics-logs/default",
        "own-bucket": "s3://platform-accounts/1001",
      },
    ],
    roleRepeated: [
      async () => {
        const repeat = async (action: string) => {
          await put(`/groups/205/roles/301/${action}`, {});
          return (await put(`/groups/205/roles/301/${action}`, {})).status;
        };
        return [await repeat("assign"), await repeat("unassign")];
      },
      { done: [200, 200], refused: [409, 404] },
    ],
    policyView: [
      () => view(),
      {
        wrapped: { source_id: "501", source_type: "note", policy: [element] },
        "wrapped-text": { source_id: "501", source_type: "note", policy: JSON.stringify([element]) },
        "policy-only": { policy: [element] },
        array: [element],
        text: JSON.stringify([element]),
      },
    ],
    policyIdLists: [
      async () => (await view()).policy[0],
      { "as-set": element, filled: { ...element, condition: { svc_users: [], svc_groups: [203] } } },
    ],
    policyMissing: [
      async () => statusAndBody(await get("/object_policy/policy", { source_id: "502", source_type: "note" })),
      {
        usual: [200, { source_id: "502", source_type: "note", policy: [] }],
        array: [200, []],
        object: [200, {}],
        null: [200, null],
        empty: [200, ""],
        "404": [404, expect.anything()],
      },
    ],
    errorBody: [
      async () => statusAndBody(await add("nonsense")),
      {
        "error-object": [422, { error: { error_code: 422, error_message: expect.stringContaining("nonsense") } }],
        message: [422, { message: expect.stringContaining("nonsense") }],
        "error-text": [422, { error: expect.stringContaining("nonsense") }],
        "errors-list": [422, { errors: [{ message: expect.stringContaining("nonsense") }] }],
        "status-object": [422, { status: { status_code: 422, message: expect.stringContaining("nonsense") } }],
        text: [422, expect.stringMatching(/^ip_cidr: .*nonsense/)],
        html: [422, expect.stringMatching(/^<!DOCTYPE html>/)],
        empty: [422, ""],
      },
    ],
    refusalStatus: [
      async () => [statusAndBody(await add("nonsense")), (await get("/nowhere")).status],
      {
        own: [[422, expect.objectContaining({ error: expect.anything() })], 404],
        "200": [[200, { error: { error_code: 422, error_message: expect.anything() } }], 200],
        "200-whitelist": [[200, { status: { status_code: 422, message: expect.anything() } }], 404],
      },
    ],
  };
}
