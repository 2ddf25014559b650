import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { claimedId } from "../../cli/pipeline/plan";
import { close, listen, textOf } from "./http";

export type ForgeKind = "github" | "gitlab";

interface Posted {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: string };
  readonly author: { readonly id: number };
}

/** Who posts with the job's token, as GitHub and GitLab say it. */
export const bot = { user: { login: "github-actions[bot]", type: "Bot" }, author: { id: 41 } };
/** Anybody else who can comment. */
export const somebody = { user: { login: "mallory", type: "User" }, author: { id: 99 } };

/** The run that made an artifact. */
export interface Run {
  readonly path: string;
  readonly event: string;
  /** Of the branch whose file ran, if a person started it; else of the pull request. */
  readonly head_branch: string;
  readonly repository: string;
  /** Of the branch that it ran for: another one for a fork. */
  readonly headRepositoryId: number;
}
const sealingRun: Run = {
  path: ".github/workflows/platform.yml",
  event: "pull_request_target",
  head_branch: "change",
  repository: "team/platform",
  headRepositoryId: 1,
};

interface Artifact {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  readonly expired: boolean;
  readonly size_in_bytes: number;
  readonly run: Run;
  readonly zip: Buffer;
  readonly text: string;
}

type Answer = (parts: string[], body: string, url: URL) => unknown;

const repository = "/repos/team/platform";
const project = "/api/v4/projects/5";

/**
 * The calls of GitHub and GitLab that the pipeline makes: comments, and where plans are kept. Written from their public
 * documentation; a call that neither of them has is answered with 404, a wrong token with 401.
 */
export class Forge {
  readonly calls: string[] = [];
  /** Calls to the place where GitHub redirects for a download, which must not see the token. */
  readonly downloads: IncomingMessage["headers"][] = [];
  readonly comments: Posted[] = [];
  readonly issues: Posted[] = [];
  #artifacts: Artifact[] = [];
  readonly #packages = new Map<string, string>();
  readonly #api: Server;
  readonly #storage: Server;
  #url = "";
  #storageUrl = "";
  #ids = 100;
  /** The newest commit of main. */
  head = "";
  /** Where the job "preview: [dev]" of GitLab's pipeline 77 wrote its files. */
  previewed = "";

