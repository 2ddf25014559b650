import { expect, test } from "vitest";
import { rawText } from "../../../provider/api/answer";
import type { Client } from "../../../provider/api/client";
import { extendedOperations } from "../../../provider/api/extended-operations";
import { largestAnswerBytes } from "../../../provider/api/transport";
import { scriptedPlatform } from "./scripted-platform";

const { server, client } = scriptedPlatform();

const read = (bind: (client: Client) => Client = (one) => one): Promise<string> => {
  const api = client({ retries: 0, connections: 1, extendedApi: true });
  return bind(api).call(extendedOperations.commandLog, { path: { id: 7 }, answer: rawText });
};

test.each([
  "",
  " \n",
  "plain",
  '{"status":{"status_code":403}}',
  "<html></html>",
  '{"truncated',
  `${"[".repeat(5000)}`,
])("text is returned as it is: %j", async (body) => {
  server.script({ body });
  expect(await read()).toBe(body);
});

test("an error status is an error, whatever the text", async () => {
  server.script({ status: 404, body: { error: { error_code: 404, error_message: "no log" } } });
  await expect(read()).rejects.toMatchObject({ code: "not-found", platformMessage: "no log" });
});

test("text has the size limit of every response", async () => {
  server.script({ body: "x".repeat(largestAnswerBytes + 1) });
  await expect(read()).rejects.toMatchObject({ code: "answer-too-large" });
});

test("after a cancellation, a client can still send what must be sent, for a limited time", async () => {
  const stop = new AbortController();
  stop.abort();
  server.script({ body: "still read" });
  await expect(read((one) => one.withSignal(stop.signal))).rejects.toMatchObject({ code: "cancelled" });
  expect(await read((one) => one.withSignal(stop.signal).afterStop(5000))).toBe("still read");
  server.script({ body: "too late", delayMs: 500 });
  await expect(read((one) => one.afterStop(50))).rejects.toThrow("not done within 0.05 s");
});
