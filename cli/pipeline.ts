import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { oneOf, UsageError } from "./errors";
import { apply } from "./pipeline/apply";
import { checkDrift } from "./pipeline/drift";
import { findForge } from "./pipeline/forge";
import { planStore } from "./pipeline/plan-store";
import { type Outcome, preview } from "./pipeline/preview";
import { driftFailed, updateReport } from "./pipeline/report";
import { dataplatform, endInOrder, pulumi, quiet, whenUnlocked } from "./pipeline/run";

export const help = `Usage: dataplatform pipeline <step> <stack>

The steps of a pipeline that keeps a platform in git. GitHub Actions and GitLab CI call them in the
repository's folder, and so can you. Reports are in reports/.

Steps:
  preview     what a merge would change: a comment on the pull request, and a plan
  apply       carry out the plan of this commit, and nothing else
  drift       what was changed by hand; one issue, opened, updated or closed
  repair      put the platform back to what the repository says

Options:
  --help      show this text

It needs git and pulumi on PATH, and in the environment DATAPLATFORM_API_TOKEN, PULUMI_BACKEND_URL,
PULUMI_CONFIG_PASSPHRASE, and in a pipeline PLAN_KEY, which signs plans. PLAN_HOURS (default 72) says how
long a plan may be applied, LOCK_SECONDS (default 600) how long to wait for another run on the same stack.

Exit code: 0 done, 2 drift (of the step drift), 1 anything else.

Example:
  dataplatform pipeline preview dev
`;

const steps = { preview, apply, drift, repair };
type Step = keyof typeof steps;

export async function run(args: string[]): Promise<number> {
  const [step, stack] = readArguments(args);
  // Paths are relative to the repository's folder, and elsewhere reports/ may be somebody else's.
  if (!existsSync("Pulumi.yaml"))
    throw new Error(
      `there is no Pulumi.yaml in ${process.cwd()}; run "dataplatform pipeline ${step} ${stack}" in the repository's folder`,
    );
  endInOrder();
  // A report of an earlier run must not be taken for this one's.
  rmSync("reports", { recursive: true, force: true });
  mkdirSync("reports");
  const { code, markdown } = await steps[step](stack, planStore(process.env));
  writeFileSync(`reports/${step}-${stack}.md`, markdown);
  process.stdout.write(`${markdown}\n`);
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) appendFileSync(summary, `${markdown}\n`);
  await post(step, stack, code, markdown);
  return code;
}

function readArguments(args: string[]): [step: Step, stack: string] {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
  const [step = "", stack = "", ...rest] = positionals;
  const known = oneOf("the step", step, Object.keys(steps) as Step[]);
  if (!/^[\w.-]+$/.test(stack) || rest.length > 0)
    throw new UsageError("name one step and one stack, such as: dataplatform pipeline preview dev");
  return [known, stack];
}

async function drift(stack: string): Promise<Outcome> {
  const { ran, file, drift: found } = await checkDrift(stack);
  if (!found) return { code: ran.code || 1, markdown: driftFailed(stack, ran) };
  for (const [format, ending] of Object.entries({ markdown: "md", html: "html" })) {
    const output = `reports/drift-${stack}.${ending}`;
    await dataplatform(["drift", `--from=${file}`, "--format", format, "--output", output]);
  }
  return { code: ran.code, markdown: readFileSync(`reports/drift-${stack}.md`, "utf8") };
}

async function repair(stack: string): Promise<Outcome> {
  const args = ["up", "--yes", "--skip-preview", "--refresh", ...quiet(stack)];
  const ran = await whenUnlocked(stack, () => pulumi(args, "platform"));
  return { code: ran.code, markdown: updateReport(stack, "Repair", ran) };
}

/** The report is in the job's log and in reports/ in any case: that it cannot be posted does not fail the step. */
async function post(step: Step, stack: string, code: number, markdown: string): Promise<void> {
  const forge = findForge(process.env);
  const marker = `<!-- dataplatform ${step} ${stack} -->`;
  try {
    if (step === "preview") await forge?.comment(marker, markdown);
    if (step === "drift") await forge?.issue(marker, `Drift: ${stack}`, code === 0 ? undefined : markdown);
  } catch (error) {
    process.stderr.write(`the report could not be posted: ${error instanceof Error ? error.message : error}\n`);
  }
}
