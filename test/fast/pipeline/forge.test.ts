import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findForge } from "../../../cli/pipeline/forge";
import { ownFolder } from "../../harness/folders";
import { bot, somebody } from "../../harness/forge";
import { listen } from "../../harness/http";

let url: string;
let asked: { readonly call: string; readonly body: unknown; readonly authorization: unknown }[];
/** The answers to list requests, page by page. */
let pages: object[];

const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  const authorization = request.headers.authorization ?? request.headers["private-token"];
  asked.push({ call: `${request.method} ${request.url}`, body: text ? JSON.parse(text) : undefined, authorization });
  const isList = request.method === "GET" && request.url !== "/api/v4/user";
  response.end(JSON.stringify(isList ? (pages.shift() ?? []) : request.method === "GET" ? bot.author : {}));
});
beforeAll(async () => {
  url = await listen(server);
});
beforeEach(() => {
  asked = [];
  pages = [];
});
afterAll(() => server.close());

const marker = "<!-- dataplatform seal dev -->";
const others = Array.from({ length: 100 }, (_, id) => ({ id, number: id, iid: id, body: "something else", ...bot }));
const mine = { id: 777, number: 7, iid: 7, body: `${marker}\nold`, description: `${marker}\nold`, ...bot };
const forged = { ...mine, id: 666, number: 6, iid: 6, ...somebody };
const calls = () => asked.map(({ call }) => call);
const writes = () => calls().filter((call) => !call.startsWith("GET"));

const gitHubVariables = () => ({
  ...{ GITHUB_ACTIONS: "true", GITHUB_TOKEN: "short-lived", GITHUB_REPOSITORY: "team/platform" },
  GITHUB_API_URL: url,
});
const gitLabVariables = () => ({
  ...{ GITLAB_CI: "true", CI_PROJECT_ID: "5", CI_MERGE_REQUEST_IID: "3", REPORT_TOKEN: "project-token" },
  CI_API_V4_URL: `${url}/api/v4`,
});

test.each([
  ["GitHub", "GITHUB_RUN_ID", gitHubVariables],
  ["GitLab", "CI_PIPELINE_ID", gitLabVariables],
])("%s: a run that is older than the one that has reported does not replace its comment", async (_forge, name, env) => {
  const comment = (run: string) => findForge({ ...env(), [name]: run }, "12")!.comment(marker, "report");
  const body = `${marker}<!-- run 1000 -->\nreport`;
  await comment("1000");
  expect(asked.at(-1)!.body).toEqual({ body });
  for (const run of ["1000", "20000"]) {
    pages = [[{ ...mine, body }]];
    await comment(run);
  }
  expect(writes()).toHaveLength(3);
  pages = [[{ ...mine, body }]];
  await expect(comment("999")).rejects.toThrow("run 1000, which is newer, has reported already");
  expect(writes()).toHaveLength(3);
  // What was posted before runs were named, and what a report only quotes.
  for (const old of [`${marker}\nold`, `${marker}\n<!-- x --><!-- run 1000 -->`]) {
    pages = [[{ ...mine, body: old }]];
    await comment("999");
  }
  expect(writes()).toHaveLength(5);
});

test("a number that was there before the run began is of no newer run: any workflow can write it", async () => {
  const event = join(ownFolder(), "event.json");
  const began = "2026-03-01T12:00:00Z";
  writeFileSync(event, JSON.stringify({ pull_request: { updated_at: began } }));
  const gitHub = { ...gitHubVariables(), GITHUB_RUN_ID: "1000", GITHUB_EVENT_PATH: event };
  const gitLab = { ...gitLabVariables(), CI_PIPELINE_ID: "1000", CI_PIPELINE_CREATED_AT: began };
  const body = `${marker}<!-- run ${"9".repeat(30)} -->`;
  for (const env of [gitHub, gitLab]) {
    const comment = (updated_at: string) => {
      pages = [[{ ...mine, body, updated_at }]];
      return findForge(env, "12")!.comment(marker, "report");
    };
    await comment("2026-03-01T11:59:59.000Z");
    expect(asked.at(-1)!.body).toEqual({ body: `${marker}<!-- run 1000 -->\nreport` });
    await expect(comment("2026-03-01T12:00:01.000Z")).rejects.toThrow("which is newer, has reported already");
  }
  expect(writes()).toHaveLength(2);
});

