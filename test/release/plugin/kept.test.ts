import { createRequire } from "node:module";
import { join } from "node:path";
import { queryObjects } from "node:v8";
import type { Client } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromPulumi } from "../../../provider/engine/stubs";
import { messages } from "../../../provider/plugin/stubs";
import { sharedEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { grpc } from "../../harness/grpc";
import { messageOf, urnOf } from "../../harness/plugin";

/** As compiled: the plugin loads definitions by the names of their files. */
const compiled = createRequire(join(root, "dist/provider/plugin/server.js"));
const { serve } = compiled("./server") as typeof import("../../../provider/plugin/server");
const { EngineLog } = compiled("../engine/log") as typeof import("../../../provider/engine/log");
const { Lifecycle } = compiled("../core/lifecycle") as typeof import("../../../provider/core/lifecycle");
const { WhitelistListing } = compiled(
  "../platform/whitelist-listing",
) as typeof import("../../../provider/platform/whitelist-listing");

const { ResourceProviderClient } = fromPulumi("./proto/provider_grpc_pb.js") as {
  ResourceProviderClient: new (address: string, credentials: object) => Client;
};
type Call = (request: object, done: (error: Error | null, answer: { getId(): string }) => void) => void;

const emulator = sharedEmulator();
let client: Client;
beforeAll(async () => {
  const { port } = await serve(new EngineLog(undefined));
  client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const args = { baseUrl: emulator.url, apiToken: emulator.tokens["admin"]! };
  await call("configure", messageOf(messages.ConfigureRequest, { args }));
});
afterAll(async () => {
  client.close();
});

function call(method: string, request: object) {
  const methods = client as unknown as Record<string, Call>;
  return new Promise<{ getId(): string }>((resolve, reject) =>
    methods[method]!.call(client, request, (error, answer) => (error ? reject(error) : resolve(answer))),
  );
}

async function create(index: number): Promise<void> {
  const urn = urnOf("WhitelistedIp", `ip-${index}`);
  const properties = { ipCidr: `10.9.${index >> 8}.${index & 255}` };
  await call("check", messageOf(messages.CheckRequest, { urn, news: properties }));
  // A time limit, so that its signal and its timer count too.
  await call("create", messageOf(messages.CreateRequest, { urn, properties, timeout: 3600 }));
}

/** As many at a time as an engine's workers. */
async function createAll(from: number, to: number): Promise<void> {
  let next = from;
  const work = async () => {
    while (next < to) await create(next++);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

/** Of what calls make: how many are still there after a garbage collection. */
function kept() {
  const count = (kind: new (...args: never[]) => object) => queryObjects(kind as never, { format: "count" });
  return {
    operations: count(Lifecycle as never),
    lists: count(WhitelistListing as never),
    promises: count(Promise as never),
    signals: count(AbortSignal as never),
  };
}

test("what the plugin keeps of its calls does not grow with their number", async () => {
  await createAll(0, 50);
  const before = kept();
  await createAll(50, 450);
  const after = kept();
  expect(after.operations).toBeLessThanOrEqual(before.operations + 8);
  expect(after.lists).toBeLessThanOrEqual(before.lists + 1);
  // 400 more resources, each with dozens of promises and several signals. Each of the eight workers' sockets keeps about
  // twenty until it is at rest, so what would grow is one or more of every resource.
  expect(after.promises - before.promises).toBeLessThan(200);
  expect(after.signals - before.signals).toBeLessThan(200);
});
