import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, askJson } from "./http";
import { previewFolder } from "./preview";
import { Refused } from "./refused";

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
