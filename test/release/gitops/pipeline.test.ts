import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newKeys } from "../../../cli/pipeline/keys";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { expectOk } from "../../harness/stacks";
import { step } from "../../harness/steps";
import { git, keys, program, sharedTeam, unchanged } from "../../harness/team";

const emulator = sharedEmulator();
const team = sharedTeam(emulator);

const entries = () => accountOf(emulator).whitelist;
const addresses = () =>
  entries()
    .map(({ ip_cidr }) => ip_cidr)
    .sort();

const place = "/_emulator/state/whitelist";

/** On an account that has addresses; while another run holds the stack: once without waiting for it, once until it is done. */
const deployed = step("the deployment of main", async () => {
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "198.51.100.70" });
  const { report } = await expectOk(team.preview());
  const gone = "− `198.51.100.70` (exclusive: on the platform, not declared)";
  expect(report).toContain(`**Login whitelist: + \`203.0.113.7\`, + \`2001:db8::7\`; ${gone}**`);
  const unlock = team.lock();
  const notWaiting = await team.apply({ env: { LOCK_SECONDS: "0" } });
  const patient = await team.apply({
    onOutput: (text) => (text.includes("another run holds dev") ? unlock() : undefined),
  });
  return { notWaiting, patient };
});

test("another run holds the stack: the second waits or fails with a clear message", async () => {
  const { notWaiting, patient } = await deployed();
  expect(notWaiting).toMatchObject({
    code: 1,
    report: expect.stringMatching(/another run holds it[\s\S]*the stack is currently locked by \d+ lock/),
  });
  expect(patient, patient.stdout + patient.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("another run holds dev: waiting for it"),
    report: expect.stringContaining("**Done: 3 of 3 changes of the plan**"),
  });
  expect(addresses()).toEqual(["2001:db8::7", "203.0.113.7"]);
});

