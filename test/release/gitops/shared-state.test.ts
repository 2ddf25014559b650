import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { fetchOnce } from "../../harness/http";
import { type Database, startPostgres } from "../../harness/postgres";
import { Team } from "../../harness/team";

describe("two pipelines at once, with their state in PostgreSQL", () => {
  let database: Database;
  let emulator: Emulator;
  let team: Team;

  beforeAll(async () => {
    database = await startPostgres();
    emulator = await startEmulator();
    team = await Team.start(emulator, database.url);
    await team.pipeline("preview");
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
    const { rules } = (await (await fetchOnce(`${emulator.url}/_emulator/faults`)).json()) as {
      rules: [{ matched: number }];
    };
    return rules[0].matched > 0;
  }

  test("the second waits or fails with a clear message, and nothing is lost", async () => {
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

  test("two plans are made, the second on top of the first", async () => {
    team.propose("home", (config) => config.replace("    vpn:", "    home: 192.0.2.44\n    vpn:"));
    team.merge("home");
    expect((await team.pipeline("preview")).report).toContain("**1 to create**");
    team.propose("branch", (config) => config.replace("    vpn:", "    branch: 192.0.2.45\n    vpn:"));
    // Its tree has both changes, and so has its plan, because the first is not applied yet.
    expect((await team.pipeline("preview", "branch")).report).toContain("**2 to create**");
  });

  test("when the first was applied, the second is refused", async () => {
    expect(await team.pipeline("apply")).toMatchObject({ code: 0, report: expect.stringContaining("1 created") });
    team.merge("branch");
    expect(await team.pipeline("apply")).toMatchObject({
      code: 1,
      report: expect.stringMatching(/- stale: .*WhitelistedIp home is new/),
    });
    expect(addresses()).toEqual(["192.0.2.44", "2001:db8::7", "203.0.113.7"]);
  });
});
