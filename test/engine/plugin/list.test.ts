import type { ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messages } from "../../../provider/plugin/stubs";
import { sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { messageOf, PluginProcess, wireErrorOf } from "../../harness/plugin";

type ListResponse = InstanceType<typeof messages.ListResponse>;

const addresses = Array.from({ length: 230 }, (_, index) => `10.7.${index >> 7}.${index & 127}`);
const emulator = sharedEmulator({ extended: true });
let plugin: PluginProcess;
beforeAll(async () => {
  for (const ip_cidr of addresses) await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr });
  for (const name of ["first", "second"])
    await request(emulator, "POST", "/api/v1.2/commands", {
      name,
      command_type: "SparkCommand",
      label: "default",
      sql: "select 1",
      language: "sql",
    });
  plugin = await PluginProcess.start({}, { attached: true });
});
afterAll(async () => {
  await plugin?.stop();
});

async function list(type: string, more: { limit?: number; pageSize?: number; continuationToken?: string } = {}) {
  const asked = messageOf(messages.ListRequest, { token: `dataplatform:index:${type}`, ...more });
  const stream = plugin.stream<ListResponse>("list", asked);
  const responses = await everythingOf(stream);
  return {
    found: responses.flatMap((response) => response.getResult()?.toObject() ?? []),
    continuation: responses.map((response) => response.getContinuation()?.getContinuationToken()).find(Boolean),
  };
}

function everythingOf(stream: ClientReadableStream<ListResponse>): Promise<ListResponse[]> {
  return new Promise((resolve, reject) => {
    const all: ListResponse[] = [];
    stream.on("data", (response: ListResponse) => all.push(response));
    stream.on("end", () => resolve(all));
    stream.on("error", (error: ServiceError) => reject(error));
  });
}

const configure = (extendedApi: string, token = "admin") =>
  plugin.configure({ baseUrl: emulator.url, apiToken: emulator.tokens[token]!, extendedApi });

test("pages of a long list join up to the whole, read once", async () => {
  await configure("false");
  const first = await list("WhitelistedIp");
  expect(first.found).toHaveLength(100);
  emulator.clearRequests();
  const second = await list("WhitelistedIp", { continuationToken: first.continuation! });
  const third = await list("WhitelistedIp", { continuationToken: second.continuation! });
  expect(third.continuation).toBeUndefined();
  const found = [first, second, third].flatMap((page) => page.found);
  expect(found.map(({ name }) => name)).toEqual(addresses);
  expect(new Set(found.map(({ id }) => id)).size).toBe(addresses.length);
  expect(emulator.requests().counts, "the first page has read everything").toEqual({});
});

test("an id can be imported", async () => {
  const { found } = await list("WhitelistedIp", { limit: 1 });
  expect((await plugin.read("WhitelistedIp", found[0]!.id)).inputs).toEqual({ ipCidr: addresses[0] });
});

test("a limit ends the list, and a size of pages is kept", async () => {
  expect(await list("WhitelistedIp", { limit: 3 })).toEqual({
    found: addresses.slice(0, 3).map((name) => ({ id: expect.any(String), name })),
    continuation: undefined,
  });
  const page = await list("WhitelistedIp", { limit: 7, pageSize: 5 });
  expect([page.found.length, page.continuation]).toEqual([5, "5"]);
});

test("a limit on commands reads no more of the history than it needs", async () => {
  emulator.clearRequests();
  const { found } = await list("Command", { limit: 1 });
  expect(found.map(({ name }) => name)).toEqual(["second"]);
  expect(emulator.requests().counts).toEqual({ "commands.history": 1 });
});

test.each([
  ["Account", [{ id: "1001", name: "Analytics" }]],
  ["EnabledUser", expect.arrayContaining([{ id: "101", name: "admin@analytics.example.com" }])],
])("%s is listed without the extended API", async (type, expected) => {
  expect((await list(type)).found).toEqual(expected);
});

test.each([
  ["Group", { id: "204", name: "analysts" }],
  ["Role", { id: "301", name: "analyst" }],
])("%s is listed with the extended API, without what no program can declare", async (type, expected) => {
  await configure("true");
  const { found } = await list(type);
  expect(found).toContainEqual(expected);
  expect(found.map(({ name }) => name)).not.toContain("system-admin");
});

test("a wrong token: what to check; only refresh, destroy and import, which do not run the program, name the last up", async () => {
  await plugin.configure({ baseUrl: emulator.url, apiToken: "no-such-token", extendedApi: "false" });
  const listed = await wireErrorOf(list("WhitelistedIp"));
  expect(listed.details).toMatch(
    /rejected the token \(401\).*; check dataplatform:apiToken, DATAPLATFORM_API_TOKEN, or apiToken of the provider that the resource has$/,
  );
  const read = await wireErrorOf(plugin.read("WhitelistedIp", "12"));
  expect(read.details).toMatch(
    /check dataplatform:apiToken, .*\. If the token is in .* refresh .*, destroy and import use that of the last "pulumi up": .*run "pulumi up" without --refresh first/,
  );
});

test("errors say what to do", async () => {
  await configure("false");
  expect((await wireErrorOf(list("DataStore"))).details).toContain(
    "cannot list DataStore: needs the extended API; set dataplatform:extendedApi to true",
  );
  expect((await wireErrorOf(list("Group"))).details).toContain("cannot list Group: needs the extended API");
  expect((await wireErrorOf(list("Folder"))).details).toContain("cannot list Folder: the API cannot list them");
  expect((await wireErrorOf(list("Nothing"))).details).toContain("unknown resource type");
  await configure("false", "powerless");
  expect((await wireErrorOf(list("EnabledUser"))).details).toContain(
    "cannot list EnabledUser: could not list the users: the token's user is not allowed to do this",
  );
});
