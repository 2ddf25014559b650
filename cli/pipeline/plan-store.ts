import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { onlyFileIn } from "./unzip";

/**
 * Where plans wait for the merge: artifacts on GitHub, generic packages on GitLab, the folder plans/ elsewhere. A plan
 * is found by its stack and the tree of its commit, which a merge commit and a squashed one share with what was previewed.
 */
export interface Store {
  /** Whether others can write to it. */
  readonly isShared: boolean;
  keep(stack: string, tree: string, text: string): Promise<void>;
  find(stack: string, tree: string): Promise<string | undefined>;
  /** The command that makes a new plan. */
  renew(stack: string): string;
}

export function planStore(env: NodeJS.ProcessEnv): Store {
  if (env["GITHUB_ACTIONS"] === "true") return artifacts(env);
  if (env["GITLAB_CI"] === "true") return packages(env);
  return folder();
}

const nameOf = (stack: string, tree: string): string => `plan-${stack}-${tree}`;
const fileOf = (stack: string): string => `plans/${stack}.json`;

function folder(): Store {
  return {
    isShared: false,
    async keep(stack, _tree, text) {
      mkdirSync("plans", { recursive: true });
      writeFileSync(fileOf(stack), text);
    },
    async find(stack) {
      try {
        return readFileSync(fileOf(stack), "utf8");
      } catch {
        return undefined;
      }
    },
    renew: (stack) => `dataplatform pipeline preview ${stack}`,
  };
}

interface Artifact {
  readonly id: number;
  readonly expired: boolean;
  readonly created_at: string;
}

/** Only an action can upload an artifact: the workflow does, under the name given here. */
function artifacts(env: NodeJS.ProcessEnv): Store {
  const base = `${env["GITHUB_API_URL"]}/repos/${env["GITHUB_REPOSITORY"]}/actions/artifacts`;
  const headers = { authorization: `Bearer ${env["GITHUB_TOKEN"]}`, accept: "application/vnd.github+json" };
  return {
    isShared: true,
    async keep(stack, tree, text) {
      await folder().keep(stack, tree, text);
      if (env["GITHUB_OUTPUT"]) appendFileSync(env["GITHUB_OUTPUT"], `plan=${nameOf(stack, tree)}\n`);
    },
    async find(stack, tree) {
      const answer = await ask("GET", `${base}?name=${nameOf(stack, tree)}&per_page=100`, { headers });
      const { artifacts: found } = JSON.parse((answer ?? Buffer.from('{"artifacts":[]}')).toString("utf8")) as {
        artifacts: Artifact[];
      };
      const [newest] = found
        .filter(({ expired }) => !expired)
        .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || b.id - a.id);
      const zip = newest && (await ask("GET", `${base}/${newest.id}/zip`, { headers }));
      return zip && onlyFileIn(zip);
    },
    renew: () => `gh workflow run preview.yml --ref ${env["GITHUB_REF_NAME"] ?? "main"}`,
  };
}

/** The job's own token may publish and read packages of its project. */
function packages(env: NodeJS.ProcessEnv): Store {
  const base = `${env["CI_API_V4_URL"]}/projects/${env["CI_PROJECT_ID"]}/packages/generic`;
  const headers = { "job-token": env["CI_JOB_TOKEN"] ?? "" };
  const url = (stack: string, tree: string): string => `${base}/plan-${stack}/${tree}/plan.json`;
  return {
    isShared: true,
    async keep(stack, tree, text) {
      await ask("PUT", url(stack, tree), { headers, body: text });
    },
    find: async (stack, tree) => (await ask("GET", url(stack, tree), { headers }))?.toString("utf8"),
    renew: () => `glab ci run --branch ${env["CI_COMMIT_BRANCH"] ?? "main"} --variables NEW_PLAN:true`,
  };
}

interface Asked {
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Undefined if there is no such thing. */
async function ask(method: string, url: string, { headers, body }: Asked): Promise<Buffer | undefined> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "user-agent": "dataplatform-pipeline" },
    body: body ?? null,
    signal: AbortSignal.timeout(60_000),
  });
  if (method === "GET" && response.status === 404) return undefined;
  if (!response.ok)
    throw new Error(
      `the plan could not be ${method === "GET" ? "read" : "stored"}: ${method} ${new URL(url).pathname} was answered with ` +
        `${response.status}; check the rights of the job's token`,
    );
  return Buffer.from(await response.arrayBuffer());
}
