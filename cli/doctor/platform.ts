import type { ErrorCode, PlatformError } from "../../provider/api/errors.js";
import { isPlatformError } from "../../provider/api/errors.js";
import { type Operation, operations } from "../../provider/api/operations.js";
import type { Settings } from "../../provider/api/settings.js";
import { Reader } from "../connect.js";
import type { Progress } from "../terminal/progress.js";
import { printable } from "../terminal/style.js";
import { type Finding, findingsOf } from "./finding.js";

const platform = findingsOf("Platform");
const permissions = findingsOf("Permissions");

interface Try {
  readonly what: string;
  readonly operation: Operation;
  readonly ask: string;
  readonly inputs?: Record<string, unknown>;
}

/** Every operation that reads and can be tried without knowing anything of the account. */
const tries: readonly Try[] = [
  { what: "account", operation: operations.viewAccount, ask: "getAccount" },
  { what: "users", operation: operations.listUsers, ask: "getUsers" },
  { what: "user e-mails", operation: operations.listUserEmails, ask: "getUserEmails" },
  { what: "pending users", operation: operations.listPendingUsers, ask: "getPendingUsers" },
  { what: "whitelist", operation: operations.listWhitelistedIps, ask: "getWhitelistedIps" },
  { what: "Hive tables", operation: operations.listHiveTables, ask: "getHiveTables" },
  { what: "command history", operation: operations.commandHistory, ask: "getCommandHistory", inputs: { limit: 1 } },
  {
    what: "object policies",
    operation: operations.viewObjectPolicy,
    ask: "getObjectPolicy",
    // Nobody has such an object: "not found" is as good as an answer, and only a refusal counts.
    inputs: { sourceType: "note", sourceId: "0" },
  },
];

interface Tried extends Try {
  readonly answer?: Record<string, unknown>;
  readonly error?: PlatformError;
}

/** Whether the platform answers, whether it knows the token, and what the token may read. */
export async function platformFindings(settings: Settings, progress: Progress): Promise<Finding[]> {
  // A doctor is asked when something is wrong: patience would only be waiting.
  const impatient = {
    ...settings,
    retries: Math.min(1, settings.retries),
    requestTimeoutSeconds: Math.min(15, settings.requestTimeoutSeconds),
  };
  const reader = new Reader(impatient);
  try {
    const started = performance.now();
    const [first] = await progress.each("asking the platform", tries.slice(0, 1), 1, (one) => attempt(reader, one));
    const took = Math.round(performance.now() - started);
    const silent = unreachable(first!, settings);
    if (silent) return [silent];
    const answers = platform.ok("answers", `${settings.baseUrl} answered within ${took} ms`);
    if (first!.error?.code === "unauthorized") return [answers, badToken()];
    const others = await progress.each("trying what the token may read", tries.slice(1), 4, (one) =>
      attempt(reader, one),
    );
    return [answers, goodToken(first!), ...[first!, ...others].map(permission)];
  } finally {
    await reader.close();
  }
}

async function attempt(reader: Reader, one: Try): Promise<Tried> {
  try {
    return { ...one, answer: await reader.run(one.ask, one.inputs) };
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    return { ...one, error };
  }
}

const silence: readonly ErrorCode[] = [
  "unreachable",
  "timeout",
  "connection-lost",
  "redirected",
  "bad-answer",
  "server-error",
  "not-found",
];

function unreachable({ error }: Tried, { baseUrl }: Settings): Finding | undefined {
  if (!error || !silence.includes(error.code)) return undefined;
  return platform.problem(
    "answers",
    printable(error.message),
    `curl -sv ${baseUrl}/api/v1.2/account/   # then correct dataplatform:baseUrl`,
  );
}

function badToken(): Finding {
  return platform.problem(
    "token",
    "the platform does not accept it: it is wrong, was renewed, or its user is disabled",
    "pulumi config set --secret dataplatform:apiToken   # or DATAPLATFORM_API_TOKEN",
  );
}

function goodToken({ answer }: Tried): Finding {
  const whose = answer ? `, of account ${String(answer["id"])} (${printable(String(answer["name"]))})` : "";
  return platform.ok("token", `the platform accepts it${whose}`);
}

function permission({ what, operation, error }: Tried): Finding {
  if (!error || error.code === "not-found") return permissions.ok(what, `may ${operation.does}`);
  if (error.code !== "forbidden")
    return permissions.warning(
      what,
      printable(error.message),
      "run this again; if that repeats, ask the platform's support",
    );
  const { groups, role } = operation.permission;
  return permissions.warning(
    what,
    `may not ${operation.does}`,
    `put the token's user into ${groups}, or into a group with a role that allows ${role}`,
  );
}
