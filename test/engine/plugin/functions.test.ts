import { afterEach, describe, expect, test } from "vitest";
import { fromStruct, toStruct } from "../../../provider/plugin/marshal";
import { messages } from "../../../provider/plugin/stubs";
import { sharedEmulator } from "../../harness/emulators";
import { PluginProcess, type Values, wireErrorOf } from "../../harness/plugin";

const emulator = sharedEmulator();
let plugin: PluginProcess;
afterEach(() => plugin.stop());

describe("functions", () => {
  async function invoke(name: string, args: Values, preview = false) {
    const request = new messages.InvokeRequest();
    request.setTok(`dataplatform:index:${name}`);
    request.setArgs(toStruct(args));
    request.setPreview(preview);
    const answer = await plugin.call<InstanceType<typeof messages.InvokeResponse>>("invoke", request);
    return { result: fromStruct(answer.getReturn()), failures: answer.getFailuresList().map((it) => it.toObject()) };
  }
  const command = { label: "default", spark: { sql: "select 1", language: "sql" } };

  async function ready(): Promise<void> {
    plugin = await PluginProcess.start();
    await plugin.handshake();
    await plugin.configure({ baseUrl: emulator.url, apiToken: emulator.tokens["admin"]! });
    emulator.clearRequests();
  }

  test("a reading function runs at preview too; a submitting one sends nothing then, and once otherwise", async () => {
    await ready();
    expect(await invoke("submitCommand", command, true)).toEqual({ result: {}, failures: [] });
    expect(emulator.requests().requests).toEqual([]);
    expect((await invoke("submitCommand", command)).result).toMatchObject({ id: expect.any(String) });
    expect(emulator.requests().counts).toEqual({ "commands.submit": 1 });
    expect((await invoke("getUsers", {}, true)).result).toHaveProperty("users");
  });

  test("a submitting function is rejected if the engine does not say whether it is a preview", async () => {
    await ready();
    await plugin.stop();
    plugin = await PluginProcess.start();
    await plugin.configure({ baseUrl: emulator.url, apiToken: emulator.tokens["admin"]! });
    const error = await wireErrorOf(invoke("submitCommand", command));
    expect(error.details).toContain("does not say whether this is a preview");
    expect(emulator.requests().requests).toEqual([]);
  });

  test("bad arguments are failures by name, and an unknown function is an error", async () => {
    await ready();
    expect((await invoke("getUsers", { includeToken: true })).failures).toEqual([
      { property: "includeToken", reason: expect.stringContaining("is not a known property") },
    ]);
    expect((await wireErrorOf(invoke("getNothing", {}))).details).toContain("unknown function");
  });
});
