import { gunzipSync, inflateSync } from "node:zlib";
import { Agent, request } from "undici";
import type { SecondPlatform } from "..";

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined if the text is not JSON. */
  json: unknown;
}

export interface More {
  token?: string | undefined;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** Sent verbatim, instead of a JSON body. */
  raw?: string;
}

function decode(body: Buffer, encoding: unknown): string {
  if (encoding === "gzip") return gunzipSync(body).toString("utf8");
  return (encoding === "deflate" ? inflateSync(body) : body).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** A plain client for one platform; undici's request, since fetch refuses a body on GET. */
export class Tester {
  readonly agent = new Agent({ connections: 4 });

  constructor(readonly platform: SecondPlatform) {}

  async send(method: string, path: string, body?: unknown, more: More = {}): Promise<Reply> {
    const token = "token" in more ? more.token : this.platform.tokens.admin;
    const search = more.query ? `?${new URLSearchParams(more.query)}` : "";
    const text = more.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const reply = await request(this.platform.url + path + search, {
      method: method as "GET",
      dispatcher: this.agent,
      headers: {
        accept: "application/json",
        ...(text !== undefined && { "content-type": "application/json" }),
        ...(token !== undefined && { "x-auth-token": token }),
        ...more.headers,
      },
      body: text ?? null,
      headersTimeout: 3000,
      bodyTimeout: 3000,
    });
    const raw = Buffer.from(await reply.body.arrayBuffer());
    const decoded = decode(raw, reply.headers["content-encoding"]);
    return { status: reply.statusCode, headers: reply.headers, text: decoded, json: parse(decoded) };
  }

  get = (path: string, more?: More) => this.send("GET", path, undefined, more);
  post = (path: string, body?: unknown, more?: More) => this.send("POST", path, body, more);
  put = (path: string, body?: unknown, more?: More) => this.send("PUT", path, body, more);
  delete = (path: string, body?: unknown, more?: More) => this.send("DELETE", path, body, more);

  async close(): Promise<void> {
    await this.agent.destroy();
    await this.platform.close();
  }
}

export const api = {
  whitelist: "/api/v1.2/whitelist_ip",
  commands: "/api/v1.2/commands/",
  stores: "/api/v1.2/db_taps/",
  hive: "/api/v1.2/hive/default/",
  sensor: "/api/v1.2/partition_sensor",
  sensorExamples: "/api/v1.2/sensors/partition_sensor",
  addPackages: "/api/v1.2/package/41/add_packages",
  removePackages: "/api/v1.2/package/41/remove_packages",
  rename: "/api/v1.2/folders/rename",
  folderPolicy: "/api/v1.2/folders/policy",
  createAccount: "/api/v1.2/account",
  createAccount2: "/api/v2/accounts",
  account: "/api/v1.2/account/",
  users: "/api/v1.2/accounts/get_users",
  pending: "/api/v1.2/accounts/get_pending_users",
  emails: "/api/v1.2/accounts/get_user_emails",
  enable: "/api/v1.2/accounts/enable_svc_user",
  policy: "/api/v1.2/object_policy/policy",
  role: (group: number | string, role: number | string, verb: "assign" | "unassign") =>
    `/api/v1.2/groups/${group}/roles/${role}/${verb}`,
};

/** Exercises a switch and returns what was observed, without times and ports. */
export type Probe = (t: Tester) => Promise<unknown>;

export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Observes a delay: four reads at once and one after it has passed. */
export async function watch(t: Tester, read: () => Promise<unknown>): Promise<unknown[]> {
  const seen = [];
  for (let i = 0; i < 4; i += 1) seen.push(await read());
  t.platform.advance(1000);
  return [...seen, await read()];
}

export const statusAndBody = ({ status, text }: Reply) => ({ status, text });

/** A value within JSON, for probes that look at one field. */
export function at(value: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | null | undefined)?.[key],
    value,
  );
}

/** Status and text without what changes from run to run. */
export const timeless = ({ status, text }: Reply) => ({
  status,
  text: text.replace(/\d{4}-\d\d-\d\d(T[^"\\]*| [\d:]+ UTC)?/g, "time").replace(/\b1[789]\d{8}\b/g, "epoch"),
});
