import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { request } from "../../harness/http";
import { step } from "../../harness/steps";
import { Team } from "../../harness/team";
import { GoBetween } from "../../sweep/chaos/go-between";

let emulator: Emulator;
let between: GoBetween;
let team: Team;

beforeAll(async () => {
  emulator = await startEmulator();
  between = await GoBetween.start(emulator.url);
  team = await Team.start({ url: between.url, tokens: emulator.tokens });
});
afterAll(async () => {
  await team?.remove();
  await between?.stop();
  await emulator?.close();
});

const entries = () => emulator.state().accounts[0]!.whitelist;
const addresses = () =>
  entries()
    .map(({ ip_cidr }) => ip_cidr)
    .sort();

/** By two pipelines at once, and one that does not wait. */
const deployed = step("the deployment of main", async () => {
  expect((await team.pipeline("preview")).code).toBe(0);
  // The first run stays in the middle of its work until the others have met it.
  let resume = (): void => undefined;
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    between.reset(async ({ method, text }) => {
      if (method === "GET") return text;
      resolve();
      await resumed;
      return text;
    });
  });
  const first = team.pipeline("apply", "main", { DATAPLATFORM_REQUEST_TIMEOUT_SECONDS: "600" });
  await Promise.race([reached, first]);
  const patient = team.pipeline("repair");
  const notWaiting = await team.pipeline("repair", "main", { LOCK_SECONDS: "0" });
  resume();
  return { notWaiting, first: await first, second: await patient };
});

test("two pipelines at once: the second waits or fails with a clear message", async () => {
  const { notWaiting, first, second } = await deployed();
  expect(notWaiting).toMatchObject({
    code: 1,
    report: expect.stringMatching(/another run holds it[\s\S]*the stack is currently locked by \d+ lock/),
  });
  expect(first).toMatchObject({ code: 0, report: expect.stringContaining("5 created") });
  expect(second, second.stdout + second.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("another run holds dev: waiting for it"),
    report: expect.stringMatching(/5 unchanged/),
  });
  expect(addresses()).toEqual(["2001:db8::7", "203.0.113.7"]);
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
      stderr: expect.stringContaining('the step is "fly"; use one of preview, apply, drift, repair'),
    });
  });
});
