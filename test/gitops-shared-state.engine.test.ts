import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../emulator";
import { type Database, startPostgres } from "./harness/postgres";
import { Team } from "./harness/team";

describe("two pipelines at once, with their state in PostgreSQL", () => {
  let database: Database;
  let emulator: Emulator;
  let team: Team;

  beforeAll(async () => {
    database = await startPostgres();
    emulator = await startEmulator();
    team = await Team.start(emulator, database.url);
  });
  afterAll(async () => {
    await emulator?.close();
    await team?.remove();
    database?.stop();
  });

  const addresses = () =>
    emulator
      .state()
      .accounts[0]!.whitelist.map(({ ip_cidr }) => ip_cidr)
      .sort();

  /** Whether a delayed call is in flight. */
  async function isCallInFlight(): Promise<boolean> {
    const { rules } = (await (await fetch(`${emulator.url}/_emulator/faults`)).json()) as {
      rules: [{ matched: number }];
    };
    return rules[0].matched > 0;
  }

  test("the second waits or fails with a clear message, and nothing is lost", async () => {
    expect((await team.pipeline("preview")).code).toBe(0);
    emulator.setFaults({ rules: [{ operation: "whitelist.add", kind: "latency", latencyMs: 30_000 }] });
    const first = team.pipeline("apply");
    while (!(await isCallInFlight())) await wait(200);
    emulator.clearFaults();

    const notWaiting = team.pipeline("repair", "main", { LOCK_SECONDS: "0" });
    const patient = team.pipeline("repair");
    expect(await notWaiting).toMatchObject({
      code: 1,
      report: expect.stringMatching(/another run holds it[\s\S]*the stack is currently locked by \d+ lock/),
    });
    expect(await first).toMatchObject({ code: 0, report: expect.stringContaining("5 created") });
    const second = await patient;
    expect(second, second.stdout + second.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("another run holds dev: waiting for it"),
      report: expect.stringMatching(/5 unchanged/),
    });
    expect(addresses()).toEqual(["2001:db8::7", "203.0.113.7"]);
  });

  test("a plan that was made before another was applied is refused; a new one continues from there", async () => {
    team.propose("home", (config) => config.replace("    vpn:", "    home: 192.0.2.44\n    vpn:"));
    team.merge("home");
    expect((await team.pipeline("preview")).code).toBe(0);
    // What it would become after both merges, previewed before the first is applied.
    team.propose("both", (config) => config.replace("    vpn:", "    branch: 192.0.2.45\n    vpn:"));
    expect((await team.pipeline("preview", "both")).report).toContain("**2 to create**");
    // main is still without "both".
    expect(await team.pipeline("apply")).toMatchObject({ code: 0, report: expect.stringContaining("1 created") });

    team.merge("both");
    expect(await team.pipeline("apply")).toMatchObject({
      code: 1,
      report: expect.stringMatching(/- stale: .*WhitelistedIp home is new/),
    });
    expect(await team.deploy()).toMatchObject({ code: 0, report: expect.stringContaining("1 created") });
    expect(addresses()).toEqual(["192.0.2.44", "192.0.2.45", "2001:db8::7", "203.0.113.7"]);
  });
});
