import { request } from "undici";
import { beforeEach, expect } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator";
import { freshEmulator } from "../../harness/emulators";
import { extendedRows } from "./extended-calls";

export { extendedRows, readDataStores } from "./extended-calls";

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

const policy = JSON.stringify([{ access: "allow", action: ["read"], condition: { svc_users: [102] } }]);

const note = { source_id: "501", source_type: "note" };

export const spark = { command_type: "SparkCommand", language: "scala", program: "println(1)" };
export const copy = {
  command_type: "HadoopCommand",
  sub_command: "s3distcp",
  sub_command_args: "--src s3://in/a --dest s3://out/a",
};
export const refresh = { template: "s3import", db_name: "default", hive_table: "daily_ticks" };
export const dataStore = { db_name: "shop", db_host: "db.example.com", db_user: "u", db_passwd: "p" };

/** An operation: its name, a valid call for the seed's first account, the permission that it needs, the body. */
export type Row = [operation: string, call: string, permission: string, body?: object | undefined];

const sensor = { schema: "default", table: "daily_ticks", columns: [{ column: "dt", values: ["2024-01-01"] }] };
const added = { source_type: "python_package", package_names: "scipy==1.12.0,requests" };
const removed = { source_type: "python_package", package_names: "numpy" };
const folder = { location: "Common/reports", type: "notes" };
const boards = { location: "Common/boards", source_type: "Folder", type: "notebook_dashboards", policy };
const storageKeys = { storage_access_key: "k", storage_secret_key: "s" };
const v2 = "/api/v2/accounts";

/** Every specified operation, with its permission in part 5 of the specification, transcribed independently. */
export const specifiedRows: Row[] = [
  ["whitelist.add", "POST /whitelist_ip", "editing an account", { ip_cidr: "203.0.113.7" }],
  ["whitelist.list", "GET /whitelist_ip", "editing an account"],
  ["whitelist.delete", "DELETE /whitelist_ip/50", "editing an account"],
  ["commands.submit", "POST /commands", "submitting a command", spark],
  ["commands.history", "GET /commands", "viewing the command history"],
  ["dbTaps.create", "POST /db_taps", "creating a data store", dataStore],
  ["hive.list", "GET /hive/default", "viewing Hive tables"],
  ["partitionSensor.create", "POST /sensors/partition_sensor", "creating a sensor", sensor],
  ["package.add", "POST /package/401/add_packages", "updating an environment", added],
  ["package.remove", "DELETE /package/401/remove_packages", "updating an environment", removed],
  ["folders.rename", "PUT /folders/rename", "submitting a command", { ...folder, name: "renamed", folder_id: "701" }],
  ["folders.policy", "PUT /folders/policy", "submitting a command", boards],
  ["account.create", "POST /account", "creating an account", { account: { name: "A", acc_key: "k", secret: "s" } }],
  ["account.createV2", `POST ${v2}`, "creating an account", { account: { name: "B", ...storageKeys } }],
  ["account.view", "GET /account", "viewing an account's details"],
  ["accounts.getUsers", "GET /accounts/get_users", "viewing an account's details"],
  ["accounts.getPendingUsers", "GET /accounts/get_pending_users", "viewing an account's details"],
  ["accounts.getUserEmails", "GET /accounts/get_user_emails", "viewing an account's details"],
  ["accounts.enableUser", "POST /accounts/enable_svc_user", "enabling users", { svc_user_id: "108" }],
  ["groups.assignRole", "PUT /groups/205/roles/301/assign", "assigning roles to a group", {}],
  ["groups.unassignRole", "PUT /groups/204/roles/analyst/unassign", "unassigning roles from a group", {}],
  ["objectPolicy.set", "PUT /object_policy/policy", "setting an object policy", { ...note, policy }],
  ["objectPolicy.view", "GET /object_policy/policy", "viewing the object policy", note],
];

/** All others are also for members of system-user. */
export const onlyAdmins = ["dbTaps.create", "dbTaps.edit", "dbTaps.delete"].concat([
  ...["accounts.getPendingUsers", "hive.list", "objectPolicy.set"],
]);

const v12 = (path: string) => (path.startsWith("/api/") ? path : `/api/v1.2${path}`);

export function callOf([, call, , body]: Row): Call {
  const [method, path] = call.split(" ") as [Call["method"], string];
  return { method, path: v12(path), body };
}

/** A valid call of every operation. */
export const goodCalls: Record<string, Call> = Object.fromEntries(
  [...specifiedRows, ...extendedRows].map((row) => [row[0], callOf(row)]),
);

/** Whitelists an address in the first account. */
export const addAddress = (url: string, ip_cidr: string): Promise<Reply> =>
  send(url, "analytics-admin", { method: "POST", path: "/api/v1.2/whitelist_ip", body: { ip_cidr } });

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

/** Values of parameters that are refused, by parameter. */
export type Wrong = Record<string, readonly unknown[]>;

/** One row for each: the change, and that the error names the parameter. */
export const perValue = (wrong: Wrong): [change: object, says: RegExp][] =>
  Object.entries(wrong).flatMap(([name, values]) =>
    values.map((value): [object, RegExp] => [{ [name]: value }, new RegExp(name)]),
  );

/** Calls of a running emulator, as one of its users. A path is below /api/v1.2 unless it starts with /api/. */
function client(emulator: Emulator) {
  const call =
    (method: Call["method"]) =>
    (path: string, body?: unknown, alias = "admin"): Promise<Reply> =>
      send(emulator.url, emulator.tokens[alias] ?? alias, { method, path: v12(path), body });
  const [get, post, put, remove] = [call("GET"), call("POST"), call("PUT"), call("DELETE")];
  return {
    get,
    post,
    put,
    remove,
    as: (alias: string, wanted: Call) => send(emulator.url, emulator.tokens[alias] ?? alias, wanted),
    control: (method: Call["method"], path: string, body?: unknown) => control(emulator.url, method, path, body),
    addDataStore: async (more: object = {}): Promise<number> =>
      (await post("/db_taps", { ...dataStore, ...more })).body.id,
    account: (id = 1001) => emulator.state({ secrets: true, account: id }).accounts[0]!,
  };
}

/** An emulator for the tests of one file, as new (and prepared) before each of them; and calls of it. */
export function testEmulator(options: EmulatorOptions = {}, prepare: (emulator: Emulator) => unknown = () => {}) {
  const emulator = freshEmulator(options);
  beforeEach(() => prepare(emulator));
  return { emulator, ...client(emulator) };
}
