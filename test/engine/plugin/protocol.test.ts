import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fromStruct } from "../../../provider/plugin/marshal";
import { Empty, messages } from "../../../provider/plugin/stubs";
import { sharedEmulator } from "../../harness/emulators";
import { grpc } from "../../harness/grpc";
import { request } from "../../harness/http";
import { messageOf, PluginProcess, urnOf, type Values, wireErrorOf } from "../../harness/plugin";
import { type ScriptedAnswer, ScriptedServer } from "../../harness/scripted-server";
import { plainSecret } from "../../harness/secret-values";
import { forTest } from "../../harness/shared";

/* What only the wire shows; lives in plugin mode show imports, whose log line is whose, and what is kept of a wait. */

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const { status } = grpc;
const store = { dbName: "sales", dbHost: "h", dbUser: "u", dbPasswd: "p" };

const emulator = sharedEmulator();
let plugin: PluginProcess;
const start = async (options = {}) => {
  plugin = await PluginProcess.start({}, options);
  await plugin.handshake();
};
const stop = () => plugin.stop();

const configured = (settings: Record<string, unknown> = {}) =>
  plugin.configure({ baseUrl: emulator.url, apiToken: emulator.tokens["admin"]!, ...settings });

async function scripted(answer: ScriptedAnswer, work: (server: ScriptedServer) => Promise<void>): Promise<void> {
  const server = await ScriptedServer.forTest();
  server.script(answer);
  await work(server);
}

describe("resources over the wire", () => {
  beforeAll(() => start());
  afterAll(stop);

  test("a previewed create only reads, and returns what is known", async () => {
    await configured();
    emulator.clearRequests();
    const { id, properties } = await plugin.create("WhitelistedIp", { ipCidr: "203.0.113.9" }, { preview: true });
    expect({ id, properties }).toEqual({
      id: "",
      properties: { ipCidr: "203.0.113.9", accountId: unknown, createdAt: unknown, updatedAt: unknown },
    });
    expect(emulator.requests().counts).toEqual({ "whitelist.list": 1 });
  });

  test("what the program must supply is said of an import, which is checked, and not of what is only read", async () => {
    await configured();
    const about = () => plugin.log.filter(({ message }) => message.includes("becomes the original policy"));
    await plugin.read("ObjectPolicy", "note/501");
    expect(about()).toEqual([]);
    const inputs = { sourceType: "note", sourceId: "501", policy: [] };
    for (const _ of [1, 2]) await plugin.check("ObjectPolicy", inputs);
    expect(about()).toEqual([expect.objectContaining({ urn: urnOf("ObjectPolicy") })]);
  });

  test("a previewed update returns the outputs that it cannot change", async () => {
    await configured();
    const [before, inputs] = [{ accountId: 1001, createdAt: "then", updatedAt: "then" }, { ipCidr: "203.0.113.9" }];
    const asked = {
      olds: { ...inputs, ...before },
      oldInputs: inputs,
      news: { ...inputs, adopt: true },
      preview: true,
    };
    const request = messageOf(messages.UpdateRequest, { urn: urnOf("WhitelistedIp"), id: "7", ...asked });
    const answer = await plugin.call<InstanceType<typeof messages.UpdateResponse>>("update", request);
    expect(answer.getProperties()!.toJavaScript()).toEqual({ ...inputs, ...before, adopt: true });
  });

  test("all of the engine's unknown values are recognised, whatever their type", async () => {
    await configured();
    for (const value of [unknown, "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"]) {
      const { failures, inputs } = await plugin.check("WhitelistedIp", { ipCidr: "203.0.113.9", adopt: value });
      expect(failures).toEqual([]);
      expect(inputs["adopt"]).toBe(unknown);
    }
  });

  test("diff says which property changes, and how", async () => {
    const request = messageOf(messages.DiffRequest, {
      urn: urnOf("WhitelistedIp"),
      id: "7",
      olds: { ipCidr: "203.0.113.9", accountId: 1001, __provider: "text of the other mode" },
      oldInputs: { ipCidr: "203.0.113.9" },
      news: { ipCidr: "203.0.113.10", adopt: true },
    });
    const { UPDATE_REPLACE, ADD } = messages.PropertyDiff.Kind;
    const answer = await plugin.call<InstanceType<typeof messages.DiffResponse>>("diff", request);
    expect(Object.fromEntries(answer.toObject().detaileddiffMap.map(([name, { kind }]) => [name, kind]))).toEqual({
      ipCidr: UPDATE_REPLACE,
      adopt: ADD,
    });
    expect(answer.getReplacesList()).toEqual(["ipCidr"]);
  });

  test("a definition's secrets are returned as secrets, even if the program did not mark them", async () => {
    const { inputs } = await plugin.check("DataStore", { ...store, dbPasswd: "geheim" });
    expect(inputs["dbPasswd"]).toEqual(plainSecret("geheim"));
  });

  test("a secret under a key with dots comes back marked", async () => {
    const mark = plainSecret("geheim");
    const { inputs } = await plugin.check("Command", {
      spark: { sql: "select 1" },
      triggers: { "app.version": mark, "app[0]": "1" },
    });
    expect(inputs["triggers"]).toEqual({ "app.version": mark, "app[0]": "1" });
  });
});

