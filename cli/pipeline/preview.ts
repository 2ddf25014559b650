import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { digestIn } from "../pulumi/preview";
import { readData, readJsonData, writeData } from "./data-file";
import { ask, askJson } from "./http";
import { refuseWithoutPython } from "./installed";
import { requireAsJudged, toolchain } from "./observe";
import { requireUntrusted } from "./place";
import { Refused } from "./refused";
import { repairFlags } from "./repaired";
import { pulumi, quiet, type Ran } from "./run";
import { type Snapshot, withCopy } from "./snapshot";

const Diagnostic = z.object({ severity: z.string(), message: z.string(), urn: z.string().optional() });
export type Diagnostic = z.output<typeof Diagnostic>;

/** What the program of a change did in a preview. Whoever reads it must not believe it. */
const Previewed = z.object({
  format: z.literal(1),
  code: z.number(),
  stderr: z.string(),
  /** Of the state that it ran on. */
  stateDigest: z.string(),
  installed: z.string(),
  versions: z.record(z.string(), z.string()),
  diagnostics: z.array(Diagnostic),
});
export type Previewed = z.output<typeof Previewed>;

export const previewFolder = (stack: string): string => `preview/${stack}`;

/**
 * Runs the program of this working tree, on a copy of the state: neither the real backend's address nor its credentials
 * are in the environment. Plans are experimental in Pulumi.
 */
export async function preview(stack: string, from: string, folder: string): Promise<Previewed> {
  requireUntrusted();
  await requireAsJudged();
  const taken = readJsonData<Snapshot>(from);
  if (taken.format !== 1 || taken.stack !== stack)
    throw new Refused([
      `foreign: ${from} is not a snapshot of ${stack}; make one with "dataplatform pipeline snapshot ${stack}"`,
    ]);
  refuseWithoutPython();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Before the program runs, which could change them.
  const made = await toolchain();
  const plan = resolve(folder, "plan.json");
  const ran = await withCopy(taken, taken.exported.deployment, (backend) => {
    const repair = taken.kind === "repair" ? repairFlags(taken.targets, taken.exported) : [];
    const args = ["preview", "--json", "--save-plan", plan, ...repair, ...quiet(stack)];
    return pulumi(args, "program", { show: false, env: { ...backend, PULUMI_EXPERIMENTAL: "1" } });
  });
  const result: Previewed = {
    format: 1,
    code: ran.code,
    stderr: ran.stderr.slice(0, 10_000),
    stateDigest: taken.digest,
    diagnostics: diagnosticsIn(ran),
    ...made,
  };
  writeData(join(folder, "result.json"), result);
  return result;
}

function diagnosticsIn({ stdout }: Ran): Diagnostic[] {
  return (digestIn(stdout)?.diagnostics ?? [])
    .filter(({ severity }) => severity === "error" || severity === "warning")
    .slice(0, 2000)
    .map(({ severity = "", message = "", urn }) => ({
      severity,
      message: message.slice(0, 2000),
      urn: urn ?? undefined,
    }));
}

const mostOfResult = 10_000_000;

/** Reads what `preview` wrote, as data. */
export function readPreviewed(folder: string): { readonly result: Previewed; readonly plan: string | undefined } {
  const parsed = Previewed.safeParse(readJsonData(join(folder, "result.json"), mostOfResult));
  if (!parsed.success) throw new Refused([`not verifiable: ${folder}/result.json is not what a preview writes`]);
  const plan = join(folder, "plan.json");
  return { result: parsed.data, plan: parsed.data.code === 0 ? readData(plan) : undefined };
}

/** For errors of the engine that are no diagnostics. */
export function failureText({ stderr, code }: Previewed): string {
  return stderr.trim() || `exit code ${code}`;
}

/** What the program or the engine says. */
export const errorsIn = ({ diagnostics }: Previewed): Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");

interface PipelineJob {
  readonly id: number;
  readonly name: string;
}

/**
 * On GitLab, gets the two files that the preview of this pipeline wrote. Its artifacts are not handed on to this job: an
 * archive can bring hooks for git, and a report of variables could say what this job runs and what is approved.
 */
export async function fetchPreviewed(stack: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const project = `${env["CI_API_V4_URL"]}/projects/${env["CI_PROJECT_ID"]}`;
  const headers = { "private-token": env["REPORT_TOKEN"] ?? "" };
  const jobs = `${project}/pipelines/${env["CI_PIPELINE_ID"]}/jobs?per_page=100`;
  // "seal: [dev]" judges what "preview: [dev]" wrote, and "repair seal: [dev]" what "repair preview: [dev]" did.
  const name = (env["CI_JOB_NAME"] ?? "").replace(/\bseal\b/, "preview");
  const found = (await askJson<PipelineJob[]>("GET", jobs, { headers }))?.find((job) => job.name === name);
  if (!found) throw new Refused([`missing: this pipeline has no job ${JSON.stringify(name)}`]);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ["result.json", "plan.json"]) {
    const written = await ask("GET", `${project}/jobs/${found.id}/artifacts/${previewFolder(stack)}/${file}`, {
      headers,
    });
    // A preview that failed has no plan.
    if (written) writeFileSync(join(folder, file), written);
  }
}