describe("what must not reach the platform, and what came about without the pipeline", () => {
  test("a bad change is caught before the merge", async () => {
    await deployed();
    team.propose("bad", (config) => config.replace("2001:db8::7", "2001:db8::zz"));
    const preview = await team.preview("bad");
    expect(preview.code).toBe(1);
    expect(preview.report).toContain("- the preview failed: a merge would fail too");
    expect(preview.report).toContain("No plan was sealed.");
    expect(preview.report).toMatch(/- error at IpWhitelist logins: .*2001:db8::zz.* is not an IP address/);
  });

  test("a change behind our back is exit code 2; a repair reverts it, and brings nothing else; no drift is 0", async () => {
    await deployed();
    for (const { id } of entries()) await request(emulator, "DELETE", `${place}/${id}`);
    const drift = await team.pipeline("drift");
    expect(drift.code, drift.stdout + drift.stderr).toBe(2);
    expect(drift.report).toMatch(/1 gone[\s\S]*IpWhitelist `logins`/);
    expect(drift.report).toContain("dataplatform pipeline repair dev");
    expect(drift.report).not.toContain("pulumi up");
    expect(team.forge.issues.map(({ body }) => body)).toEqual([expect.stringContaining("Data platform drift")]);

    // Merged without a look at its preview: the guardrails forbid it to a repair, too.
    team.propose("wide", (config) => config.replace("203.0.113.7", "0.0.0.0/1"));
    team.merge("wide");
    const wide = await team.preview("main", { args: ["--repair"] });
    expect(wide.code).toBe(1);
    expect(wide.report).toMatch(
      /- mandatory whole-internet: IpWhitelist logins: addresses&#91;0&#93; is 0\.0\.0\.0\/1/,
    );
    team.propose("back", (config) => config.replace("0.0.0.0/1", "203.0.113.7"));
    team.merge("back");

    // What is merged and not deployed is not a repair's business.
    team.propose("more", (config) => config.replace("pyarrow", "polars"));
    team.merge("more");
    const repair = await expectOk(team.preview("main", { args: ["--repair"] }));
    expect(repair.report).toMatch(/^### Repair of `dev`\n\n\*\*1 to create\*\*\n/);
    expect(addresses()).toEqual([]);
    // It is not taken for the plan of the merge.
    expect((await team.pipeline("find")).report).toContain("- missing: there is no plan of dev");
    await expectOk(team.apply({ repair: true }));
    expect(addresses()).toEqual(["2001:db8::7", "203.0.113.7"]);
    expect(JSON.stringify(emulator.state())).not.toContain("polars");
    expect((await team.pipeline("drift")).code).toBe(0);
    const nothing = await team.preview("main", { args: ["--repair"] });
    expect(nothing.report).toContain("- nothing to do: nothing of dev has drifted");
  });

  test("a plan is of one account: a token of another neither seals nor applies", async () => {
    await deployed();
    team.propose("account", (config) => config.replace(/(?<=office: )\S+/, "192.0.2.97"));
    const other = { DATAPLATFORM_API_TOKEN: emulator.tokens["otherAdmin"]! };
    const unseen = await team.preview("account", { env: other });
    expect(unseen.report).toMatch(/- not verifiable: .*wrong account: the token for \S+ belongs to account 1002/);
    const sealed = await expectOk(team.preview("account"));
    expect(sealed.report).toContain("`account 1001 (Analytics)`");
    git(team.desk, "switch", "--quiet", "main");
    const [id] = /[0-9a-f]{64}/.exec(sealed.report)!;
    team.merge("account");
    const refused = await team.apply({ id, env: other });
    expect(refused.report).toContain(
      "- other account: the plan was sealed for account 1001 (Analytics), and the token",
    );
    expect(addresses()).toEqual(["2001:db8::7", "203.0.113.7"]);
  });

  test("a repair of a list that owns everything leaves what the program declares beside it", async () => {
    await deployed();
    const beside = 'new dataplatform.WhitelistedIp("beside", { ipCidr: "192.0.2.1" });\n';
    team.propose("beside", unchanged, { "index.ts": `${program}\n${beside}` });
    await expectOk(team.preview("beside"));
    team.merge("beside");
    await expectOk(team.apply());
    const all = addresses();
    const vpn = entries().find(({ ip_cidr }) => ip_cidr === "2001:db8::7")!;
    await request(emulator, "DELETE", `${place}/${vpn.id}`);
    const repair = await expectOk(team.preview("main", { args: ["--repair"] }));
    expect(repair.report).toContain("**Login whitelist: + `2001:db8::7`**");
    await expectOk(team.apply({ repair: true }));
    expect([all.length, addresses()]).toEqual([3, all]);
  });

  test("what cannot be checked is an error, not drift", async () => {
    await deployed();
    const refused = await team.pipeline("drift", { env: { DATAPLATFORM_API_TOKEN: "wrong" } });
    expect(refused.code).toBe(1);
    expect(refused.report, refused.stderr).toMatch(/[1-9] not readable/);
    const elsewhere = await team.pipeline("drift", { env: { PULUMI_BACKEND_URL: "file:///nowhere" } });
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.report).toContain("could not be checked");
  });
});

test("break glass: while the forge is down a desk deploys, and the pipeline goes on from there", async () => {
  await deployed();
  const spare = newKeys();
  const env = { DATAPLATFORM_VERIFY_KEY: `${keys.verify},${spare.verify}` };
  const address = "192.0.2.98";
  team.propose(address, (config) => config.replace(/(?<=office: )\S+/, address));
  const origin = git(team.desk, "remote", "get-url", "origin").trim();
  git(team.desk, "remote", "set-url", "origin", "/nowhere");
  const stray = join(team.desk, "stray.ts");
  writeFileSync(stray, "");
  const early = await team.atDesk("preview", env);
  expect(early, "without a preview").toMatchObject({
    code: 1,
    report: expect.stringMatching(/refused[\s\S]*commit first/),
  });
  expect(early.report).not.toContain("Access:");
  rmSync(stray);
  const preview = await expectOk(team.atDesk("preview", { ...env, DATAPLATFORM_SIGNING_KEY: spare.signing }));
  // An address changes nobody's access: there is no group to ask for.
  expect(preview.stdout).not.toContain("=NAME");
  const { stdout } = await expectOk(team.atDesk("find", env));
  await expectOk(team.atDesk("apply", env, "--plan", stdout.split("\n")[0]!));
  git(team.desk, "remote", "set-url", "origin", origin);
  expect(addresses()).toContain(address);
  const { report } = await expectOk(team.preview(address, { env }));
  expect(report).toMatch(/^### Preview of `dev`\n\nNo changes\.\n/);
  expect(report).toContain(`the last deployment of dev (tree ${team.tree(address).slice(0, 12)})`);
});
