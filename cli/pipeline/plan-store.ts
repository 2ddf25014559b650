import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { onlyFileIn, readData } from "./data-file";
import { ask, askJson } from "./http";
import { forgeKind } from "./place";
import { Refused } from "./refused";

/** A file that may be the plan, and why another one was not even looked at. */
interface Candidates {
  /** Newest first. */
  readonly texts: readonly string[];
  readonly passedOver: readonly string[];
}

export interface PlanKey {
  readonly stack: string;
  /** The tree of a commit, which a merge commit and a squashed one share with what was previewed. */
  readonly tree: string;
  /** Of the plan, where it is known. */
  readonly id?: string | undefined;
}

/** Where sealed plans wait for the merge: artifacts on GitHub, generic packages on GitLab, the folder plans/ elsewhere. */
export interface Store {
  keep(key: PlanKey & { readonly id: string }, text: string): Promise<void>;
  find(key: PlanKey): Promise<Candidates>;
  /** How a new plan is made, and carried out: it has another id. */
  renew(isRepair: boolean): string;
}

export function planStore(env: NodeJS.ProcessEnv, stack: string): Store {
  const kind = forgeKind(env);
  if (kind === "github") return artifacts(env, stack);
  return kind === "gitlab" ? packages(env) : folder(stack);
}

const fileOf = (stack: string): string => `plans/${stack}.json`;

function folder(stack: string): Store {
  return {
    async keep(_key, text) {
      mkdirSync("plans", { recursive: true });
      writeFileSync(fileOf(stack), text);
    },
    find: async () => ({ texts: existsSync(fileOf(stack)) ? [readData(fileOf(stack))] : [], passedOver: [] }),
    renew: (isRepair) => {
      const [make, find] = isRepair ? ["repair", `${stack} --repair`] : ["preview", stack];
      const findIt = `Read it: \`dataplatform pipeline find ${find}\` prints its id for \`apply\``;
      return `Make a new plan: \`dataplatform pipeline ${make} ${stack}\`. ${findIt}.`;
    },
  };
}

interface Artifact {
  readonly id: number;
  readonly expired: boolean;
  readonly created_at: string;
  readonly size_in_bytes?: number;
  readonly workflow_run?: { readonly id: number; readonly repository_id: number; readonly head_repository_id: number };
}
interface WorkflowRun {
  readonly path?: string;
  readonly event?: string;
  readonly head_branch?: string | null;
  readonly repository?: { readonly full_name?: string };
}

/** The files whose jobs seal plans, and what starts them. */
const sealing: Readonly<Record<string, readonly string[]>> = {
  ".github/workflows/platform.yml": ["pull_request_target", "workflow_dispatch"],
  ".github/workflows/operations.yml": ["workflow_dispatch"],
};
const mostZipped = 20_000_000;
/** The most that GitHub lists at once. */
const pageSize = 100;
/** Each artifact costs two calls, and a job's token has 1,000 in an hour. */
const mostListed = 400;

interface GitHub {
  readonly base: string;
  readonly repository: string | undefined;
  /** The one that this job runs on, which is where plans are applied. */
  readonly branch: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whoever can run any workflow can upload an artifact of any name. */
async function refuseForeign({ base, repository, branch, headers }: GitHub, artifact: Artifact): Promise<void> {
  const { workflow_run: from, size_in_bytes: size = 0 } = artifact;
  if (size > mostZipped) throw new Refused([`it has ${size} bytes`]);
  if (!from || from.repository_id !== from.head_repository_id) throw new Refused(["it comes from a fork"]);
  const run = await askJson<WorkflowRun>("GET", `${base}/runs/${from.id}`, { headers });
  const path = run?.path?.split("@")[0] ?? "an unknown workflow";
  if (!run || run.repository?.full_name !== repository) throw new Refused(["it comes from another repository"]);
  if (!sealing[path]?.includes(run.event ?? "")) throw new Refused([`it was made by ${path} on ${run.event}`]);
  // Started by hand, a branch runs its own file; pull_request_target takes that of the protected branch.
  if (run.event === "workflow_dispatch" && (!branch || run.head_branch !== branch))
    throw new Refused([`it was made by ${path} of the branch ${run.head_branch}, not of ${branch}`]);
}

async function allNamed(name: string, { base, headers }: GitHub): Promise<Artifact[]> {
  const url = `${base}/artifacts?name=${encodeURIComponent(name)}&per_page=${pageSize}`;
  const all: Artifact[] = [];
  for (let page = 1; all.length === (page - 1) * pageSize && all.length < mostListed; page++) {
    const asked = askJson<{ artifacts?: Artifact[] }>("GET", `${url}&page=${page}`, { headers });
    all.push(...((await asked)?.artifacts ?? []));
  }
  return all.sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || b.id - a.id);
}

