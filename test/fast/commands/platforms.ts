import type { Emulator } from "../../../emulator";
import { command } from "../../../provider/resources/command";
import { freshEmulator, refusal } from "../../harness/emulators";
import { request } from "../../harness/http";
import { failureOf, inProcess } from "../../harness/in-process";

const options = { clock: "manual", waitSeconds: 5, runSeconds: 10, readings: { cancelSeconds: 0 } } as const;

/** Platforms with the extended API, with all of it but the status of a command, and without it; their clocks stand still. */
export const startPlatforms = () => ({
  emulator: freshEmulator({ ...options, extended: true }),
  half: freshEmulator({ ...options, extended: ["commands.cancel", "commands.logs", "commands.errorLogs"] }),
  none: freshEmulator(options),
});

export const spark = { spark: { sql: "select 1" } };
export const on = (platform: Emulator, more = {}) => inProcess(command, platform, { extended: true, ...more });
export const countsOf = (platform: Emulator) => platform.requests().counts;
export const statusOf = (id: string, platform: Emulator): string | undefined => {
  const found = platform.state().accounts.flatMap(({ commands }) => commands.filter((one) => String(one.id) === id))[0];
  return found?.plan.cancelAt === undefined ? "not killed" : "killed";
};
export const notFound = refusal("not here", 404);

export function outcome(match: object, wanted: string, platform: Emulator): Promise<void> {
  return request(platform, "POST", "/_emulator/commands/outcome", { match, outcome: wanted });
}

/** Advances the clock once that many commands have been submitted, or asked for the like. */
export async function once(
  seconds: number,
  platform: Emulator,
  operation = "commands.submit",
  times = 1,
): Promise<void> {
  while ((countsOf(platform)[operation] ?? 0) < times) await new Promise((done) => setTimeout(done, 10));
  platform.advance(seconds);
}

/** A command that is waited for in a run that is cancelled right after it was submitted: what the state keeps, and why. */
export async function cancelled(
  platform: Emulator,
  wait: unknown,
  lifeIn: (signal: AbortSignal) => ReturnType<typeof on>,
) {
  const stop = new AbortController();
  const made = failureOf(lifeIn(stop.signal).life.create({ ...spark, wait }));
  await once(0, platform);
  setTimeout(() => stop.abort(), 50);
  return made;
}
