import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { type Bound, sealPlan } from "../../../examples/gitops/ci/plan.mjs";
import type { ForgeKind } from "../../harness/forge";
import { step } from "../../harness/steps";
import { type Piped, planKey, Team } from "../../harness/team";

/* A merge applies the plan that was approved, or nothing: on the real engine, with a bare repository and a small forge.
 * One story: the first pull request is on GitHub, the second on GitLab; what is attacked does not depend on the forge. */

interface Sealed {
  readonly bound: Bound;
  readonly signature: string;
  readonly plan: string;
}
interface Plan {
  readonly resourcePlans: Readonly<Record<string, { readonly steps: readonly string[] }>>;
}

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

const writes = (): number => emulator.requests().requests.filter(({ method }) => method !== "GET").length;

/** `name: operation` of what the update did, as the engine prints it. */
function done({ stdout }: Piped): string[] {
  const words: Record<string, string> = {
    created: "create",
    updated: "update",
    deleted: "delete",
    "created replacement": "create-replacement",
    replaced: "replace",
    "deleted original": "delete-replaced",
  };
  const update = stdout.slice(stdout.indexOf("Updating (dev):"), stdout.indexOf("### Plan"));
  const lines = update.matchAll(
    /^ *[-+~]+ +pulumi-nodejs:\S+ (\S+) ((?:created|updated|deleted|replaced)[ a-z]*) \(/gm,
  );
  return [...lines].map(([, name, what]) => `${name}: ${words[what!]}`).sort();
}

/** The same of a plan. */
function planned({ plan }: Sealed): string[] {
  return Object.entries((JSON.parse(plan) as Plan).resourcePlans)
    .filter(([urn]) => !urn.includes("::pulumi:"))
    .flatMap(([urn, { steps }]) => steps.filter((op) => op !== "same").map((op) => `${urn.split("::").at(-1)}: ${op}`))
    .sort();
}

const changes: Readonly<Record<ForgeKind, (config: string) => string>> = {
  github: (config) =>
    config
      .replace("office: 203.0.113.7", "office: 203.0.113.8\n    home: 192.0.2.44")
      .replace("- 204", "- 204\n    - 205"),
  gitlab: (config) =>
    config.replace("    home: 192.0.2.44\n", "").replace("203.0.113.8", "203.0.113.9").replace("pyarrow", "polars"),
};
const renewal: Readonly<Record<ForgeKind, string>> = {
  github: "gh workflow run preview.yml --ref main",
  gitlab: "glab ci run --branch main --variables NEW_PLAN:true",
};

interface Previewed {
  readonly report: string;
  /** The file that the forge keeps. */
  readonly good: string;
}

async function preview(kind: ForgeKind, branch: string): Promise<Previewed> {
  const before = writes();
  const { code, report, stdout, stderr } = await team.pipeline("preview", branch, {}, kind);
  expect(code, stdout + stderr).toBe(0);
  expect(writes()).toBe(before);
  return { report, good: team.forge.plan(kind, team.tree(branch)) };
}

async function apply(kind: ForgeKind): Promise<Piped> {
  const applied = await team.pipeline("apply", "main", {}, kind);
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  return applied;
}

const first = step("the first preview", () => {
  team.propose("github", changes.github);
  return preview("github", "github");
});
const firstMerged = step("the first merge", async () => {
  const previewed = await first();
  team.merge("github", "merge");
  return previewed;
});
const second = step("the second preview", async () => {
  await firstMerged();
  team.forge.comments.length = 0;
  team.propose("gitlab", changes.gitlab);
  return preview("gitlab", "gitlab");
});
const firstApplied = step("the first apply", async () => {
  await second();
  return apply("github");
});
const secondMerged = step("the second merge", async () => {
  await firstApplied();
  team.merge("gitlab", "squash");
  return second();
});
const renewed = step("the new preview", async () => {
  await secondMerged();
  return preview("gitlab", "main");
});

const opened = ({ good }: Previewed): Sealed => JSON.parse(good) as Sealed;

/** Applies what is kept for main, which must be refused without a write to the platform, and puts the good plan back. */
async function refusal(kind: ForgeKind, text: string, { good }: Previewed): Promise<string> {
  team.forge.replacePlan(kind, team.tree(), text);
  const before = writes();
  const refused = await team.pipeline("apply", "main", {}, kind);
  team.forge.replacePlan(kind, team.tree(), good);
  expect(refused.code, refused.stdout + refused.stderr).toBe(1);
  expect(writes()).toBe(before);
  expect(refused.report).toMatch(/^### Plan of `dev` refused\n\n\*\*Nothing was changed\.\*\*\n/);
  expect(refused.report).toContain(`Make a new plan: \`${renewal[kind]}\`.`);
  return refused.report;
}

function expectReported(previewed: Previewed, access: RegExp): void {
  const { planSha256, validUntil } = opened(previewed).bound;
  const { report } = previewed;
  expect(team.forge.comments.map(({ body }) => body)).toEqual([`<!-- dataplatform preview dev -->\n${report}`]);
  expect(report).toContain(`Plan \`${planSha256.slice(0, 12)}\` of commit`);
  expect(report).toContain(`valid until ${validUntil}. The merge applies this plan and nothing else.`);
  expect(report).toContain("**Guardrails: 0 mandatory violated, ");
  expect(report).toContain("- advisory `protected-policies`: ObjectPolicy notebook: has no protect");
  expect(report).toMatch(access);
  expect(report).toMatch(/\n\n\| \| resource \| what \|\n/);
}

test("a pull request is previewed: one comment says what it changes, and the plan is kept", async () => {
  const previewed = await first();
  expectReported(previewed, /Access: The plan changes access: [\s\S]*members of group 205 gain read on note\/501/);
  expect(previewed.report).toContain("Drift: not known, because nothing was read.");
});

test("a plan that was changed is refused, even if its checksum was changed too", async () => {
  const previewed = await firstMerged();
  const { plan, bound } = opened(previewed);
  const wider = plan.replaceAll("203.0.113.8", "anything");
  expect(wider).not.toBe(plan);
  const refused = (text: string) => refusal("github", text, previewed);
  expect(await refused(JSON.stringify({ ...opened(previewed), plan: wider }))).toContain(
    `and ${bound.planSha256} was signed`,
  );
  expect(await refused(sealPlan(wider, bound, "the key of somebody who can write to the store"))).toMatch(
    /- changed: the signature hmac-sha256:\w+… does not fit/,
  );
  expect(await refused(sealPlan(wider, bound, undefined))).toContain("- unsigned: the plan has only a checksum");
});

test("the good plan is applied, with exactly its steps", async () => {
  const applied = await firstApplied();
  const steps = planned(opened(await first()));
  expect(steps).toContain("home: create");
  expect(done(applied)).toEqual(steps);
  expect(applied.report).toMatch(/^### Plan \w{12} of `dev`\n\n\*\*Done: /);
});

test("a plan that was made before is stale now, as the state has moved", async () => {
  const previewed = await secondMerged();
  expect(await refusal("gitlab", previewed.good, previewed)).toMatch(
    /- stale: the stack's state was \w{12} at the preview, and is \w{12}: .*WhitelistedIp vpn is new/,
  );
});

test("a new plan of the same commit takes its place, also in the comment", async () => {
  const previewed = await renewed();
  expectReported(previewed, /<summary>Access: The plan changes no access/);
  expect(previewed.report).toContain("Drift: none.");
});

test("a plan of another commit, another stack, another version or too long ago is refused with both values", async () => {
  const previewed = await renewed();
  const { plan, bound } = opened(previewed);
  const other = {
    ...bound,
    tree: team.tree("main~1"),
    stack: "prod",
    versions: { ...bound.versions, "pulumi-dataplatform": "0.0.9" },
    createdAt: "2024-05-01T06:00:00.000Z",
    validUntil: "2024-05-04T06:00:00.000Z",
  };
  const report = await refusal("gitlab", sealPlan(plan, other, planKey), previewed);
  expect(report).toMatch(new RegExp(`foreign: .* \\(tree ${other.tree}\\), and this is .* \\(tree ${team.tree()}\\)`));
  expect(report).toContain("foreign: the plan is for the stack prod, and this is dev");
  expect(report).toMatch(/other version: the plan was made with pulumi-dataplatform 0\.0\.9, and this is \d/);
  expect(report).toContain(
    "- too old: the plan is of 2024-05-01T06:00:00.000Z, valid until 2024-05-04T06:00:00.000Z, and it is 2",
  );
});

test("a plan is refused while the platform is not as it was", async () => {
  const previewed = await renewed();
  const place = `${emulator.url}/_emulator/state/whitelist`;
  const entry = emulator.state().accounts[0]!.whitelist.find(({ ip_cidr }) => ip_cidr === "2001:db8::7")!;
  await fetch(`${place}/${entry.id}`, { method: "DELETE" });
  expect(await refusal("gitlab", previewed.good, previewed)).toContain(
    "- drifted: the platform has changed since the preview: WhitelistedIp vpn was as declared, and is gone",
  );
  const headers = { "content-type": "application/json" };
  const restored = await fetch(place, { method: "PUT", headers, body: JSON.stringify(entry) });
  expect(restored.status).toBe(200);
});

test("the new plan is applied, with exactly its steps", async () => {
  const steps = planned(opened(await renewed()));
  for (const one of ["home: delete", "office: replace", "packages: update"]) expect(steps).toContain(one);
  expect(done(await apply("gitlab"))).toEqual(steps);
});
