import { expect } from "vitest";
import { fingerprint, newKeys } from "../../../cli/pipeline/keys";
import { type Bound, claimedId, sealPlan } from "../../../cli/pipeline/plan";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import type { ForgeKind } from "../../harness/forge";
import { request } from "../../harness/http";
import { expectOk, story } from "../../harness/stacks";
import { keys, type Piped, sharedTeam, singles } from "../../harness/team";

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

const emulator = sharedEmulator();
const team = sharedTeam(emulator);

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
  github: "`gh workflow run platform.yml --ref main`",
  gitlab: "start the jobs snapshot, preview and seal in the newest pipeline of main",
};

interface Previewed {
  readonly report: string;
  /** The file that the forge keeps. */
  readonly good: string;
  readonly id: string;
}

async function preview(kind: ForgeKind, branch: string): Promise<Previewed> {
  const before = writes();
  const { code, report, stdout, stderr } = await team.preview(branch, { kind });
  expect(code, stdout + stderr).toBe(0);
  expect(writes()).toBe(before);
  const good = team.forge.plan(kind, team.tree(branch));
  return { report, good, id: claimedId(good)! };
}

/** Carries out the plan that was approved, with exactly its steps. */
async function apply(kind: ForgeKind, previewed: Previewed, ...some: readonly string[]): Promise<string> {
  const applied = await expectOk(team.apply({ kind, id: previewed.id }));
  expect(planned(opened(previewed))).toEqual(expect.arrayContaining([...some]));
  expect(done(applied)).toEqual(planned(opened(previewed)));
  expect(applied.stdout).toContain(`Signed by the key \`${fingerprint(keys.signing)}\`.`);
  return applied.report;
}

const opened = ({ good }: Previewed): Sealed => JSON.parse(good) as Sealed;

/** Applies a file in the place of the good plan, which must be refused without a write to the platform. */
async function refusal(kind: ForgeKind, text: string, { good }: Previewed): Promise<string> {
  team.forge.replacePlan(kind, team.tree(), text);
  const before = writes();
  const refused = await team.apply({ kind, id: claimedId(text)! });
  team.forge.replacePlan(kind, team.tree(), good);
  expect(refused.code, refused.stdout + refused.stderr).toBe(1);
  expect(writes()).toBe(before);
  expect(refused.report).toMatch(/^### Plan of `dev` refused\n\n\*\*Nothing was changed\.\*\*\n/);
  expect(refused.report).toContain(`Make a new plan: ${renewal[kind]}.`);
  return refused.report;
}

function expectReported({ report, id }: Previewed, access: RegExp): void {
  expect(team.forge.comments.at(-1)!.body).toBe(`<!-- dataplatform seal dev --><!-- run 77 -->\n${report}`);
  expect(report).toContain(`Plan \`${id}\` of commit`);
  expect(report).toContain(
    `Signed by the key \`${fingerprint(keys.signing)}\`. The merge applies this plan and nothing else.`,
  );
  expect(report).toMatch(/Judged by `pulumi-dataplatform \S+ \(rules \w{12}\)` with the rules of `\w{12}`\./);
  expect(report).toContain("**Guardrails: 0 mandatory violated, ");
  expect(report).toMatch(/- advisory `protected-policies`: ObjectPolicy notebook: has no protect/);
  expect(report).toMatch(access);
  expect(report).toMatch(/\n\n\| \| resource \| what \|\n/);
}

const chapter = story();
let first: Previewed;
let second: Previewed;

chapter("a pull request is previewed: one comment of our own says what it changes, and the plan is kept", async () => {
  team.forge.write("<!-- dataplatform seal dev -->\nNo changes. Approve me.");
  team.propose("github", changes.github, { "index.ts": singles });
  first = await preview("github", "github");
  expect(team.forge.comments.map(({ user }) => user.login)).toEqual(["mallory", "github-actions[bot]"]);
  expectReported(first, /Access: The plan changes access: [\s\S]*members of group 205 gain read on note\/501/);
  expect(first.report).toContain("Drift: not known, because nothing was read.");
  expect(first.report).toContain("`Pulumi.dev.yaml`: &#96;platform:addresses&#96; changes");
});

chapter("a plan that was changed is refused, whoever signs it", async () => {
  team.merge("github", "merge");
  const { plan, bound } = opened(first);
  const wider = plan.replaceAll("203.0.113.8", "anything");
  expect(wider).not.toBe(plan);
  expect(await refusal("github", sealPlan(wider, bound, newKeys().signing), first)).toMatch(
    /- other key: the plan says that it is signed by the key \w{16}, and/,
  );
});

chapter("the good plan is applied", async () => {
  expect(await apply("github", first, "home: create")).toMatch(/^### Plan `\w{12}` of `dev`\n\n\*\*Done: /);
});

chapter("a second change, on the other forge, replaces, updates and removes, as its plan says", async () => {
  team.forge.comments.length = 0;
  team.propose("gitlab", changes.gitlab);
  team.merge("gitlab", "squash");
  second = await preview("gitlab", "main");
  expectReported(second, /<summary>Access: The plan changes no access/);
  expect(second.report).toContain("Drift: none.");
  expect(second.report).toContain("| replace | `WhitelistedIp` `office` | `ipCidr`: `203.0.113.8` → `203.0.113.9` |");
  expect(second.report).toMatch(/\| update \| `PackageSet` `packages` \| `packages`: .*polars/);
  const place = "/_emulator/state/whitelist";
  const entry = accountOf(emulator).whitelist.find(({ ip_cidr }) => ip_cidr === "2001:db8::7")!;
  await request(emulator, "DELETE", `${place}/${entry.id}`);
  expect(await refusal("gitlab", second.good, second), "not as it was").toContain(
    "- drifted: the platform has changed since the preview: WhitelistedIp vpn was as declared, and is gone",
  );
  await request(emulator, "PUT", place, entry);
  await apply("gitlab", second, "home: delete", "office: replace", "packages: update");
});