describe("functions over the wire", () => {
  beforeAll(async () => {
    await start();
    await configured();
  });
  afterAll(stop);
  beforeEach(() => emulator.clearRequests());

  async function invoke(name: string, args: Values, { preview = false, on = plugin } = {}) {
    const request = messageOf(messages.InvokeRequest, { tok: `dataplatform:index:${name}`, args, preview });
    const answer = await on.call<InstanceType<typeof messages.InvokeResponse>>("invoke", request);
    return { result: fromStruct(answer.getReturn()), failures: answer.getFailuresList().map((it) => it.toObject()) };
  }
  const command = { label: "default", spark: { sql: "select 1", language: "sql" } };

  test("a reading function runs at preview too; a submitting one sends nothing then, and once otherwise", async () => {
    expect(await invoke("submitCommand", command, { preview: true })).toEqual({ result: {}, failures: [] });
    expect(emulator.requests().requests).toEqual([]);
    expect((await invoke("submitCommand", command)).result).toMatchObject({ id: expect.any(String) });
    expect(emulator.requests().counts).toEqual({ "commands.submit": 1 });
    expect((await invoke("getUsers", {}, { preview: true })).result).toHaveProperty("users");
  });

  test("a submitting function is rejected if the engine does not say whether it is a preview", async () => {
    const on = forTest(await PluginProcess.start());
    await on.configure({ baseUrl: emulator.url, apiToken: emulator.tokens["admin"]! });
    const error = await wireErrorOf(invoke("submitCommand", command, { on }));
    expect(error.details).toContain("does not say whether this is a preview");
    expect(emulator.requests().requests).toEqual([]);
  });

  test("bad arguments are one failure that names them, and an unknown function is an error", async () => {
    expect((await invoke("getUsers", { includeToken: true, other: 1 })).failures).toEqual([
      { property: "getUsers", reason: expect.stringMatching(/^includeToken is not a known .*; other is not a known /) },
    ]);
    expect((await wireErrorOf(invoke("getNothing", {}))).details).toContain("unknown function");
  });
});

describe("errors have exact codes", () => {
  beforeAll(async () => {
    await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "203.0.113.31" });
    await start({ attached: true });
  });
  afterAll(stop);

  test("an operation before configure", async () => {
    const error = await wireErrorOf(plugin.create("WhitelistedIp", { ipCidr: "203.0.113.33" }));
    expect(error.code).toBe(status.FAILED_PRECONDITION);
  });

  const refusals: readonly [what: string, code: number, settings: Record<string, unknown>, ipCidr?: string][] = [
    ["a wrong token", status.UNAUTHENTICATED, { apiToken: "wrong" }],
    ["a token without the permission", status.PERMISSION_DENIED, { apiToken: "analytics-powerless" }],
    ["an address that is listed already", status.ALREADY_EXISTS, {}, "203.0.113.31"],
    ["a platform that cannot be reached", status.UNAVAILABLE, { baseUrl: "http://127.0.0.1:9", retries: 0 }],
    ["bad input that was not checked", status.INVALID_ARGUMENT, {}, "no address"],
  ];
  test.each(refusals)("%s", async (_, code, settings, ipCidr = "203.0.113.30") => {
    await configured(settings);
    const error = await wireErrorOf(plugin.create("WhitelistedIp", { ipCidr }));
    expect(error.code).toBe(code);
    expect(error.details).toContain("cannot create WhitelistedIp");
  });

  test("a malformed request is rejected and does not stop the plugin", async () => {
    await configured();
    const refusedFor = (why: string) => ({ code: status.INVALID_ARGUMENT, details: expect.stringContaining(why) });
    const nothing = await wireErrorOf(plugin.call("create", new messages.CreateRequest()));
    expect(nothing).toMatchObject(refusedFor("unknown resource type"));
    const unheardOf = await wireErrorOf(plugin.check("Unheard", {}));
    expect(unheardOf).toMatchObject(refusedFor('unknown resource type "dataplatform:index:Unheard"'));
    const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "x" };
    const refused = await wireErrorOf(plugin.check("WhitelistedIp", { ipCidr: asset }));
    expect(refused).toMatchObject(refusedFor("ipCidr is an asset"));
    expect((await plugin.check("WhitelistedIp", {})).failures).toEqual([{ property: "ipCidr", reason: "is required" }]);
  });

  test("a POST whose answer was lost: the engine records that the outcome is unknown", async () => {
    await scripted({ status: 500, body: {} }, async (server) => {
      await plugin.configure({ baseUrl: server.url, apiToken: "token", retries: 0 });
      const error = await wireErrorOf(plugin.create("DataStore", store));
      expect(error.code).toBe(status.UNKNOWN);
      expect(error.details).toContain("its outcome is unknown");
    });
  });
});

describe("shutdown", () => {
  beforeEach(() => start());
  afterEach(stop);

  test.each([
    ["cancel ends a retry wait at once", () => plugin.call("cancel", new Empty())],
    ["calls in flight are answered before the plugin exits", async () => expect(await plugin.interrupt()).toBe(0)],
  ])("%s", (_, end) =>
    scripted({ status: 503, headers: { "retry-after": "60" } }, async (server) => {
      await plugin.configure({ baseUrl: server.url, apiToken: "token" });
      const failing = wireErrorOf(plugin.create("WhitelistedIp", { ipCidr: "203.0.113.40" }));
      while (server.received.length === 0) await sleep(10);
      await end();
      expect((await failing).code).toBe(status.CANCELLED);
    }),
  );

  test.each([
    { type: "WhitelistedIp", inputs: { ipCidr: "203.0.113.41" } },
    { type: "DataStore", inputs: store },
  ])("customTimeouts end a wait of $type, and the error names them", ({ type, inputs }) =>
    scripted({ status: 429, headers: { "retry-after": "60" } }, async (server) => {
      await plugin.configure({ baseUrl: server.url, apiToken: "token" });
      const error = await wireErrorOf(plugin.create(type, inputs, { timeout: 0.2 }));
      expect(error.code).toBe(status.CANCELLED);
      expect(error.details).toContain("timed out after 0.2 s (customTimeouts.create); raise it there");
    }),
  );

  test("the plugin exits when the engine disappears", async () => {
    await configured();
    expect(await plugin.abandon()).toBe(0);
  });
});
