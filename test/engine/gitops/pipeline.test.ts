import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { root } from "../../harness/engine";
import { request } from "../../harness/http";
import { step } from "../../harness/steps";
import { Team } from "../../harness/team";

const example = join(root, "examples/gitops");
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

/** Each step is on top of the one before. */
const deployed = step("the deployment of main", async () => {
  const applied = await team.deploy();
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  return applied;
});
const proposed = step("the preview of the pull request", async () => {
  await deployed();
  team.propose("home", (config) =>
    config.replace("office: 203.0.113.7", "office: 203.0.113.8\n    home: 192.0.2.44").replace("pyarrow", "polars"),
  );
  const preview = await team.pipeline("preview", "home");
  expect(preview.code, preview.stdout + preview.stderr).toBe(0);
  return preview;
});
const merged = step("the deployment of the merge", async () => {
  await proposed();
  team.merge("home");
  const applied = await team.pipeline("apply");
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
});

describe("from a pull request to the platform, and back after drift", () => {
  test("main is deployed", async () => {
    expect((await deployed()).report).toContain("**Done: + 5 created**");
    expect(addresses()).toEqual(["2001:db8::7", "203.0.113.7"]);
  });

  test("a pull request shows what would change, and changes nothing", async () => {
    const { report } = await proposed();
    expect(report).toMatch(/^### Preview of `dev`\n\n\*\*1 to create, 1 to replace, 1 to change\*\*\n/);
    expect(report).toContain("| create | `WhitelistedIp` `home` | ipCidr: `192.0.2.44` |");
    expect(report).toContain("| replace | `WhitelistedIp` `office` | ipCidr: `203.0.113.7` → `203.0.113.8` |");
    expect(report).toMatch(/\| update \| `PackageSet` `packages` \| packages: `.*pyarrow.*` → `.*polars.*` \|/);
    expect(addresses()).toEqual(["2001:db8::7", "203.0.113.7"]);
  });

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
    await proposed();
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

  test("a merge deploys the change", async () => {
    await merged();
    expect(addresses()).toEqual(["192.0.2.44", "2001:db8::7", "203.0.113.8"]);
    expect(emulator.requests().requests.every(({ status }) => status === 200)).toBe(true);
  });

  test("a change behind our back is exit code 2; a repair reverts it; no drift is 0", async () => {
    await merged();
    const { id } = entries().find(({ ip_cidr }) => ip_cidr === "192.0.2.44")!;
    await request(emulator, "DELETE", `/_emulator/state/whitelist/${id}`);

    const drift = await team.pipeline("drift");
    expect(drift.code, drift.stdout + drift.stderr).toBe(2);
    expect(drift.report).toMatch(/1 gone[\s\S]*`WhitelistedIp` `home`/);
    expect(addresses()).not.toContain("192.0.2.44");

    const repair = await team.pipeline("repair");
    expect(repair.code, repair.stdout + repair.stderr).toBe(0);
    expect(addresses()).toContain("192.0.2.44");
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

describe("the workflows", () => {
  const folder = join(example, ".github/workflows");
  const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  const setup = readFileSync(join(example, ".github/actions/setup/action.yml"), "utf8");

  test.each([...workflows, ["setup", setup] as const])("%s pins its actions by commit", (_name, text) => {
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)].filter(([, what]) => !what!.startsWith("./"));
    expect(used.length).toBeGreaterThan(0);
    for (const [, what, version] of used) {
      expect(what).toMatch(/@[0-9a-f]{40}$/);
      expect(version).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
  });

  test.each(workflows)(
    "%s asks for minimal permissions, keeps no credentials, and only runs the script",
    (_name, text) => {
      expect(text).toMatch(/^permissions: \{\}$/m);
      expect(text).not.toMatch(/pull_request_target|write-all/);
      expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/actions\/checkout@/g)!.length);
      const runs = [...text.matchAll(/- run: (.*)/g)].map(([, command]) => command);
      expect(runs.every((command) => /^node ci\/pipeline\.mjs \w+ (dev|prod|"\$STACK")$/.test(command!))).toBe(true);
      // Values reach the shell as variables, never as script text.
      expect(runs.join()).not.toContain("${{");
    },
  );

  test("GitLab runs the same steps", () => {
    const text = readFileSync(join(example, ".gitlab-ci.yml"), "utf8");
    for (const step of ["preview", "apply", "drift", "repair"])
      expect(text).toContain(`node ci/pipeline.mjs ${step} "$STACK"`);
  });
});
