import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { z } from "zod";
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

/* Cancellation. */

const anything = z.looseObject({});
const body = { ip_cidr: "203.0.113.7" };

function stoppable() {
  const abort = new AbortController();
  const whole = client();
  return { abort, whole, bound: whole.withSignal(abort.signal) };
}

test("aborting ends the wait between retries at once, with the abort reason", async () => {
  server.script({ status: 429, headers: { "retry-after": "30" } });
  const { abort, bound } = stoppable();
  const call = bound.call(operations.addWhitelistedIp, { body, answer: anything }).catch((error: unknown) => error);
  setTimeout(() => abort.abort(new PlatformError("took longer than 1 s", { code: "cancelled" })), 50);
  const error = (await call) as PlatformError;
  expect(error).toMatchObject({ code: "cancelled", outcome: "refused" });
  expect(error.message).toMatch(/^took longer than 1 s; before that: could not add a whitelisted IP: .*throttling/);
  expect(server.received).toHaveLength(1);
});

test("a write in flight is awaited, because its result must be recorded", async () => {
  server.script({ delayMs: 200, body: { made: true } });
  const { abort, bound } = stoppable();
  const call = bound.call(operations.addWhitelistedIp, { body, answer: anything });
  setTimeout(() => abort.abort(), 50);
  expect(await call).toEqual({ made: true });
});

test("a shared read is shared by all views of a client, and survives the caller that started it", async () => {
  server.script({ delayMs: 100, body: { users: [] } });
  const { abort, whole, bound } = stoppable();
  const make = (api: Client) => api;
  expect(bound.shared(make)).toBe(whole);
  expect(whole.withSignal(new AbortController().signal).shared(make)).toBe(whole);
  abort.abort();
  await expect(bound.shared(make).call(operations.listUsers, { answer: anything })).resolves.toEqual({ users: [] });
});

test("a cancelled caller stops waiting for its turn, and was never sent", async () => {
  server.script({});
  const slow = client({ requestsPerSecond: 0.001 });
  await slow.call(operations.listUsers, { answer: anything });
  const abort = new AbortController();
  const waiting = slow.withSignal(abort.signal).call(operations.enableUser, { body: {}, answer: anything });
  setTimeout(() => abort.abort(), 20);
  await expect(waiting).rejects.toMatchObject({ code: "cancelled", outcome: "not-sent" });
  expect(server.received).toHaveLength(1);
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
