/** Posts reports to GitHub or GitLab: one comment per stack on a pull request, one issue per stack for its drift. */

/**
 * @typedef {{
 *   comment(marker: string, text: string): Promise<void>,
 *   issue(marker: string, title: string, text: string | undefined): Promise<void>,
 * }} Forge
 * @typedef {Record<string, string | undefined>} Variables
 * @typedef {{ id: number, number?: number, iid?: number, body?: string, description?: string }} Found
 * @typedef {(method: string, path: string, body?: object) => Promise<Found[] & Found>} Call
 */

/** Where the pipeline runs, if it may post there. @param {Variables} env @returns {Forge | undefined} */
export function findForge(env) {
  if (env["GITHUB_ACTIONS"] === "true" && env["GITHUB_TOKEN"]) return gitHub(env);
  if (env["GITLAB_CI"] === "true" && env["REPORT_TOKEN"]) return gitLab(env);
  return undefined;
}

/** @param {Variables} env @returns {Forge} */
function gitHub(env) {
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

/** @param {Variables} env @returns {Forge} */
function gitLab(env) {
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

/** @param {string} base @param {Record<string, string>} headers @returns {Call} */
function caller(base, headers) {
  return async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, "content-type": "application/json", "user-agent": "dataplatform-pipeline" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`${method} ${path.split("?")[0]} was answered with ${response.status}`);
    return /** @type {Promise<Found[] & Found>} */ (response.json());
  };
}

/** The one that starts with the marker, newest pages first. @param {Call} call @param {string} path @param {string} marker */
async function find(call, path, marker) {
  for (let page = 1; page <= 20; page += 1) {
    const list = await call("GET", `${path}per_page=100&page=${page}`);
    const found = list.find(({ body, description }) => (body ?? description ?? "").startsWith(marker));
    if (found || list.length < 100) return found;
  }
  return undefined;
}
