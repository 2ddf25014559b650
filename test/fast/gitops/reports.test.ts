import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { driftIn } from "../../../cli/pipeline/drift";
import { findForge } from "../../../cli/pipeline/forge";
import { driftSection } from "../../../cli/pipeline/preview-report";
import { previewReport, updateReport } from "../../../cli/pipeline/report";

interface Asked {
  readonly call: string;
  readonly body: Record<string, unknown> | undefined;
  readonly authorization: string | undefined;
}

let server: Server;
let url: string;
let asked: Asked[];
/** The answers to list requests, page by page. */
let pages: object[][];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const authorization = request.headers.authorization ?? (request.headers["private-token"] as string | undefined);
    asked.push({ call: `${request.method} ${request.url}`, body: text ? JSON.parse(text) : undefined, authorization });
    response.end(JSON.stringify(request.method === "GET" ? (pages.shift() ?? []) : {}));
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
  pages = [];
});
afterAll(() => server.close());

const marker = "<!-- dataplatform preview dev -->";
const others = Array.from({ length: 100 }, (_, id) => ({ id, number: id, iid: id, body: "something else" }));
const mine = { id: 777, number: 7, iid: 7, body: `${marker}\nold`, description: `${marker}\nold` };
const calls = () => asked.map(({ call }) => call);

describe("GitHub", () => {
  const forge = () =>
    findForge({
      GITHUB_ACTIONS: "true",
      GITHUB_TOKEN: "short-lived",
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "team/platform",
      GITHUB_REF: "refs/pull/12/merge",
    })!;
  const base = "/repos/team/platform/issues";

  test("the first report is a new comment, later ones update it, on whatever page it is", async () => {
    await forge().comment(marker, "new");
    pages = [others, [mine]];
    await forge().comment(marker, "newer");
    expect(calls()).toEqual([
      `GET ${base}/12/comments?per_page=100&page=1`,
      `POST ${base}/12/comments`,
      `GET ${base}/12/comments?per_page=100&page=1`,
      `GET ${base}/12/comments?per_page=100&page=2`,
      `PATCH ${base}/comments/777`,
    ]);
    expect(asked.at(-1)).toMatchObject({ body: { body: `${marker}\nnewer` }, authorization: "Bearer short-lived" });
  });

  test("drift opens one issue, updates it, and closes it when it is gone", async () => {
    await forge().issue(marker, "Drift: dev", "report");
    pages = [[mine]];
    await forge().issue(marker, "Drift: dev", "again");
    pages = [[mine]];
    await forge().issue(marker, "Drift: dev", undefined);
    await forge().issue(marker, "Drift: dev", undefined);
    expect(calls().filter((call) => !call.startsWith("GET"))).toEqual([
      `POST ${base}`,
      `PATCH ${base}/7`,
      `POST ${base}/7/comments`,
      `PATCH ${base}/7`,
    ]);
    expect(asked.findLast(({ call }) => call.startsWith("PATCH"))?.body).toEqual({ state: "closed" });
  });
});

describe("GitLab", () => {
  const variables = { GITLAB_CI: "true", CI_PROJECT_ID: "5", CI_MERGE_REQUEST_IID: "3" };
  const forge = () => findForge({ ...variables, REPORT_TOKEN: "project-token", CI_API_V4_URL: `${url}/api/v4` })!;
  const base = "/api/v4/projects/5";

  test("notes and issues are created, updated and closed", async () => {
    await forge().comment(marker, "new");
    pages = [[mine]];
    await forge().comment(marker, "newer");
    await forge().issue(marker, "Drift: dev", "report");
    pages = [[{ ...mine, body: undefined }]];
    await forge().issue(marker, "Drift: dev", undefined);
    expect(calls().filter((call) => !call.startsWith("GET"))).toEqual([
      `POST ${base}/merge_requests/3/notes`,
      `PUT ${base}/merge_requests/3/notes/777`,
      `POST ${base}/issues`,
      `POST ${base}/issues/7/notes`,
      `PUT ${base}/issues/7`,
    ]);
    expect(asked.at(-1)).toMatchObject({ body: { state_event: "close" }, authorization: "project-token" });
  });

  test("without a token, nothing is posted", () => {
    expect(findForge(variables)).toBeUndefined();
    expect(findForge({ GITHUB_ACTIONS: "true" })).toBeUndefined();
    expect(findForge({})).toBeUndefined();
  });
});

