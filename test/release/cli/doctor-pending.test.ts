import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../../cli/doctor/finding";
import { onStack } from "../../harness/command";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { type Ran, run } from "../../harness/engine";
import { GoBetween } from "../../harness/go-between";
import { request } from "../../harness/http";
import { shared } from "../../harness/shared";
import type { Program, TestStack } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";
import { descendants, kill, StateCopy, startUp } from "../../sweep/chaos/real-engine";

const emulator = sharedEmulator();
const between = shared(() => GoBetween.start(emulator.url));

const office: Program = { office: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.7" } } };
const jobOf = (sql: string, more = {}): Program => ({
  job: { type: "Command", args: { spark: { language: "sql", sql }, label: "etl", ...more } },
});
const job = jobOf("select 1");
const account = () => accountOf(emulator);

/** Runs `up` and kills the CLI and its children once the platform has done the work but not yet answered. */
async function killAt(of: TestStack, program: Program, path: string): Promise<void> {
  of.write(program);
  const withheld = between.withhold(({ method, url }) => method === "POST" && url.includes(path));
  const { child, ended } = startUp(of);
  const reached = await Promise.race([withheld, ended]);
  expect(reached, "the run made the call").toHaveProperty("body");
  const family = descendants(child.pid!);
  kill(child.pid!);
  await ended;
  for (const { pid } of family) kill(pid);
  between.reset();
  await of.pulumi("cancel", "--yes", "--stack", "test");
}

async function doctor(of: TestStack): Promise<Ran & { readonly stackFindings: readonly Finding[] }> {
  const ran = await onStack(of, "doctor", "--stack", "test", "--format", "json");
  const { findings } = JSON.parse(ran.stdout) as { findings: Finding[] };
  return { ...ran, stackFindings: findings.filter(({ area }) => area === "Stack") };
}

/** Applies a fix that doctor suggests: adds text to the project file, or runs the command with --yes. */
async function applyFix(of: TestStack, { fix }: Finding): Promise<void> {
  if (fix === undefined) return;
  const [, text] = /^add to Pulumi\.yaml: (.*)$/.exec(fix) ?? [];
  if (text !== undefined) return appendFileSync(join(of.folder, "Pulumi.yaml"), `${text}\n`);
  const command = `${fix.split("   #")[0]} --yes --non-interactive`;
  const ran = await run("sh", ["-c", command], { cwd: of.folder, env: of.env });
  expect(ran.code, `${fix}\n${ran.stdout}${ran.stderr}`).toBe(0);
}

test("an address that a killed run whitelisted, in a dynamic project that does not set the plugin's folder", async () => {
  const stack = await newStack("dynamic");
  stack.forgetPlugin();
  await killAt(stack, office, "whitelist_ip");
  const { id } = account().whitelist.find(({ ip_cidr }) => ip_cidr === "203.0.113.7")!;
  const { code, stackFindings } = await doctor(stack);
  expect(code).toBe(1);
  expect(stackFindings).toMatchObject([
    { what: "plugin", verdict: "problem" },
    { what: "office", verdict: "problem", fix: expect.stringContaining(` office ${id} `) },
    { what: "pending", verdict: "warning" },
  ]);
  await settle(stack, office, stackFindings);
  expect((await stack.exportState()).resources).toMatchObject([{ id: String(id) }]);
});

test("an operation that never happened is cleared, and nothing else; --import-pending-creates imports nothing", async () => {
  const stack = await newStack("plugin");
  const beside: Program = { beside: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.9" } } };
  await expectOk(stack.up(beside));
  const { resources } = await stack.exportState();
  await killAt(stack, { ...beside, ...office }, "whitelist_ip");
  const { id } = account().whitelist.find(({ ip_cidr }) => ip_cidr === "203.0.113.7")!;
  const copy = new StateCopy(stack);
  const urn = "urn:pulumi:test::project::dataplatform:index:WhitelistedIp::office";
  const pair = [urn, String(id)].flatMap((word) => ["--import-pending-creates", word]);
  await expectOk(stack.pulumi("refresh", "--yes", "--skip-preview", ...pair, "--stack", "test"));
  expect((await stack.exportState()).resources).toMatchObject(resources.map(({ urn }) => ({ urn })));

  copy.restore();
  // The second is drift, which a refresh of the whole stack would take over.
  for (const entry of account().whitelist.slice())
    await request(emulator, "DELETE", `/api/v1.2/whitelist_ip/${entry.id}`);
  const { code, stackFindings } = await doctor(stack);
  expect(code, "only a warning").toBe(0);
  expect(stackFindings).toMatchObject([{ what: "account" }, { what: "office", verdict: "warning" }]);
  for (const finding of stackFindings) await applyFix(stack, finding);
  expect((await doctor(stack)).stackFindings).toMatchObject([{ what: "account" }]);
  expect((await stack.exportState()).resources).toMatchObject(resources.map(({ urn }) => ({ urn })));
});

test("a command whose replacement was killed twice, with a resource that depends on it, in dynamic mode", async () => {
  const stack = await newStack("dynamic");
  const after: Program = {
    after: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.9" }, opts: { dependsOn: ["job"] } },
  };
  const changed = { ...jobOf("select 2", { wait: true }), ...after };
  await expectOk(stack.up({ ...job, ...after }));
  for (const _ of ["first", "second"]) await killAt(stack, changed, "commands");
  const [old, first, second] = account().commands!.map(({ id }) => String(id));
  const { stackFindings } = await doctor(stack);
  const ofJob = stackFindings.filter(({ what }) => what === "job");
  expect(ofJob).toHaveLength(2);
  expect(ofJob).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ verdict: "warning", says: expect.stringContaining(`command ${first} `) }),
      expect.objectContaining({
        verdict: "problem",
        says: expect.stringContaining(`replaces (id ${old})`),
        fix: expect.stringContaining(` job ${second} `),
      }),
    ]),
  );
  await settle(stack, changed, stackFindings);
  expect(account().commands, "no further one was submitted").toHaveLength(3);
  const state = await stack.exportState();
  expect(state.resources.map(({ id }) => id)).toContain(second);
  expect(state.resources.map(({ id }) => id)).not.toContain(old);
});

async function newStack(mode: "dynamic" | "plugin"): Promise<TestStack> {
  emulator.reset();
  return ownStack(emulator, { baseUrl: between.url, mode });
}

/** Applies doctor's fixes; then `up` creates nothing and warns of nothing, and doctor finds nothing. */
async function settle(of: TestStack, program: Program, findings: readonly Finding[]): Promise<void> {
  for (const finding of findings) await applyFix(of, finding);
  const up = await expectOk(of.up(program));
  expect(up.steps).not.toHaveProperty("create");
  expect(up.text).not.toContain("pending operations");
  expect((await doctor(of)).stackFindings).toMatchObject([{ what: "account", verdict: "ok" }]);
}
