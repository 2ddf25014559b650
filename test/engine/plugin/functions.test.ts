import { beforeAll, beforeEach, expect, test } from "vitest";
import { fromStruct } from "../../../provider/plugin/marshal";
import { messages } from "../../../provider/plugin/stubs";
import { sharedEmulator } from "../../harness/emulators";
import { messageOf, PluginProcess, type Values, wireErrorOf } from "../../harness/plugin";
import { forTest, shared } from "../../harness/shared";

const emulator = sharedEmulator();
const settings = () => ({ baseUrl: emulator.url, apiToken: emulator.tokens["admin"]! });
const plugin = shared(() => PluginProcess.start());
beforeAll(async () => {
  await plugin.handshake();
  await plugin.configure(settings());
});
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
  await on.configure(settings());
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