describe("drift in a preview's report", () => {
  const told = (...statuses: string[]) =>
    driftSection(driftIn(statuses.map((status, index) => ({ urn: `urn:pulumi:dev::p::a:b:C::${index}`, status }))));

  test("none, only if something was compared", () => {
    expect(told("as-declared", "as-declared")).toEqual(["Drift: none."]);
    expect(told("as-declared", "unverifiable")).toEqual([
      "Drift: none. 1 cannot be compared: the API does not show them.",
    ]);
  });

  test("nothing was read: not known, and why", () => {
    expect(told()).toEqual([
      "Drift: not known, because nothing was read. The stack has no resources of the platform yet.",
    ]);
    expect(told("unverifiable", "unverifiable")).toEqual([
      "Drift: not known, because nothing was read. 2 cannot be compared: the API does not show them.",
    ]);
    expect(told("error")[0]).toMatch(/^\*\*Drift: 0 differ .*, 1 could not be read/);
    expect(driftSection(undefined)).toEqual(["**Drift could not be checked.**"]);
  });
});

describe("reports", () => {
  const urn = (name: string) => `urn:pulumi:dev::platform::pulumi-nodejs:dynamic/dataplatform:WhitelistedIp::${name}`;
  const ran = (preview: object) => ({ code: 0, stdout: JSON.stringify(preview), stderr: "" });

  test("a report fits in a comment, however much changes", () => {
    const steps = Array.from({ length: 5000 }, (_, index) => ({
      op: "create",
      urn: urn(`address-${index}`),
      newState: { inputs: { ipCidr: "203.0.113.7" } },
    }));
    const report = previewReport("dev", ran({ steps, changeSummary: { create: 5000 } }));
    expect(report).toContain("**5000 to create**");
    expect(report).toMatch(/… and \d+ more: see the job's log\.\n$/);
    expect(report.length).toBeLessThan(65_536);
    const output = { code: 1, stdout: "`".repeat(10) + "x".repeat(100_000), stderr: "why" };
    expect(updateReport("dev", "Update", output).length).toBeLessThan(65_536);
  });

  test("values stay in their cell, secrets stay secret", () => {
    const nasty = "a | b` <img src=x>\n| c |";
    const step = { op: "update", urn: urn("it"), oldState: { inputs: { a: 1, s: "[secret]" } } };
    const visible = previewReport(
      "dev",
      ran({ steps: [{ ...step, newState: { inputs: { a: nasty, s: "[secret]" } } }] }),
    );
    expect(visible).toContain("| update | `WhitelistedIp` `it` | a: `1` → `a \\| b' ‹img src=x› \\| c \\|` |");
    const hidden = previewReport("dev", ran({ steps: [{ ...step, newState: step.oldState }] }));
    expect(hidden).toContain("| update | `WhitelistedIp` `it` | a secret |");
  });

  test("a resource is named by its type and its whole name; providers are not listed", () => {
    const inside = "urn:pulumi:dev::platform::dataplatform:index:TeamEnvironment$";
    const newState = { inputs: { ipCidr: "203.0.113.7" } };
    const report = previewReport(
      "dev",
      ran({
        steps: [
          { op: "create", urn: `${inside}dataplatform:index:WhitelistedIp::blue::office`, newState },
          { op: "create", urn: `${inside}pulumi:providers:dataplatform::blue` },
          { op: "create", urn: urn("a::pulumi:b"), newState },
        ],
        diagnostics: [{ severity: "warning", message: "look", urn: urn("a::pulumi:b") }],
      }),
    );
    expect(report).toContain("| create | `WhitelistedIp` `blue::office` |");
    expect(report).toContain("| create | `WhitelistedIp` `a::pulumi:b` |");
    expect(report).toContain("- warning at `a::pulumi:b`: look");
    expect(report).not.toContain("dataplatform` `blue`");
  });

  test("reports say when there are no changes, or no JSON output", () => {
    expect(previewReport("dev", ran({ steps: [], changeSummary: { same: 4 } }))).toBe(
      "### Preview of `dev`\n\nNo changes.\n",
    );
    const broken = previewReport("dev", { code: 255, stdout: "", stderr: "error: no stack named 'dev' found" });
    expect(broken).toMatch(/Failed with exit code 255[\s\S]*no stack named 'dev' found/);
  });
});
