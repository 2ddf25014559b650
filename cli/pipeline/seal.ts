import type { Finding } from "../../policies/judge";
import { plainConfigOf } from "../../policies/plain-config";
import { shortName } from "../pulumi/subject";
import { quoted } from "../terminal/quote";
import { type Access, accessPart } from "./access-part";
import { judgedProof } from "./deployed";
import { leftIn, stayingWords } from "./differences";
import { blindness, checkDrift, type Drift, forJob, overwrittenIn, removedFrom, withPlanFile } from "./drift";
import { type Guard, guardOf, notDecrypted } from "./guard";
import { approvals } from "./guarded";
import type { HeadConfig } from "./head-config";
import { hiddenGates } from "./hidden";
import { fingerprint } from "./keys";
import { commitOf, requireAsJudged, uncommitted, uncommittedText } from "./observe";
import { forgeKind, recordKeys, requireApprovals, requireTrusted, signingKey } from "./place";
import { type Bound, claimedId, sealPlan } from "./plan";
import type { Store } from "./plan-store";
import { type Planned, planIn, plannedResources, unplannedResources } from "./planned";
import { type Diagnostic, errorsIn, failureText, type Previewed, readPreviewed } from "./preview";
import { Refused } from "./refused";
import { releasedGates } from "./renamed";
import { includedIn } from "./repaired";
import { clipped, composed, gateLines, type Outcome, type Part } from "./report";
import { judgePlan, readRules, rulesProof } from "./rules";
import { dataplatform, git } from "./run";
import * as show from "./seal-report";
import { decrypted, isEncrypted, refuseOtherForms } from "./secrets";
import { digestState, exportState, foreignCode, foreignIn, interruptedIn } from "./state";

interface SealRequest {
  readonly stack: string;
  readonly kind: Bound["kind"];
  /** The commit of the protected branch whose rules count. */
  readonly base: string;
  /** The commit that was previewed. It is read, never checked out. */
  readonly head: string;
  /** What the preview wrote. */
  readonly folder: string;
  /** `ID=NAME`, for `dataplatform access`. */
  readonly groups: readonly string[];
}

/** What is judged, and what it is judged by: read from git, from the backend, and from the files of the preview. */
async function gathered(request: SealRequest) {
  const key = signingKey();
  await requireAsJudged();
  const [base, head] = [await commitOf(request.base), await commitOf(request.head)];
  const { result, plan: written } = readPreviewed(request.folder);
  const exported = await exportState(request.stack);
  const stacks = { stack: request.stack, exported, keys: recordKeys(key) };
  const guard = await guardOf({ base: base.commit, head: head.commit, ...stacks });
  return { ...request, base, head, key, result, written, exported, state: digestState(exported), guard };
}
type Gathered = Awaited<ReturnType<typeof gathered>>;

/**
 * Judges what an untrusted job wrote, with the rules of the protected branch; signs it if nothing is in the way. Runs no
 * code of the change.
 */
export async function seal(request: SealRequest, store: Store): Promise<Outcome> {
  requireTrusted();
  requireApprovals();
  const all = await gathered(request);
  const { stack, kind, exported, result, state, guard, key } = all;
  const judged = await judge(all);
  const { planned, findings } = judged;
  const { drift, ran: checked } = await checkDrift(stack, planned && includedIn(planned, kind, exported));
  const granted = planned && (await access(all, planned));
  const gates = [
    ...foreignCode(exported),
    ...interruptedIn(stack, exported),
    ...(result.stateDigest === state.digest ? [] : [moved]),
    ...(await branchGates(all)),
    ...guard.gates,
    ...judged.gates,
    // Every drift would be hidden behind a green check. The first plan of a stack has nothing that could have drifted.
    ...(drift ? blindness(drift, granted?.stderr) : [`drift could not be checked: ${checked.stderr.trim()}`]),
    ...(kind === "repair" && planned ? unlikeRepair(planned, drift) : []),
    // Last: a program can print as many errors as it likes.
    ...programGates(result, stack),
  ];
  const facts = factsOf(all, drift);
  // Not what the preview wrote: a field that is written twice would say one thing here and another to the engine.
  const plan = judged.read && JSON.stringify(judged.read);
  const sealed = gates.length === 0 && plan !== undefined ? sealPlan(plan, facts, key) : undefined;
  const id = sealed && claimedId(sealed);
  const left = leftIn(exported, guard.config.plain);
  for (const [urn, words] of stayingWords(drift?.whitelist)) left.set(urn, words);
  const { diagnostics } = result;
  const shown = { guard, id, facts, key, planned, findings, granted, left, drift, diagnostics };
  const heading = [`### ${show.titles[kind]} of \`${stack}\``, ...show.headlines(planned, gates, kind)];
  const lines = gateLines(gates);
  return {
    code: gates.length === 0 ? 0 : 1,
    markdown: composed(heading, lines, sealParts(shown, show.inComment)),
    full: composed(heading, lines, sealParts(shown, show.inFull), Number.POSITIVE_INFINITY),
    afterwards: sealed && id ? () => store.keep({ stack, tree: facts.tree, id }, sealed) : undefined,
  };
}

