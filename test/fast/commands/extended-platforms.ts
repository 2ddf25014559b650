import type { Emulator } from "../../../emulator";
import { command } from "../../../provider/resources/command";
import { freshEmulator, refusal } from "../../harness/emulators";
import { request } from "../../harness/http";
import { inProcess } from "../../harness/in-process";

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

/** Advances the clock once a command has been submitted. */
export async function once(seconds: number, platform: Emulator): Promise<void> {
  while (!countsOf(platform)["commands.submit"]) await new Promise((done) => setTimeout(done, 10));
  platform.advance(seconds);
}
