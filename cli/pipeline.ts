import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { oneOf, UsageError } from "./errors";
import { apply, findPlan } from "./pipeline/apply";
import { checkDrift } from "./pipeline/drift";
import { findForge } from "./pipeline/forge";
import { requireSameHost } from "./pipeline/head-config";
import { fingerprint, newKeys, signingKeyVariable, verifyKeyVariable } from "./pipeline/keys";
import { commitOf, isForGit, protectedCommit, requireAsJudged, requireHeadOf } from "./pipeline/observe";
import { type Options, readOptions, type Step, steps } from "./pipeline/options";
import { forgeKind, requireOwnMachine, requireTrusted } from "./pipeline/place";
import { isPlanId, planId } from "./pipeline/plan";
import { planStore } from "./pipeline/plan-store";
import { errorsIn, failureText, fetchPreviewed, preview, previewFolder } from "./pipeline/preview";
import { Refused, refuse } from "./pipeline/refused";
import { failureReport, forTerminal, type Outcome, refusalReport, signedWords } from "./pipeline/report";
import { dataplatform, endInOrder } from "./pipeline/run";
import { branchGates, seal } from "./pipeline/seal";
import { type Snapshot, snapshot, snapshotFile } from "./pipeline/snapshot";
import { code as asCode } from "./report/markdown";
import { plural } from "./terminal/plural";

export { help } from "./pipeline/options";

export async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  const step = oneOf("the step", options.step, steps);
  if (step === "keys") return makeKeys(options.output);
  if (!/^[\w.-]+$/.test(options.stack))
    throw new UsageError(`name a stack, such as: dataplatform pipeline ${step} dev`);
  // Paths are relative to the repository's folder, and elsewhere reports/ may be somebody else's.
  if (!existsSync("Pulumi.yaml"))
    throw new Error(
      `there is no Pulumi.yaml in ${process.cwd()}; run "dataplatform pipeline ${step} ${options.stack}" in the repository's folder`,
    );
  endInOrder();
  return report(step, options, await outcomeOf(step, options));
}

async function outcomeOf(step: StackStep, options: Options): Promise<Outcome | undefined> {
  clearReports(`${step}-${options.stack}.`);
  try {
    return await work[step](options);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isOfPlan = step === "apply" || step === "find";
    const what = isOfPlan ? "Plan" : step[0]!.toUpperCase() + step.slice(1);
    const renew = isOfPlan ? planStore(process.env, options.stack).renew(options.repair) : undefined;
    return refusalReport(`${what} of \`${options.stack}\``, error.reasons, error.renew ?? renew);
  }
}

/** A report of an earlier run must not be taken for this one's; those of other steps stay. */
function clearReports(own: string): void {
  // A link, which a branch may hold, would lead elsewhere.
  if (!lstatSync("reports", { throwIfNoEntry: false })?.isDirectory()) rmSync("reports", { force: true });
  mkdirSync("reports", { recursive: true });
  for (const name of readdirSync("reports")) if (name.startsWith(own)) rmSync(`reports/${name}`, { recursive: true });
}

/** All but `keys`, which is about no stack. */
type StackStep = Exclude<Step, "keys">;

const work: Readonly<Record<StackStep, (options: Options) => Promise<Outcome | undefined>>> = {
  async snapshot({ stack, repair, branch, output }) {
    if (repair) await requireHeadOf(branch);
    const file = output ?? snapshotFile(stack);
    const { exported, digest, targets } = await snapshot(stack, repair ? "repair" : "change", file);
    const count = plural((exported.deployment?.resources ?? []).length, "resource");
    const what = repair ? `${count}, ${targets.length} of them drifted` : count;
    process.stdout.write(`snapshot of ${stack}: ${what}, state ${digest.slice(0, 12)}, written to ${file}\n`);
    return undefined;
  },
  async preview(options) {
    const { stack, snapshot: from, output: folder = previewFolder(stack) } = options;
    if (from === undefined) return allPhases("preview", options, "change");
    const result = await preview(stack, from, folder);
    // The job that seals reports it.
    const errors = errorsIn(result).map(({ message }) => message.trim());
    if (result.code !== 0)
      process.stderr.write(`the preview failed, as "seal" will report: ${errors.join("\n") || failureText(result)}\n`);
    else process.stdout.write(`preview of ${stack}: the plan is in ${folder}, to be judged and shown by "seal"\n`);
    return undefined;
  },
  async seal({ stack, repair, head = "HEAD", branch, folder = previewFolder(stack), groups }) {
    if (repair) await requireHeadOf(branch);
    const kind = repair ? "repair" : "change";
    if (forgeKind() === "gitlab") await fetchPreviewed(stack, folder, process.env);
    return seal({ stack, kind, base: "HEAD", head, folder, groups }, planStore(process.env, stack));
  },
  async find({ stack, repair }) {
    const { bound, signer } = await findPlan(stack, repair ? "repair" : "change", planStore(process.env, stack));
    const id = planId(bound);
    process.stdout.write(`${id}\n`);
    if (process.env["GITHUB_OUTPUT"]) appendFileSync(process.env["GITHUB_OUTPUT"], `id=${id}\n`);
    const lines = [
      `### ${repair ? "Repair" : "Plan"} of \`${stack}\``,
      `\`${id}\`, sealed ${bound.createdAt}, for ${asCode(bound.platform)}. ${signedWords(signer)}`,
    ];
    return { code: 0, markdown: `${lines.join("\n\n")}\n`, brief: "" };
  },
  async apply({ stack, plan, maxAgeHours }) {
    if (!isPlanId(plan))
      throw new UsageError(
        'name the plan that was approved: --plan and the 64 digits of its id ("pipeline find" prints it)',
      );
    return apply({ stack, id: plan, maxAgeHours }, planStore(process.env, stack));
  },
  drift: ({ stack }) => drift(stack),
  async repair(options) {
    await requireHeadOf(options.branch);
    return allPhases("repair", options, "repair");
  },
};