/** What the plan is bound to. */
function factsOf(
  { stack, kind, base, head, result, state, guard, key }: Gathered,
  drift: Drift | undefined,
): Omit<Bound, "planSha256"> {
  const differing = drift?.differing ?? {};
  return {
    stack,
    kind,
    targets: kind === "repair" ? Object.keys(differing).sort() : [],
    base: base.commit,
    ...head,
    versions: result.versions,
    installed: result.installed,
    state,
    drift: differing,
    whitelist: drift && removedFrom(drift),
    overwritten: drift && overwrittenIn(drift),
    rules: rulesProof(guard.policies.base, guard.policies.head),
    deployed: guard.deployed ?? null,
    approved: approvals(),
    judged: judgedProof(stack, head.tree, key),
    platform: guard.config.baseUrl ?? "not set",
    account: drift?.account,
    createdAt: new Date().toISOString(),
  };
}

const moved = "stale: the state has moved since the snapshot; run the preview again";

/** Errors that the program printed are reasons too: they are why there is no plan. */
function programGates(result: Previewed, stack: string): string[] {
  const texts = errorsIn(result).map(
    ({ message, urn }) =>
      `error${urn ? ` at ${shortName(urn)}` : ""}: ${clipped(forJob(message.replace(/^error: /, ""), stack))}`,
  );
  return [
    ...(result.code === 0 ? [] : ["the preview failed: a merge would fail too"]),
    ...(result.code === 0 || texts.length > 0 ? texts : [clipped(failureText(result))]),
  ];
}

type Commits = Readonly<Record<"base" | "head", { readonly commit: string }>>;

/** A plan is for the files of a commit that has everything of the protected branch. */
export async function branchGates({ base, head }: Commits): Promise<string[]> {
  const isHere = head.commit === (await commitOf("HEAD")).commit;
  const changes = isHere ? await uncommitted() : [];
  if (changes.length > 0) return [uncommittedText(changes)];
  const common = await git("merge-base", base.commit, head.commit).catch(() => "");
  return common === base.commit
    ? []
    : [`behind: the branch does not have commit ${base.commit.slice(0, 12)} of the protected branch; update it`];
}

interface Judged {
  /** What was judged, with secrets encrypted. Undefined if there is no plan that can be read. */
  readonly read?: ReturnType<typeof planIn>;
  readonly gates: readonly string[];
  readonly findings: readonly Finding[];
  /** With secrets in plain text. Undefined if there is no plan that can be read. */
  readonly planned: readonly Planned[] | undefined;
}
/** By the rules of the protected branch, and by those of the change where they are stricter. */
async function judge({ written, stack, kind, exported, guard, key }: Gathered): Promise<Judged> {
  if (written === undefined) return { gates: [], findings: [], planned: undefined };
  const { project, policies, config, isKeyTrusted } = guard;
  try {
    // The engine writes with the key that the configuration names, and reads a state with the one that it was written with.
    const own = exported.deployment?.secrets_providers;
    const open = <T>(value: T, encryption: HeadConfig["encryption"]): Promise<T> | T =>
      encryption ? decrypted(value, { stack, project, encryption }) : value;
    const read = planIn(written);
    refuseOtherForms(read.resourcePlans, "ciphertext");
    if (!isKeyTrusted && isEncrypted(read.resourcePlans)) throw new Refused([notDecrypted]);
    const plans = await open(read.resourcePlans, config.encryption ?? own);
    refuseOtherForms(plans, "value");
    const resources = await open(exported.deployment?.resources ?? [], own);
    const planned = plannedResources(plans, resources, config.plain);
    // A repair is about some of them, and its program is that of the protected branch.
    if (kind === "change") planned.push(...unplannedResources(plans, resources));
    const configs = [readRules(policies.base, "policies.json of the protected branch"), readRules(policies.head)];
    const findings = judgePlan(planned, configs, plainConfigOf(config.plain, []));
    const gates = [
      ...releasedGates(plans, resources),
      ...planned.flatMap(({ urn, type, after }) => foreignIn(urn, type, after)),
      ...findings.filter(({ level }) => level === "mandatory").map(show.findingGate),
      ...hiddenGates(planned, key),
    ];
    return { read, gates, findings, planned };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { gates: error.reasons, findings: [], planned: undefined };
  }
}

