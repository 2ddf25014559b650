/** Posts reports to GitHub or GitLab: one comment per stack on a pull request, one issue per stack for its drift. */
export interface Forge {
  comment(marker: string, text: string): Promise<void>;
  /** `text`: undefined to close it. */
  issue(marker: string, title: string, text: string | undefined): Promise<void>;
}

interface Found {
  readonly id: number;
  readonly number?: number;
  readonly iid?: number;
  readonly body?: string;
  readonly description?: string;
}
type Call = (method: string, path: string, body?: object) => Promise<Found[] & Found>;

/** Where the pipeline runs, if it may post there. */
export function findForge(env: NodeJS.ProcessEnv): Forge | undefined {
  if (env["GITHUB_ACTIONS"] === "true" && env["GITHUB_TOKEN"]) return gitHub(env);
  if (env["GITLAB_CI"] === "true" && env["REPORT_TOKEN"]) return gitLab(env);
  return undefined;
}

function gitHub(env: NodeJS.ProcessEnv): Forge {
  const call = caller(`${env["GITHUB_API_URL"]}/repos/${env["GITHUB_REPOSITORY"]}`, {
    authorization: `Bearer ${env["GITHUB_TOKEN"]}`,
    accept: "application/vnd.github+json",
  });
  const pull = /^refs\/pull\/(\d+)\//.exec(env["GITHUB_REF"] ?? "")?.[1];
  return {
    async comment(marker, text) {
      if (!pull) return;
      const body = `${marker}\n${text}`;
      const found = await find(call, `/issues/${pull}/comments?`, marker);
      if (found) await call("PATCH", `/issues/comments/${found.id}`, { body });
      else await call("POST", `/issues/${pull}/comments`, { body });
    },
    async issue(marker, title, text) {
      const body = `${marker}\n${text}`;
      const found = await find(call, "/issues?state=open&", marker);
      if (found && text === undefined) {
        await call("POST", `/issues/${found.number}/comments`, { body: "No drift any more." });
        await call("PATCH", `/issues/${found.number}`, { state: "closed" });
      } else if (found) await call("PATCH", `/issues/${found.number}`, { title, body });
      else if (text !== undefined) await call("POST", "/issues", { title, body });
    },
  };
}

function gitLab(env: NodeJS.ProcessEnv): Forge {
  const call = caller(`${env["CI_API_V4_URL"]}/projects/${env["CI_PROJECT_ID"]}`, {
    "private-token": env["REPORT_TOKEN"] ?? "",
  });
  const merge = env["CI_MERGE_REQUEST_IID"];
  return {
    async comment(marker, text) {
      if (!merge) return;
      const body = `${marker}\n${text}`;
      const found = await find(call, `/merge_requests/${merge}/notes?`, marker);
      if (found) await call("PUT", `/merge_requests/${merge}/notes/${found.id}`, { body });
      else await call("POST", `/merge_requests/${merge}/notes`, { body });
    },
    async issue(marker, title, text) {
      const description = `${marker}\n${text}`;
      const found = await find(call, "/issues?state=opened&", marker);
      if (found && text === undefined) {
        await call("POST", `/issues/${found.iid}/notes`, { body: "No drift any more." });
        await call("PUT", `/issues/${found.iid}`, { state_event: "close" });
      } else if (found) await call("PUT", `/issues/${found.iid}`, { title, description });
      else if (text !== undefined) await call("POST", "/issues", { title, description });
    },
  };
}

function caller(base: string, headers: Record<string, string>): Call {
  return async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, "content-type": "application/json", "user-agent": "dataplatform-pipeline" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`${method} ${path.split("?")[0]} was answered with ${response.status}`);
    return response.json() as Promise<Found[] & Found>;
  };
}

/** The one that starts with the marker, newest pages first. */
async function find(call: Call, path: string, marker: string): Promise<Found | undefined> {
  for (let page = 1; page <= 20; page += 1) {
    const list = await call("GET", `${path}per_page=100&page=${page}`);
    const found = list.find(({ body, description }) => (body ?? description ?? "").startsWith(marker));
    if (found || list.length < 100) return found;
  }
  return undefined;
}