/** On one's own machine: nobody is to be kept apart. */
async function allPhases(step: Step, options: Options, kind: Snapshot["kind"]): Promise<Outcome> {
  requireOwnMachine(step);
  const { stack, groups, branch } = options;
  const base = (await protectedCommit(branch)) ?? "HEAD";
  // Found anew by `seal`, but a preview takes its time.
  await requireAsJudged();
  refuse(await branchGates({ base: await commitOf(base), head: await commitOf("HEAD") }));
  await requireSameHost(base, stack);
  const [file, folder] = [snapshotFile(stack), previewFolder(stack)];
  try {
    await snapshot(stack, kind, file);
    await preview(stack, file, folder);
    return await seal({ stack, kind, base, head: "HEAD", folder, groups }, planStore(process.env, stack));
  } finally {
    for (const place of ["snapshot", "preview"]) rmSync(place, { recursive: true, force: true });
  }
}

async function drift(stack: string): Promise<Outcome> {
  requireTrusted();
  const { ran, file, drift: found } = await checkDrift(stack);
  if (!found) return failureReport(`Drift of \`${stack}\` could not be checked`, ran);
  for (const [format, ending] of Object.entries({ markdown: "md", html: "html" })) {
    const output = `reports/drift-${stack}.${ending}`;
    await dataplatform(["drift", `--from=${file}`, "--pipeline", "--format", format, "--output", output]);
  }
  return { code: ran.code, markdown: readFileSync(`reports/drift-${stack}.md`, "utf8") };
}

/** A report that people do not get to see is a failure: they would approve an older one. */
export async function report(
  step: Step,
  { stack, pull, snapshot: taken }: Options,
  outcome: Outcome | undefined,
): Promise<number> {
  if (!outcome) return 0;
  const { code, markdown, full = markdown, brief = full } = outcome;
  writeFileSync(`reports/${step}-${stack}.md`, full);
  // What `find` prints is an id, for a variable of a script.
  (step === "find" && code !== 0 ? process.stderr : process.stdout).write(brief && `${forTerminal(brief)}\n`);
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) appendFileSync(summary, `${markdown}\n`);
  const marker = `<!-- dataplatform ${step} ${stack} -->`;
  try {
    // A preview of a snapshot has no token of the forge, and must not get one.
    if (step === "seal" || (step === "preview" && taken === undefined))
      await findForge(process.env, pull)?.comment(marker, markdown);
    if (step === "drift")
      await findForge(process.env)?.issue(marker, `Drift: ${stack}`, code === 0 ? undefined : markdown);
  } catch (error) {
    process.stderr.write(`the report could not be posted: ${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
  await outcome.afterwards?.();
  return code;
}

/** `file`: for the secret, which a terminal would keep. */
async function makeKeys(file: string | undefined): Promise<number> {
  if (file !== undefined && (await isForGit(file)))
    throw new UsageError(
      `${file} would be in a repository, where the next "git add" takes it: name a file elsewhere, such as --output ~/signing.key`,
    );
  const { signing, verify } = newKeys();
  // Never over another key.
  if (file !== undefined && existsSync(file))
    throw new UsageError(`${file} exists already: use the key that it holds, or remove it, or name another file`);
  if (file !== undefined) writeFileSync(file, signing, { mode: 0o600, flag: "wx" });
  const first = file === undefined ? `${signingKeyVariable}=${signing}\n` : "";
  process.stdout.write(`${first}${verifyKeyVariable}=${verify}\n`);
  const where =
    file === undefined ? "The first" : `${signingKeyVariable} is in ${file}, which you delete once it is stored: it`;
  process.stderr.write(
    `${where} is a secret of the jobs that seal; the ${file === undefined ? "second" : "other"} is for the jobs that apply. Reports name this pair ${fingerprint(signing)}.\n`,
  );
  return 0;
}
