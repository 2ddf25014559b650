import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { type Bound, sealPlan } from "../../../examples/gitops/ci/plan.mjs";
import type { ForgeKind } from "../../harness/forge";
import { request } from "../../harness/http";
import { type Piped, planKey, Team } from "../../harness/team";

/* A merge applies the plan that was approved, or nothing: on the real engine, with a bare repository and a small forge. */

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
  const first = await team.deploy();
  if (first.code !== 0) throw new Error(first.stdout + first.stderr);
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
  gitlab: (config) => config.replace("    home: 192.0.2.44\n", "").replace("pyarrow", "polars"),
};
const renewal: Readonly<Record<ForgeKind, string>> = {
  github: "gh workflow run preview.yml --ref main",
  gitlab: "glab ci run --branch main --variables NEW_PLAN:true",
};

describe.each(["github", "gitlab"] as const)("%s", (kind) => {
  let good: string;
  const sealed = (): Sealed => JSON.parse(good) as Sealed;
  const step = (name: string, branch?: string): Promise<Piped> => team.pipeline(name, branch, {}, kind);

  /** Applies what is kept for main, which must be refused without a write to the platform, and puts the good plan back. */
  async function refusal(text: string): Promise<string> {
    team.forge.replacePlan(kind, team.tree(), text);
    const before = writes();
    const refused = await step("apply");
    team.forge.replacePlan(kind, team.tree(), good);
    expect(refused.code, refused.stdout + refused.stderr).toBe(1);
    expect(writes()).toBe(before);
    expect(refused.report).toMatch(/^### Plan of `dev` refused\n\n\*\*Nothing was changed\.\*\*\n/);
    expect(refused.report).toContain(`Make a new plan: \`${renewal[kind]}\`.`);
    return refused.report;
  }

  test("a pull request is previewed: one comment says what it changes, and the plan is kept", async () => {
    team.forge.comments.length = 0;
    team.propose(kind, changes[kind]);
    const before = writes();
    const preview = await step("preview", kind);
    expect(preview.code, preview.stdout + preview.stderr).toBe(0);
    expect(writes()).toBe(before);

    expect(team.forge.comments.map(({ body }) => body)).toEqual([
      `<!-- dataplatform preview dev -->\n${preview.report}`,
    ]);
    good = team.forge.plan(kind, team.tree(kind));
    const { planSha256, validUntil } = sealed().bound;
    expect(preview.report).toContain(`Plan \`${planSha256.slice(0, 12)}\` of commit`);
    expect(preview.report).toContain(`valid until ${validUntil}. The merge applies this plan and nothing else.`);
    expect(preview.report).toContain("**Guardrails: 0 mandatory violated, ");
    expect(preview.report).toContain("- advisory `protected-policies`: ObjectPolicy notebook: has no protect");
    expect(preview.report).toContain("Drift: none.");
    expect(preview.report).toMatch(
      kind === "github"
        ? /<summary>Access: The plan changes access: [\s\S]*members of group 205 gain read on note\/501/
        : /<summary>Access: The plan changes no access/,
    );
    expect(preview.report).toMatch(/\n\n\| \| resource \| what \|\n/);
  });

  test("a plan that was changed is refused, even if its checksum was changed too", async () => {
    team.merge(kind, kind === "github" ? "merge" : "squash");
    const { plan, bound } = sealed();
    const wider = plan.replaceAll(kind === "github" ? "203.0.113.8" : "polars", "anything");
    expect(wider).not.toBe(plan);
    expect(await refusal(JSON.stringify({ ...sealed(), plan: wider }))).toContain(`and ${bound.planSha256} was signed`);
    expect(await refusal(sealPlan(wider, bound, "the key of somebody who can write to the store"))).toMatch(
      /- changed: the signature hmac-sha256:\w+… does not fit/,
    );
    expect(await refusal(sealPlan(wider, bound, undefined))).toContain("- unsigned: the plan has only a checksum");
  });

  test("a plan of another commit, or another stack, or of yesterday's version is refused with both values", async () => {
    const { plan, bound } = sealed();
    const other = team.tree("main~1");
    const foreign = await refusal(
      sealPlan(
        plan,
        { ...bound, tree: other, stack: "prod", versions: { ...bound.versions, "pulumi-dataplatform": "0.0.9" } },
        planKey,
      ),
    );
    expect(foreign).toMatch(new RegExp(`foreign: .* \\(tree ${other}\\), and this is .* \\(tree ${team.tree()}\\)`));
    expect(foreign).toContain("foreign: the plan is for the stack prod, and this is dev");
    expect(foreign).toMatch(/other version: the plan was made with pulumi-dataplatform 0\.0\.9, and this is \d/);
  });

  test("a plan that is too old is refused", async () => {
    const { plan, bound } = sealed();
    const old = { ...bound, createdAt: "2024-05-01T06:00:00.000Z", validUntil: "2024-05-04T06:00:00.000Z" };
    expect(await refusal(sealPlan(plan, old, planKey))).toContain(
      "- too old: the plan is of 2024-05-01T06:00:00.000Z, valid until 2024-05-04T06:00:00.000Z, and it is 2",
    );
  });

  test("a plan is refused while the platform is not as it was", async () => {
    const place = "/_emulator/state/whitelist";
    const entry = emulator.state().accounts[0]!.whitelist.find(({ ip_cidr }) => ip_cidr === "2001:db8::7")!;
    await request(emulator, "DELETE", `${place}/${entry.id}`);
    expect(await refusal(good)).toContain(
      "- drifted: the platform has changed since the preview: WhitelistedIp vpn was as declared, and is gone",
    );
    await request(emulator, "PUT", place, entry);
  });

  test("the good plan is applied, with exactly its steps", async () => {
    const applied = await step("apply");
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect(planned(sealed()).length).toBeGreaterThan(1);
    expect(done(applied)).toEqual(planned(sealed()));
    expect(applied.report).toMatch(/^### Plan \w{12} of `dev`\n\n\*\*Done: /);
  });

  test("a plan is stale once the state has moved", async () => {
    const report = await refusal(good);
    expect(report).toMatch(
      /- stale: the stack's state was \w{12} at the preview, and is \w{12}: .*WhitelistedIp home is/,
    );
  });
});
