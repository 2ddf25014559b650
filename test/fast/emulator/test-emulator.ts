import { beforeEach } from "vitest";
import type { Emulator, EmulatorOptions } from "../../../emulator";
import { freshEmulator } from "../../harness/emulators";
import { type Call, control, dataStore, type Reply, send } from "./calls";

const below = (path: string) => (path.startsWith("/api/") ? path : `/api/v1.2${path}`);

/** Calls of a running emulator, as one of its users. A path is below /api/v1.2 unless it starts with /api/. */
function client(emulator: Emulator) {
  const call =
    (method: Call["method"]) =>
    (path: string, body?: unknown, alias = "admin"): Promise<Reply> =>
      send(emulator.url, emulator.tokens[alias] ?? alias, { method, path: below(path), body });
  const [get, post, put, remove] = [call("GET"), call("POST"), call("PUT"), call("DELETE")];
  return {
    get,
    post,
    put,
    remove,
    as: (alias: string, wanted: Call) => send(emulator.url, emulator.tokens[alias] ?? alias, wanted),
    control: (method: Call["method"], path: string, body?: unknown) => control(emulator.url, method, path, body),
    addDataStore: async (more: object = {}): Promise<number> =>
      (await post("/db_taps", { ...dataStore, ...more })).body.id,
    account: (id = 1001) => emulator.state({ secrets: true, account: id }).accounts[0]!,
  };
}

/** An emulator for the tests of one file, as new (and prepared) before each of them; and calls of it. */
export function testEmulator(options: EmulatorOptions = {}, prepare: (emulator: Emulator) => unknown = () => {}) {
  const emulator = freshEmulator(options);
  beforeEach(() => prepare(emulator));
  return { emulator, ...client(emulator) };
}