/** Only an action can upload an artifact: the workflow does, under the name given here. */
function artifacts(env: NodeJS.ProcessEnv, stack: string): Store {
  const repository = env["GITHUB_REPOSITORY"];
  const base = `${env["GITHUB_API_URL"]}/repos/${repository}/actions`;
  const headers = { authorization: `Bearer ${env["GITHUB_TOKEN"]}`, accept: "application/vnd.github+json" };
  const gitHub: GitHub = { base, repository, branch: env["GITHUB_REF_NAME"], headers };
  const nameOf = ({ stack, tree }: PlanKey): string => `plan-${stack}-${tree}`;
  return {
    async keep(key, text) {
      await folder(key.stack).keep(key, text);
      if (env["GITHUB_OUTPUT"]) appendFileSync(env["GITHUB_OUTPUT"], `plan=${nameOf(key)}\nid=${key.id}\n`);
    },
    async find(key) {
      const [texts, passedOver]: [string[], string[]] = [[], []];
      const all = await allNamed(nameOf(key), gitHub);
      for (const artifact of all.filter(({ expired }) => !expired)) {
        try {
          await refuseForeign(gitHub, artifact);
          const zip = await ask("GET", `${base}/artifacts/${artifact.id}/zip`, { headers, most: mostZipped });
          if (zip) texts.push(onlyFileIn(zip));
        } catch (error) {
          // One that cannot be read must not hide the others.
          if (!(error instanceof Refused)) throw error;
          passedOver.push(`artifact ${artifact.id}: ${error.reasons.join("; ")}`);
        }
      }
      if (all.length >= mostListed) passedOver.push(`there may be more: only the newest ${mostListed} were looked at`);
      return { texts, passedOver };
    },
    renew: (isRepair) =>
      isRepair
        ? `Make a new plan: \`gh workflow run operations.yml --ref main --field stack=${stack}\`. Read it, and approve it there.`
        : `Make a new plan: \`gh workflow run platform.yml --ref main\`. Read it, then run this again: ${allJobs}.`,
  };
}

/** The job's own token may publish and read packages of its project. */
function packages(env: NodeJS.ProcessEnv): Store {
  const base = `${env["CI_API_V4_URL"]}/projects/${env["CI_PROJECT_ID"]}/packages/generic`;
  const headers = { "job-token": env["CI_JOB_TOKEN"] ?? "" };
  const url = (stack: string, version: string): string => `${base}/plan-${stack}/${version}/plan.json`;
  return {
    async keep({ stack, tree, id }, text) {
      for (const version of [id, tree]) await ask("PUT", url(stack, version), { headers, body: text });
    },
    async find({ stack, tree, id }) {
      const text = await ask("GET", url(stack, id ?? tree), { headers });
      return { texts: text ? [text.toString("utf8")] : [], passedOver: [] };
    },
    renew: (isRepair) =>
      isRepair
        ? "Make a new plan: start the repair jobs in the newest scheduled pipeline. Read it, and go on there."
        : `Make a new plan: start the jobs snapshot, preview and seal in the newest pipeline of main. Read it, then run this again: ${allJobs}.`,
  };
}

const allJobs = "all jobs, as this one alone would keep the id of the old plan";
