import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { newKeys } from "../../../cli/pipeline/keys";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { expectOk, story } from "../../harness/stacks";
import { git, keys, program, sharedTeam, unchanged } from "../../harness/team";

const emulator = sharedEmulator();
const team = sharedTeam(emulator);

const entries = () => accountOf(emulator).whitelist;
const addresses = () =>
  entries()
    .map(({ ip_cidr }) => ip_cidr)
    .sort();

const place = "/_emulator/state/whitelist";
const all = ["192.0.2.1", "2001:db8::7", "203.0.113.7"];

/** As a desk signs while the forge is down. */
const spare = newKeys();
const env = { DATAPLATFORM_VERIFY_KEY: `${keys.verify},${spare.verify}` };

const chapter = story();

chapter(
  "the first deployment, on an account that has addresses: what it removes, grants, and is compared with",
  async () => {
    await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "198.51.100.70" });
    const beside = 'new dataplatform.WhitelistedIp("beside", { ipCidr: "192.0.2.1" });\n';
    team.propose("beside", unchanged, { "index.ts": `${program}\n${beside}` });
    team.merge("beside");
    const { report } = await expectOk(team.preview("main", { args: ["--group", "204=analysts"] }));
    const gone = "− `198.51.100.70` (exclusive: on the platform, not declared)";
    expect(report).toContain(`**Login whitelist: + \`203.0.113.7\`, + \`2001:db8::7\`, + \`192.0.2.1\`; ${gone}**`);
    expect(team.forge.comments.at(-1)!.body, "the name that --group gives").toContain("group 204 (analysts) gain read");
    expect(report).toContain("Compared with nothing earlier, as this pipeline has not deployed dev.");
  },
);

chapter("a plan is of one account: a token of another does not apply it", async () => {
  const refused = await team.apply({ env: { DATAPLATFORM_API_TOKEN: emulator.tokens["otherAdmin"]! } });
  expect(refused.report).toContain("- other account: the plan was sealed for account 1001 (Analytics), and the token");
});

chapter("another run holds the stack: the second waits or fails with a clear message", async () => {
  const unlock = team.lock();
  expect(await team.apply({ env: { LOCK_SECONDS: "0" } })).toMatchObject({
    code: 1,
    report: expect.stringMatching(/another run holds it[\s\S]*the stack is currently locked by \d+ lock/),
  });
  const patient = await team.apply({
    onOutput: (text) => (text.includes("another run holds dev") ? unlock() : undefined),
  });
  expect(patient, patient.stdout + patient.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("another run holds dev: waiting for it"),
    report: expect.stringContaining("**Done: 4 of 4 changes of the plan**"),
  });
  expect(addresses()).toEqual(all);
});

chapter("a bad change is caught before the merge", async () => {
  team.propose("bad", (config) => config.replace("2001:db8::7", "2001:db8::zz"));
  const preview = await team.preview("bad");
  expect(preview.code).toBe(1);
  expect(preview.report).toContain("- the preview failed: a merge would fail too");
  expect(preview.report).toContain("No plan was sealed.");
  expect(preview.report).toMatch(/- error at IpWhitelist logins: .*2001:db8::zz.* is not an IP address/);
});

chapter("what cannot be checked is an error, not drift", async () => {
  const refused = await team.pipeline("drift", { env: { DATAPLATFORM_API_TOKEN: "wrong" } });
  expect(refused.code).toBe(1);
  expect(refused.report, refused.stderr).toMatch(/[1-9] not readable/);
  const elsewhere = await team.pipeline("drift", { env: { PULUMI_BACKEND_URL: "file:///nowhere" } });
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.report).toContain("could not be checked");
});

chapter("a change behind our back is exit code 2; a repair reverts it, and brings nothing else", async () => {
  for (const { id, ip_cidr } of entries())
    if (ip_cidr !== "192.0.2.1") await request(emulator, "DELETE", `${place}/${id}`);
  const drift = await team.pipeline("drift");
  expect(drift.code, drift.stdout + drift.stderr).toBe(2);
  expect(drift.report).toMatch(/1 gone[\s\S]*IpWhitelist `logins`/);
  expect(drift.report).toContain("dataplatform pipeline repair dev");
  expect(drift.report).not.toContain("pulumi up");
  expect(team.forge.issues.map(({ body }) => body)).toEqual([expect.stringContaining("Data platform drift")]);

  // What is merged and not deployed is not a repair's business.
  team.propose("more", (config) => config.replace("pyarrow", "polars"));
  team.merge("more");
  const repair = await expectOk(team.preview("main", { args: ["--repair"] }));
  expect(repair.report).toMatch(/^### Repair of `dev`\n\n\*\*1 to create\*\*\n/);
  expect(addresses()).toEqual(["192.0.2.1"]);
  // It is not taken for the plan of the merge.
  expect((await team.pipeline("find")).report).toContain("- missing: there is no plan of dev");
  await expectOk(team.apply({ repair: true }));
  // The list owns everything, but for what the program declares beside it.
  expect(addresses()).toEqual(all);
  expect(JSON.stringify(emulator.state())).not.toContain("polars");
  const nothing = await team.preview("main", { args: ["--repair"] });
  expect(nothing.report).toContain("- nothing to do: nothing of dev has drifted");
});

chapter("break glass: while the forge is down a desk deploys, and the pipeline goes on from there", async () => {
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
  team.merge(address);
  const { report } = await expectOk(team.preview("main", { env }));
  expect(report).toMatch(/^### Preview of `dev`\n\nNo changes\.\n/);
  expect(report).toContain(`the last deployment of dev (tree ${team.tree().slice(0, 12)})`);
});

/** Whoever can write to the backend puts a newer record there, of a deployment of what is on main now. */
function forgeRecord(deployed: string): void {
  const folder = join(team.folder, "state/.pulumi/history/platform/dev");
  const newest = readdirSync(folder).findLast((name) => name.endsWith(".history.json"))!;
  const later = newest.replace(/\d+/, (time) => String(BigInt(time) + 1n));
  const record = readFileSync(join(folder, newest), "utf8");
  writeFileSync(join(folder, later), record.replace(deployed, team.tree()));
}

chapter("rules that were loosened on main against the refusal do not count, until they are approved", async () => {
  const deployed = team.tree();
  team.propose("off", (config) => config.replace("192.0.2.98", "0.0.0.0/0"), {
    "policies.json": '{ "all": "disabled" }\n',
  });
  team.merge("off");
  forgeRecord(deployed);
  const main = await team.preview("main", { env });
  expect(main.code).toBe(1);
  expect(main.report).toContain(
    `needs approval: what guards the platform may have been loosened on the protected branch since the last deployment of dev (tree ${deployed.slice(0, 12)});`,
  );
  expect(main.report).toContain("- **needs approval** `policies.json`: whole-internet: mandatory → disabled (on the");
  const [, digest = ""] = /DATAPLATFORM_APPROVED_RULES to ([0-9a-f]{32})/.exec(main.report)!;
  // The approval is for the contents, whoever asks for it.
  team.propose("next", (config) => config.replace("polars", "pandas"));
  const approved = await expectOk(team.preview("next", { env: { ...env, DATAPLATFORM_APPROVED_RULES: digest } }));
  expect(approved.report).toContain(`approved as \`${digest}\``);
});