  private constructor() {
    this.#api = createServer((request, response) => void this.#serve(request, response));
    this.#storage = createServer((request, response) => {
      this.downloads.push(request.headers);
      const id = Number(request.url!.slice(1));
      response.end(this.#artifacts.find((artifact) => artifact.id === id)!.zip);
    });
  }

  static async start(): Promise<Forge> {
    const forge = new Forge();
    [forge.#url, forge.#storageUrl] = [await listen(forge.#api), await listen(forge.#storage)];
    return forge;
  }

  /** What a job of this forge finds in its environment. */
  variables(kind: ForgeKind, isPull = false): NodeJS.ProcessEnv {
    if (kind === "github")
      return {
        GITHUB_ACTIONS: "true",
        GITHUB_API_URL: this.#url,
        GITHUB_REPOSITORY: "team/platform",
        GITHUB_REF_NAME: "main",
        GITHUB_TOKEN: "job-token",
        GITHUB_RUN_ID: "77",
        DATAPLATFORM_APPROVED_RULES: "none",
      };
    return {
      GITLAB_CI: "true",
      CI_API_V4_URL: `${this.#url}/api/v4`,
      CI_PROJECT_ID: "5",
      CI_JOB_TOKEN: "job-token",
      CI_PIPELINE_ID: "77",
      CI_JOB_NAME: "seal: [dev]",
      REPORT_TOKEN: "job-token",
      CI_CONFIG_PATH: "gitlab-ci.yml@team/pipelines",
      ...(isPull ? { CI_MERGE_REQUEST_IID: "12" } : { CI_COMMIT_BRANCH: "main" }),
    };
  }

  /** What actions/upload-artifact does. */
  upload(name: string, text: string, run: Partial<Run> = {}, zip = zipOf("dev.json", text)): void {
    this.#artifacts.push({
      id: this.#ids++,
      name,
      created_at: new Date().toISOString(),
      expired: false,
      size_in_bytes: zip.length,
      run: { ...sealingRun, ...run },
      zip,
      text,
    });
  }

  /** The newest plan of a tree. */
  plan(kind: ForgeKind, tree: string): string {
    const text =
      kind === "github"
        ? this.#artifacts.findLast(({ name }) => name === `plan-dev-${tree}`)?.text
        : this.#packages.get(`plan-dev/${tree}/plan.json`);
    if (text === undefined) throw new Error(`there is no plan of tree ${tree}`);
    return text;
  }

  /** Puts a plan in the place of another, as whoever may write there can. */
  replacePlan(kind: ForgeKind, tree: string, text: string): void {
    const name = `plan-dev-${tree}`;
    if (kind === "github") {
      this.#artifacts = this.#artifacts.filter((artifact) => artifact.name !== name);
      this.upload(name, text);
    } else for (const version of [tree, claimedId(text)]) this.#packages.set(`plan-dev/${version}/plan.json`, text);
  }

  async close(): Promise<void> {
    for (const server of [this.#api, this.#storage]) await close(server);
  }

  readonly #routes: readonly (readonly [call: string, answer: Answer])[] = [
    [`GET ${repository}/issues/12/comments`, () => this.comments],
    [`GET ${project}/merge_requests/12/notes`, () => this.comments],
    [`GET ${repository}/actions/artifacts`, (_parts, _body, url) => this.#listed(url.searchParams)],
    [`GET ${repository}/actions/runs/(\\d+)`, ([id]) => this.#runOf(Number(id))],
    [`GET ${repository}/branches/main`, () => ({ commit: { sha: this.head } })],
    [`GET ${project}/repository/branches/main`, () => ({ commit: { id: this.head } })],
    [
      `GET ${project}/pipelines/77/jobs`,
      () => ["snapshot", "preview", "seal"].map((job, index) => ({ id: 8 + index, name: `${job}: [dev]` })),
    ],
    [`GET ${project}/jobs/9/artifacts/preview/dev/(\\w+\\.json)`, ([name]) => this.#written(name!)],
    ["GET /api/v4/user", () => bot.author],
    [`GET (?:${repository}|${project})/issues`, () => this.issues],
    // By its other name, this machine is another origin.
    [
      `GET ${repository}/actions/artifacts/(\\d+)/zip`,
      ([id]) => new URL(`${this.#storageUrl.replace("127.0.0.1", "localhost")}/${id}`),
    ],
    [`GET ${project}/packages/generic/(.+)`, ([path]) => this.#packages.get(path!)],
    [`POST (?:${repository}|${project})/issues`, (_parts, body) => this.#post(body, this.issues)],
    [`POST ${repository}/issues/12/comments`, (_parts, body) => this.#post(body, this.comments)],
    [`POST ${repository}/issues/1\\d\\d/comments`, () => ({})],
    [`POST ${project}/merge_requests/12/notes`, (_parts, body) => this.#post(body, this.comments)],
    [`PATCH ${repository}/issues/(\\d+)`, ([id], body) => this.#change(id!, body)],
    [`PATCH ${repository}/issues/comments/(\\d+)`, ([id], body) => this.#edit(id!, body)],
    [`PUT ${project}/merge_requests/12/notes/(\\d+)`, ([id], body) => this.#edit(id!, body)],
    [
      `PUT ${project}/packages/generic/([\\w.-]+/[\\w.-]+/[\\w.-]+)`,
      ([path], body) => {
        this.#packages.set(path!, body);
        return { message: "201 Created" };
      },
    ],
  ];

  #written(name: string): string | undefined {
    const file = join(this.previewed, name);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  /** The newest first, in pages. */
  #listed(query: URLSearchParams): object {
    const found = this.#artifacts.filter(({ name }) => name === query.get("name")).reverse();
    const size = Math.min(100, Number(query.get("per_page") ?? 30));
    const start = (Number(query.get("page") ?? 1) - 1) * size;
    return { total_count: found.length, artifacts: found.slice(start, start + size).map(listed) };
  }

  #runOf(id: number): object | undefined {
    const found = this.#artifacts.find((artifact) => artifact.id === id)?.run;
    return found && { ...found, repository: { full_name: found.repository } };
  }

  /** What somebody else wrote on the pull request. */
  write(body: string): void {
    this.comments.push({ id: this.#ids++, body, ...somebody });
  }

  #change(id: string, text: string): Posted {
    const at = this.issues.findIndex((issue) => issue.id === Number(id));
    const found = this.issues[at]!;
    const { body = found.body, state } = JSON.parse(text) as { body?: string; state?: string };
    found.body = body;
    if (state === "closed") this.issues.splice(at, 1);
    return found;
  }

  #post(text: string, to: Posted[]): Posted {
    const id = this.#ids++;
    const posted = { id, number: id, iid: id, body: (JSON.parse(text) as Posted).body, ...bot };
    to.push(posted);
    return posted;
  }

  #edit(id: string, text: string): Posted {
    const posted = this.comments.find((comment) => comment.id === Number(id))!;
    posted.body = (JSON.parse(text) as Posted).body;
    return posted;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const url = new URL(request.url!, "http://forge");
    const call = `${request.method} ${url.pathname}`;
    this.calls.push(call);
    const { authorization, "job-token": job, "private-token": report } = request.headers;
    const isKnown = [authorization?.replace("Bearer ", ""), job, report].includes("job-token");
    const matches = this.#routes.map(([pattern, answered]) => ({ answered, parts: RegExp(`^${pattern}$`).exec(call) }));
    const found = isKnown ? matches.find(({ parts }) => parts) : undefined;
    const answer = found?.answered(found.parts!.slice(1), body, url);
    if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end();
    else if (answer === undefined) response.writeHead(isKnown ? 404 : 401).end("{}");
    else response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  }
}

function listed({ text: _text, zip: _zip, run, ...artifact }: Artifact): object {
  const from = { id: artifact.id, repository_id: 1, head_repository_id: run.headRepositoryId };
  return { ...artifact, workflow_run: from };
}

/** An archive as upload-artifact streams it: the sizes come after the data, and in the directory at the end. */
export function zipOf(name: string, text: string): Buffer {
  const [data, title] = [deflateRawSync(text), Buffer.from(name)];
  const [packed, unpacked] = [data.length, Buffer.byteLength(text)];
  // The 8 at 6 says that the sizes follow the data.
  const header = record(30, { 0: 0x04034b50 }, { 6: 8, 8: 8, 26: title.length });
  const descriptor = record(16, { 0: 0x08074b50, 8: packed, 12: unpacked });
  const entry = record(46, { 0: 0x02014b50, 20: packed, 24: unpacked }, { 8: 8, 10: 8, 28: title.length });
  const file = Buffer.concat([header, title, data, descriptor]);
  const end = record(22, { 0: 0x06054b50, 12: entry.length + title.length, 16: file.length }, { 8: 1, 10: 1 });
  return Buffer.concat([file, entry, title, end]);
}

/** A part of an archive: its numbers of four bytes and of two, by their places. */
function record(length: number, long: Record<number, number>, short: Record<number, number> = {}): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, value] of Object.entries(long)) bytes.writeUInt32LE(value, Number(at));
  for (const [at, value] of Object.entries(short)) bytes.writeUInt16LE(value, Number(at));
  return bytes;
}
