import { afterEach, expect, test } from "vitest";
import { rawText } from "../../../provider/api/answer";
import { Client } from "../../../provider/api/client";
import { extendedOperations } from "../../../provider/api/extended-operations";
import { ScriptedServer } from "../../harness/scripted-server";
import { shared } from "../../harness/shared";

const server = shared(() => ScriptedServer.start());
let client: Client;
afterEach(() => client.close());

const read = (bind: (client: Client) => Client = (one) => one): Promise<string> => {
  const settings = { baseUrl: server.url, apiToken: "t", requestTimeoutSeconds: 5, retries: 0, connections: 1 };
  client = new Client({ ...settings, requestsPerSecond: 0, extendedApi: true });
  return bind(client).call(extendedOperations.commandLog, { path: { id: 7 }, answer: rawText });
};

test("after a cancellation, a client can still send what must be sent, for a limited time", async () => {
  const stop = new AbortController();
  stop.abort();
  server.script({ body: "still read" });
  await expect(read((one) => one.withSignal(stop.signal))).rejects.toMatchObject({ code: "cancelled" });
  expect(await read((one) => one.withSignal(stop.signal).afterStop(5000))).toBe("still read");
  server.script({ body: "too late", delayMs: 500 });
  await expect(read((one) => one.afterStop(50))).rejects.toThrow("not done within 0.05 s");
});
