import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { rawText } from "../../../provider/api/answer";
import type { Client } from "../../../provider/api/client";
import { PlatformError, stopAfter } from "../../../provider/api/errors";
import { extendedOperations } from "../../../provider/api/extended-operations";
import { operations } from "../../../provider/api/operations";
import { scriptedPlatform, token } from "./scripted-platform";

const { server, client } = scriptedPlatform();

describe("the response as it came", () => {
  test.each([
    [200, "not JSON at all"],
    [404, '{"error":"gone"}'],
    [422, ""],
  ])("status %s with %j is not an error", async (status, body) => {
    server.script({ status, body, headers: { "content-type": "text/odd" } });
    const answer = await client({ retries: 2 }).exchange(operations.listUsers, {});
    expect(answer).toMatchObject({ status, text: body, contentType: "text/odd" });
    expect(server.received).toHaveLength(1);
  });

  test("is retried like any other request, and the last one counts", async () => {
    server.script({ status: 429 }, { status: 503 }, { status: 200 });
    expect(await client({ retries: 2 }).exchange(operations.listUsers, {})).toMatchObject({ status: 200 });
    server.script({ status: 502, body: "busy" });
    expect(await client({ retries: 2 }).exchange(operations.listUsers, {})).toMatchObject({
      status: 502,
      text: "busy",
    });
    expect(server.received).toHaveLength(3);
  });

  test("a request that must not be carried out twice is not sent twice", async () => {
    server.script({ status: 503 });
    expect(await client({ retries: 2 }).exchange(operations.createDataStore, { body: {} })).toMatchObject({
      status: 503,
    });
    expect(server.received).toHaveLength(1);
  });

  test("takes headers of its own", async () => {
    server.script({});
    await client({ retries: 2 }).exchange(operations.listUsers, { headers: { "accept-encoding": "gzip" } });
    expect(server.received[0]!.headers).toMatchObject({ "accept-encoding": "gzip", "x-auth-token": token });
  });
});

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

test("after a cancellation, a client can still send what must be sent, for a limited time", async () => {
  const stop = new AbortController();
  stop.abort();
  server.script({ body: "still read" });
  await expect(read((one) => one.withSignal(stop.signal))).rejects.toMatchObject({ code: "cancelled" });
  expect(await read((one) => one.withSignal(stop.signal).afterStop(5000))).toBe("still read");
  server.script({ body: "too late", delayMs: 500 });
  await expect(read((one) => one.afterStop(50))).rejects.toThrow("not done within 0.05 s");
});

test("what lingers after a cancellation ends with the reason of that", async () => {
  const ended = new AbortController();
  const lingering = stopAfter(10, ended.signal);
  ended.abort(new PlatformError("timed out after 4 s (customTimeouts.delete)", { code: "timeout" }));
  await once(lingering, "abort");
  expect(lingering.reason).toMatchObject({ message: "timed out after 4 s (customTimeouts.delete)" });
});