/** A repair is about what has drifted: about nothing else, and about all of it. */
function unlikeRepair(planned: readonly Planned[], drift: Drift | undefined): string[] {
  const targets = new Set(Object.keys(drift?.differing ?? {}));
  const changes = show.changesIn(planned);
  const changing = new Set(changes.map(({ urn }) => urn));
  return [
    ...changes
      .filter(({ urn }) => !targets.has(urn))
      .map(({ urn, op }) => `beyond the repair: the plan would ${op} ${urn}, which has not drifted`),
    ...[...targets]
      .filter((urn) => !changing.has(urn))
      .map(
        (urn) =>
          `left as it is: ${urn} has drifted, and the plan does not change it; the token of the preview may not be allowed to read it, or the program has taken the drift over`,
      ),
  ];
}

/** Who gains or loses access by the plan itself, not by what the preview printed. */
async function access({ stack, groups, kind, guard }: Gathered, planned: readonly Planned[]): Promise<Access> {
  return withPlanFile(stack, planned, async (file) => {
    const args = ["access", "--stack", stack, "--plan-file", file, "--format"];
    // What somebody says on the command line goes before.
    const named = [...everybodyIn(guard.policies.base), ...groups].flatMap((group) => ["--group", group]);
    const run = (format: string) => dataplatform([...args, format, ...named], { show: false });
    const ran = await run("markdown");
    const step = forgeKind() ? undefined : `${kind === "repair" ? "repair" : "preview"} ${stack}`;
    const stdout = withAdviceLast(ran.stdout, step, groups);
    // Markdown is for comments, and leaves out what does not fit there.
    const isLong = stdout.length > show.inComment.access;
    return { ...ran, stdout, ...(isLong && { whole: (await run("table")).stdout }) };
  });
}

/** The rules know the group that everybody is in: the platform calls it by this name. */
export function everybodyIn(policies: string | undefined): string[] {
  try {
    const ids = readRules(policies).get("all-to-everybody")?.options["everybodyGroups"];
    return (Array.isArray(ids) ? ids : []).filter((id) => /^\d+$/.test(String(id))).map((id) => `${id}=everyone`);
  } catch {
    return [];
  }
}

/** What it advises to run again is a step of the pipeline: nobody else has the file. `step`: undefined in a forge. */
export function withAdviceLast(text: string, step: string | undefined, groups: readonly string[]): string {
  const [advice = ""] = /\*\*What to do next\*\*\n\n- [^\n]*\n+/.exec(text) ?? [];
  const unnamed = [...advice.matchAll(/--group ([\w-]+=NAME)/g)].map(([, one]) => one!);
  if (unnamed.length === 0) return text;
  const flags = [...(step ? groups : []), ...unnamed].map((one) => `--group ${quoted(one)}`).join(" ");
  const how = step
    ? `run \`dataplatform pipeline ${step} ${flags}\``
    : `add \`${flags}\` to the step \`seal\` in the workflow`;
  return `${text.replace(advice, "").trimEnd()}\n\nTo see who is in these groups, say how the platform calls them: ${how}.\n`;
}

export interface Shown {
  readonly guard: Pick<Guard, "guarded" | "since" | "loosening">;
  /** Of the plan, if it was sealed. */
  readonly id: string | undefined;
  readonly facts: Omit<Bound, "planSha256">;
  readonly key: string | undefined;
  readonly planned: readonly Planned[] | undefined;
  readonly granted: Access | undefined;
  readonly left: ReadonlyMap<string, string>;
  readonly drift: Drift | undefined;
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
}

/** By importance: what does not fit into a comment is missing at the end, so nothing that can be long has no limit. */
export function sealParts(
  { guard, id, facts, key, planned, granted, left, drift, findings, diagnostics }: Shown,
  limits: show.Limits,
): Part[] {
  return [
    show.guardedPart(guard, facts.base !== facts.commit),
    show.planPart(id, facts, key && fingerprint(key)),
    show.settingsPart(guard, limits),
    // What others may do from now on must not be crowded out by what is merely long.
    ...(planned && granted
      ? [accessPart(granted, planned, limits, drift?.whitelist), show.changesPart(planned, left, limits, drift)]
      : []),
    show.driftPart(drift),
    show.findingsPart(findings),
    show.outputsPart(planned ?? [], limits),
    show.warningsPart(diagnostics, limits),
  ];
}
