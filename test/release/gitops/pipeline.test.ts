import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { request } from "../../harness/http";
import { step } from "../../harness/steps";
import { Team } from "../../harness/team";

let emulator: Emulator;
let team: Team;

beforeAll(async () => {
  emulator = await startEmulator();
  team = await Team.start(emulator);
});
afterAll(async () => {
  await emulator?.close();
  await team?.remove();
});

const entries = () => emulator.state().accounts[0]!.whitelist;
const addresses = () =>
  entries()
    .map(({ ip_cidr }) => ip_cidr)
    .sort();

const deployed = step("the deployment of main", async () => {
  const applied = await team.deploy();
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
});

describe("what must not reach the platform, and what came about without the pipeline", () => {
  test("a bad change is caught before the merge", async () => {
    await deployed();
    team.propose("bad", (config) => config.replace("2001:db8::7", "2001:db8::zz"));
    const preview = await team.pipeline("preview", "bad");
    expect(preview.code).toBe(1);
    expect(preview.report).toContain("The preview failed");
    expect(preview.report).toContain("No plan was saved: the preview failed.");
    expect(preview.report).toMatch(/- error at `vpn`: .*'?2001:db8::zz.* is not an IP address/);
  });

  test("so is what the guardrails forbid, and it is not deployed either", async () => {
    await deployed();
    team.propose("wide", (config) => config.replace("203.0.113.7", "0.0.0.0/1"));
    const preview = await team.pipeline("preview", "wide");
    expect(preview.code).toBe(1);
    expect(preview.report).toContain("**Guardrails: 1 mandatory violated, 2 advisory**");
    expect(preview.report).toContain("- mandatory `whole-internet`: WhitelistedIp office: ipCidr is 0.0.0.0/1");

    team.merge("wide");
    const refused = await team.pipeline("apply");
    team.propose("back", (config) => config.replace("0.0.0.0/1", "203.0.113.7"));
    team.merge("back");
    expect(refused.code).toBe(1);
    expect(refused.report).toContain(`- missing: there is no plan of dev for commit `);
    expect(addresses()).toEqual(["2001:db8::7", "203.0.113.7"]);
  });

  test("a change behind our back is exit code 2; a repair reverts it; no drift is 0", async () => {
    await deployed();
    const { id } = entries().find(({ ip_cidr }) => ip_cidr === "2001:db8::7")!;
    await request(emulator, "DELETE", `/_emulator/state/whitelist/${id}`);

    const drift = await team.pipeline("drift");
    expect(drift.code, drift.stdout + drift.stderr).toBe(2);
    expect(drift.report).toMatch(/1 gone[\s\S]*`WhitelistedIp` `vpn`/);
    expect(addresses()).not.toContain("2001:db8::7");

    const repair = await team.pipeline("repair");
    expect(repair.code, repair.stdout + repair.stderr).toBe(0);
    expect(addresses()).toContain("2001:db8::7");
    expect((await team.pipeline("drift")).code).toBe(0);
  });

  test("what cannot be checked is an error, not drift; wrong usage prints the usage", async () => {
    await deployed();
    const refused = await team.pipeline("drift", "main", { DATAPLATFORM_API_TOKEN: "wrong" });
    expect(refused.code).toBe(1);
    expect(refused.report, refused.stderr).toMatch(/\| not readable \| [1-9]/);
    const elsewhere = await team.pipeline("drift", "main", { PULUMI_BACKEND_URL: "file:///nowhere" });
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.report).toContain("could not be checked");
    const wrong = await team.pipeline("fly");
    expect(wrong).toMatchObject({
      code: 1,
      stderr: "usage: node ci/pipeline.mjs <preview|apply|drift|repair> <stack>\n",
    });
  });
});
