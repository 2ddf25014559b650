import { expect, test } from "vitest";
import { z } from "zod";
import type { Client } from "../../../provider/api/client";
import { PlatformError } from "../../../provider/api/errors";
import { operations } from "../../../provider/api/operations";
import { scriptedPlatform } from "./scripted-platform";

const anything = z.looseObject({});
const body = { ip_cidr: "203.0.113.7" };
const { server, client: open } = scriptedPlatform();

function stoppable() {
  const abort = new AbortController();
  const client = open();
  return { abort, client, bound: client.withSignal(abort.signal) };
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
  const { abort, client, bound } = stoppable();
  const make = (api: Client) => api;
  expect(bound.shared(make)).toBe(client);
  expect(client.withSignal(new AbortController().signal).shared(make)).toBe(client);
  abort.abort();
  await expect(bound.shared(make).call(operations.listUsers, { answer: anything })).resolves.toEqual({ users: [] });
});

test("a cancelled caller stops waiting for its turn, and was never sent", async () => {
  server.script({});
  const client = open({ requestsPerSecond: 0.001 });
  await client.call(operations.listUsers, { answer: anything });
  const abort = new AbortController();
  const waiting = client.withSignal(abort.signal).call(operations.enableUser, { body: {}, answer: anything });
  setTimeout(() => abort.abort(), 20);
  await expect(waiting).rejects.toMatchObject({ code: "cancelled", outcome: "not-sent" });
  expect(server.received).toHaveLength(1);
});
