import { request } from "undici";
import { expect } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator";

export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  body?: unknown;
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect answers of any shape
  body: any;
  headers: Record<string, string | string[] | undefined>;
}

/** Starts an emulator on a free port; it stops at the end of the block. */
export async function emulate(options: EmulatorOptions = {}): Promise<Emulator & AsyncDisposable> {
  const emulator = await startEmulator(options);
  return Object.assign(emulator, { [Symbol.asyncDispose]: () => emulator.close() });
}

export async function send(url: string, token: string | undefined, { method, path, body }: Call): Promise<Reply> {
  const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
  const response = await request(url + path, {
    method,
    // On a connection of its own: the server may close an idle one at the moment that it is used again.
    reset: true,
    headers: {
      accept: "application/json",
      ...(text !== null && { "content-type": "application/json" }),
      ...(token !== undefined && { "x-auth-token": token }),
    },
    body: text,
  });
  return { status: response.statusCode, body: parse(await response.body.text()), headers: response.headers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const control = (url: string, method: Call["method"], path: string, body?: unknown): Promise<Reply> =>
  send(url, undefined, { method, path: `/_emulator${path}`, body });

const v = "/api/v1.2";
const policy = JSON.stringify([{ access: "allow", action: ["read"], condition: { svc_users: [102] } }]);

export const spark = { command_type: "SparkCommand", language: "scala", program: "println(1)" };
export const copy = {
  command_type: "HadoopCommand",
  sub_command: "s3distcp",
  sub_command_args: "--src s3://in/a --dest s3://out/a",
};
export const refresh = { template: "s3import", db_name: "default", hive_table: "daily_ticks" };
export const dataStore = { db_name: "shop", db_host: "db.example.com", db_user: "u", db_passwd: "p" };

/** A valid call of every operation, for the seed's first account. */
export const goodCalls: Record<string, Call> = {
  "whitelist.add": { method: "POST", path: `${v}/whitelist_ip`, body: { ip_cidr: "203.0.113.7" } },
  "whitelist.list": { method: "GET", path: `${v}/whitelist_ip` },
  "whitelist.delete": { method: "DELETE", path: `${v}/whitelist_ip/50` },
  "commands.submit": { method: "POST", path: `${v}/commands`, body: spark },
  "commands.history": { method: "GET", path: `${v}/commands` },
  "dbTaps.create": { method: "POST", path: `${v}/db_taps`, body: dataStore },
  "hive.list": { method: "GET", path: `${v}/hive/default` },
  "partitionSensor.create": {
    method: "POST",
    path: `${v}/sensors/partition_sensor`,
    body: { schema: "default", table: "daily_ticks", columns: [{ column: "dt", values: ["2024-01-01"] }] },
  },
  "package.add": {
    method: "POST",
    path: `${v}/package/401/add_packages`,
    body: { source_type: "python_package", package_names: "scipy==1.12.0,requests" },
  },
  "package.remove": {
    method: "DELETE",
    path: `${v}/package/401/remove_packages`,
    body: { source_type: "python_package", package_names: "numpy" },
  },
  "folders.rename": {
    method: "PUT",
    path: `${v}/folders/rename`,
    body: { name: "renamed", folder_id: "701", location: "Common/reports", type: "notes" },
  },
  "folders.policy": {
    method: "PUT",
    path: `${v}/folders/policy`,
    body: { location: "Common/boards", source_type: "Folder", type: "notebook_dashboards", policy },
  },
  "account.create": {
    method: "POST",
    path: `${v}/account`,
    body: { account: { name: "A", acc_key: "k", secret: "s" } },
  },
  "account.createV2": {
    method: "POST",
    path: "/api/v2/accounts",
    body: { account: { name: "B", storage_access_key: "k", storage_secret_key: "s" } },
  },
  "account.view": { method: "GET", path: `${v}/account` },
  "accounts.getUsers": { method: "GET", path: `${v}/accounts/get_users` },
  "accounts.getPendingUsers": { method: "GET", path: `${v}/accounts/get_pending_users` },
  "accounts.getUserEmails": { method: "GET", path: `${v}/accounts/get_user_emails` },
  "accounts.enableUser": { method: "POST", path: `${v}/accounts/enable_svc_user`, body: { svc_user_id: "108" } },
  "groups.assignRole": { method: "PUT", path: `${v}/groups/205/roles/301/assign`, body: {} },
  "groups.unassignRole": { method: "PUT", path: `${v}/groups/204/roles/analyst/unassign`, body: {} },
  "objectPolicy.set": {
    method: "PUT",
    path: `${v}/object_policy/policy`,
    body: { source_id: "501", source_type: "note", policy },
  },
  "objectPolicy.view": {
    method: "GET",
    path: `${v}/object_policy/policy`,
    body: { source_id: "501", source_type: "note" },
  },
};

/** The first account's whitelist starts empty, but some calls need an entry. */
export const putEntry = (url: string): Promise<Reply> =>
  control(url, "PUT", "/state/whitelist", {
    id: 50,
    ip_cidr: "198.51.100.50",
    created_at: "2024-01-01T00:00:00Z",
    updated_at: "2024-01-01T00:00:00Z",
  });

export const refusal = (code: number, pattern: RegExp) => ({
  error: { error_code: code, error_message: expect.stringMatching(pattern) },
});
