import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { PartialFailure } from "../../../provider/core/guard";
import { command } from "../../../provider/resources/command";
import { request } from "../../harness/http";
import { inProcess } from "../../harness/in-process";

/** Platforms with the extended API, with part of it and without it, whose clocks stand still. */
export let emulator: Emulator;
export let half: Emulator;
export let none: Emulator;

/** Without the status of a command. */
const part = ["commands.cancel", "commands.logs", "commands.errorLogs"];

export function startPlatforms(): void {
  beforeAll(async () => {
    const options = { clock: "manual", waitSeconds: 5, runSeconds: 10, readings: { cancelSeconds: 0 } } as const;
    emulator = await startEmulator({ ...options, extended: true });
    half = await startEmulator({ ...options, extended: part });
    none = await startEmulator(options);
  });
  beforeEach(() => {
    for (const one of [emulator, half, none]) {
      one.reset();
      one.clearFaults();
      one.clearRequests();
    }
  });
  afterAll(() => Promise.all([emulator.close(), half.close(), none.close()]));
}

export const spark = { spark: { sql: "select 1" } };
export const on = (platform = emulator, options = {}) => inProcess(command, platform, { extended: true, ...options });
export const countsOf = (platform = emulator) => platform.requests().counts;
export const statusOf = (id: string, platform = emulator): string | undefined => {
  const found = platform.state().accounts.flatMap(({ commands }) => commands.filter((one) => String(one.id) === id))[0];
  return found?.plan.cancelAt === undefined ? "not killed" : "killed";
};
export const respond = (operation: string, status: number, body: unknown, more = {}) => ({
  rules: [{ operation, kind: "respond" as const, status, body, ...more }],
});
export const notFound = { error: { error_code: 404, error_message: "not here" } };

export function outcome(match: object, wanted: string, platform = emulator): Promise<void> {
  return request(platform, "POST", "/_emulator/commands/outcome", { match, outcome: wanted });
}

export async function failureOf(work: Promise<unknown>): Promise<PartialFailure> {
  const error = await work.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(PartialFailure);
  return error as PartialFailure;
}

export async function once(seconds: number, platform = emulator): Promise<void> {
  while (!countsOf(platform)["commands.submit"]) await new Promise((done) => setTimeout(done, 10));
  platform.advance(seconds);
}
