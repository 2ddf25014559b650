import { existsSync, readFileSync } from "node:fs";
import { askJson } from "./http";
import { forgeKind } from "./place";

/** Posts reports to GitHub or GitLab: one comment per stack on a pull request, one issue per stack for its drift. */
export interface Forge {
  comment(marker: string, text: string): Promise<void>;
  /** `text`: undefined to close it. */
  issue(marker: string, title: string, text: string | undefined): Promise<void>;
  /** The newest commit of a branch. */
  headOf(branch: string): Promise<string>;
}

interface Found {
  readonly id: number;
  readonly number?: number;
  readonly iid?: number;
  readonly body?: string | null;
  readonly description?: string | null;
  readonly updated_at?: string;
  /** Who wrote it, on GitHub and on GitLab. */
  readonly user?: { readonly login?: string; readonly type?: string } | null;
  readonly author?: { readonly id?: number } | null;
}
type Call = <T = Found>(method: string, path: string, body?: object) => Promise<T>;

/** Undefined on one's own machine. `pull`: the number of the pull request, if there is one. */
export function findForge(env: NodeJS.ProcessEnv, pull?: string): Forge | undefined {
  const kind = forgeKind(env);
  if (kind === undefined) return undefined;
  const [token, what] = kind === "github" ? ["GITHUB_TOKEN", "the job's token"] : ["REPORT_TOKEN", "a project token"];
  if (!env[token]) throw new Error(`${token} is not set, so the report cannot be posted; give ${what} to this job`);
  return kind === "github" ? gitHub(env, pull) : gitLab(env, pull ?? env["CI_MERGE_REQUEST_IID"]);
}

/** What GitHub calls the author of what a job posts with its own token. */
const gitHubBot = "github-actions[bot]";

function gitHub(env: NodeJS.ProcessEnv, pull: string | undefined): Forge {
  const call = caller(`${env["GITHUB_API_URL"]}/repos/${env["GITHUB_REPOSITORY"]}`, {
    authorization: `Bearer ${env["GITHUB_TOKEN"]}`,
    accept: "application/vnd.github+json",
  });
  const isOwn = ({ user }: Found): boolean => user?.type === "Bot" && user.login === gitHubBot;
  return {
    async comment(marker, text) {
      if (!pull) return;
      const found = await find(call, `/issues/${pull}/comments?`, marker, isOwn);
      const body = `${marker}${markOfRun(env["GITHUB_RUN_ID"], found, eventTime(env))}\n${text}`;
      if (found) await call("PATCH", `/issues/comments/${found.id}`, { body });
      else await call("POST", `/issues/${pull}/comments`, { body });
    },
    async issue(marker, title, text) {
      const body = `${marker}\n${text}`;
      const found = await find(call, "/issues?state=open&", marker, isOwn);
      if (found && text === undefined) {
        await call("POST", `/issues/${found.number}/comments`, { body: "No drift any more." });
        await call("PATCH", `/issues/${found.number}`, { state: "closed" });
      } else if (found) await call("PATCH", `/issues/${found.number}`, { title, body });
      else if (text !== undefined) await call("POST", "/issues", { title, body });
    },
    async headOf(branch) {
      // Not as a commit: by that, a tag of the same name can be found.
      const found = await call<{ commit: { sha: string } }>("GET", `/branches/${encodeURIComponent(branch)}`);
      return found.commit.sha;
    },
  };
}

function gitLab(env: NodeJS.ProcessEnv, merge: string | undefined): Forge {
  const headers = { "private-token": env["REPORT_TOKEN"] ?? "" };
  const call = caller(`${env["CI_API_V4_URL"]}/projects/${env["CI_PROJECT_ID"]}`, headers);
  const own = async (): Promise<(found: Found) => boolean> => {
    const { id } = await caller(`${env["CI_API_V4_URL"]}`, headers)<Found>("GET", "/user");
    return ({ author }) => author?.id === id;
  };
  return {
    async comment(marker, text) {
      if (!merge) return;
      const found = await find(call, `/merge_requests/${merge}/notes?`, marker, await own());
      const body = `${marker}${markOfRun(env["CI_PIPELINE_ID"], found, env["CI_PIPELINE_CREATED_AT"])}\n${text}`;
      if (found) await call("PUT", `/merge_requests/${merge}/notes/${found.id}`, { body });
      else await call("POST", `/merge_requests/${merge}/notes`, { body });
    },
    async issue(marker, title, text) {
      const description = `${marker}\n${text}`;
      const found = await find(call, "/issues?state=opened&", marker, await own());
      if (found && text === undefined) {
        await call("POST", `/issues/${found.iid}/notes`, { body: "No drift any more." });
        await call("PUT", `/issues/${found.iid}`, { state_event: "close" });
      } else if (found) await call("PUT", `/issues/${found.iid}`, { title, description });
      else if (text !== undefined) await call("POST", "/issues", { title, description });
    },
    async headOf(branch) {
      const found = await call<{ commit: Found }>("GET", `/repository/branches/${encodeURIComponent(branch)}`);
      return String(found.commit.id);
    },
  };
}

/**
 * Says in a comment which run has posted it. A run that started earlier and ended later must not replace it: people would
 * approve what is no longer proposed. Both forges number runs upwards. A comment that was there before this run began is
 * of no newer one, whatever number it has: other workflows write as the same bot.
 */
function markOfRun(run: string | undefined, found: Found | undefined, began = ""): string {
  const [, newest = "0"] = /^<!-- [^>]*--><!-- run (\d+) -->/.exec(found?.body ?? "") ?? [];
  const isEarlier = Date.parse(found?.updated_at ?? "") < Date.parse(began);
  if (run !== undefined && Number(newest) > Number(run) && !isEarlier)
    throw new Error(
      `run ${newest}, which is newer, has reported already: its plan counts, and none of this run is kept`,
    );
  return run === undefined ? "" : `<!-- run ${run} -->`;
}

/** When the pull request was changed so that this run began, by GitHub's clock. */
function eventTime({ GITHUB_EVENT_PATH: file = "" }: NodeJS.ProcessEnv): string | undefined {
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { pull_request?: Partial<Found> }).pull_request?.updated_at;
}

function caller(base: string, headers: Record<string, string>): Call {
  return async <T>(method: string, path: string, body?: object) => {
    const answer = await askJson<T>(method, base + path, {
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer === undefined) throw new Error(`${method} ${path.split("?")[0]} was answered with 404`);
    return answer;
  };
}

/** Our own that starts with the marker: anybody can write a comment with it. */
async function find(
  call: Call,
  path: string,
  marker: string,
  isOwn: (found: Found) => boolean,
): Promise<Found | undefined> {
  for (let page = 1; page <= 20; page += 1) {
    const list = await call<Found[]>("GET", `${path}per_page=100&page=${page}`);
    const found = list.find((one) => isOwn(one) && (one.body ?? one.description ?? "").startsWith(marker));
    if (found || list.length < 100) return found;
  }
  return undefined;
}
