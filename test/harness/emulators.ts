import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";
import { shared } from "./shared";

/** One emulator for the tests of a file, each of which finds it as new. To be called where tests are declared. */
export function freshEmulator(options: EmulatorOptions = {}): Emulator {
  const emulator = {} as Emulator;
  beforeAll(async () => void Object.assign(emulator, await startEmulator(options)));
  beforeEach(() => emulator.reset());
  afterAll(() => emulator.close());
  return emulator;
}

/** An emulator for one test: of another kind than that of the file, or beside it. */
export async function ownEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

/** One emulator for the tests of a file or of a `describe`, which build on each other. */
export const sharedEmulator = (options: EmulatorOptions = {}): Emulator => shared(() => startEmulator(options));

/** What an account has on the platform, unmasked. */
export const accountOf = (emulator: Emulator, account = 1001) =>
  emulator.state({ secrets: true }).accounts.find(({ id }) => id === account)!;

export const addressesOf = (emulator: Emulator, account = 1001): string[] =>
  accountOf(emulator, account).whitelist.map(({ ip_cidr }) => ip_cidr);

export const writesTo = (emulator: Emulator): string[] =>
  emulator.requests(1000).requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));

/** What these operations are made to answer from now on; all others do their work. */
export const answers = (on: Emulator, operation: string | string[], status: number, body: unknown = {}, more = {}) =>
  on.setFaults({ rules: [{ operation, kind: "respond", status, body, ...more }] });

/** The body of a refusal. */
export const refusal = (error_message: string, error_code = 422) => ({ error: { error_code, error_message } });