describe("GitHub", () => {
  const forge = () => findForge(gitHubVariables(), "12")!;
  const base = "/repos/team/platform/issues";

  test("the first report is a new comment, later ones update it, on whatever page it is", async () => {
    await forge().comment(marker, "new");
    pages = [others, [mine]];
    await forge().comment(marker, "newer");
    const [first, second] = [1, 2].map((page) => `GET ${base}/12/comments?per_page=100&page=${page}`);
    const [create, update] = [`POST ${base}/12/comments`, `PATCH ${base}/comments/777`];
    expect(calls()).toEqual([first, create, first, second, update]);
    expect(asked.at(-1)).toMatchObject({ body: { body: `${marker}\nnewer` }, authorization: "Bearer short-lived" });
  });

  test.each([
    ["a person", somebody],
    ["another bot", { user: { login: "mallory[bot]", type: "Bot" } }],
    ["a person with the bot's name", { user: { login: "github-actions[bot]", type: "User" } }],
    ["nobody", { user: null }],
  ])("a comment of %s with our marker is not ours", async (_who, author) => {
    pages = [[{ ...mine, ...author }]];
    await forge().comment(marker, "new");
    expect(writes()).toEqual([`POST ${base}/12/comments`]);
  });

  test("drift opens one issue, updates it, and closes it when it is gone; not one of somebody else", async () => {
    await forge().issue(marker, "Drift: dev", "report");
    pages = [[forged, mine]];
    await forge().issue(marker, "Drift: dev", "again");
    pages = [[forged, mine]];
    await forge().issue(marker, "Drift: dev", undefined);
    pages = [[forged]];
    await forge().issue(marker, "Drift: dev", undefined);
    expect(writes()).toEqual([`POST ${base}`, `PATCH ${base}/7`, `POST ${base}/7/comments`, `PATCH ${base}/7`]);
    expect(asked.findLast(({ call }) => call.startsWith("PATCH"))?.body).toEqual({ state: "closed" });
  });
});

test("the head of a branch is that of the branch, whatever tags there are", async () => {
  pages = [{ commit: { sha: "a1", id: "a1" } }, { commit: { sha: "a1", id: "a1" } }];
  for (const variables of [gitHubVariables(), gitLabVariables()])
    expect(await findForge(variables)!.headOf("main")).toBe("a1");
  const gitLab = "GET /api/v4/projects/5/repository/branches/main";
  expect(calls()).toEqual(["GET /repos/team/platform/branches/main", gitLab]);
});

test("GitLab: notes and issues are created, updated and closed; those of others are left alone", async () => {
  const forge = findForge(gitLabVariables())!;
  pages = [[forged]];
  await forge.comment(marker, "new");
  pages = [[forged, mine]];
  await forge.comment(marker, "newer");
  await forge.issue(marker, "Drift: dev", "report");
  pages = [[{ ...mine, body: undefined }]];
  await forge.issue(marker, "Drift: dev", undefined);
  expect(writes().map((call) => call.replace("/api/v4/projects/5", ""))).toEqual([
    ...["POST /merge_requests/3/notes", "PUT /merge_requests/3/notes/777"],
    ...["POST /issues", "POST /issues/7/notes", "PUT /issues/7"],
  ]);
  expect(asked.at(-1)).toMatchObject({ body: { state_event: "close" }, authorization: "project-token" });
});

test("a forge without a token to post with is an error; one's own machine is not a forge", () => {
  expect(() => findForge({ ...gitHubVariables(), GITHUB_TOKEN: "" })).toThrow("GITHUB_TOKEN is not set");
  expect(() => findForge({ ...gitLabVariables(), REPORT_TOKEN: "" })).toThrow("REPORT_TOKEN is not set");
  expect(findForge({})).toBeUndefined();
});
