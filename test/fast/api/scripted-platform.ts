import { Client } from "../../../provider/api/client";
import type { Settings } from "../../../provider/api/settings";
import { ScriptedServer } from "../../harness/scripted-server";
import { forTest, shared } from "../../harness/shared";

export const token = "token-of-the-client-test";

/** A scripted server for the tests of a file, and clients of it, each of which ends with its test. */
export function scriptedPlatform() {
  const server = shared(() => ScriptedServer.start());
  const usual = { apiToken: token, requestTimeoutSeconds: 5, retries: 3, connections: 4, requestsPerSecond: 0 };
  const client = (settings: Partial<Settings> = {}): Client => {
    const all = { baseUrl: server.url, extendedApi: false, ...usual, ...settings };
    return forTest(new Client(all, { firstDelayMs: 1, longestDelayMs: 4, patienceMs: 15 }));
  };
  return { server, client };
}
