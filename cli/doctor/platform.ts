import type { ErrorCode, PlatformError } from "../../provider/api/errors";
import { isPlatformError } from "../../provider/api/errors";
import { type Operation, operations } from "../../provider/api/operations";
import type { Settings } from "../../provider/api/settings";
import { accountBy, accountText } from "../platform/accounts";
import { Reader } from "../platform/connect";
import type { StatusLine } from "../terminal/status-line";
import { printable } from "../terminal/style";
import { type Finding, findingsOf } from "./finding";

const platform = findingsOf("Platform");
const permissions = findingsOf("Permissions");

interface Check {
  readonly what: string;
  readonly operation: Operation;
  readonly call: string;
  readonly inputs?: Record<string, unknown>;
}

/** Every read that works without knowing anything about the account. */
const checks: readonly Check[] = [
  { what: "account", operation: operations.viewAccount, call: "getAccount" },
  { what: "users", operation: operations.listUsers, call: "getUsers" },
  { what: "user e-mails", operation: operations.listUserEmails, call: "getUserEmails" },
  { what: "pending users", operation: operations.listPendingUsers, call: "getPendingUsers" },
  { what: "whitelist", operation: operations.listWhitelistedIps, call: "getWhitelistedIps" },
  { what: "Hive tables", operation: operations.listHiveTables, call: "getHiveTables" },
  { what: "command history", operation: operations.commandHistory, call: "getCommandHistory", inputs: { limit: 1 } },
  {
    what: "object policies",
    operation: operations.viewObjectPolicy,
    call: "getObjectPolicy",
    // No such object exists: "not found" proves access as well as an answer would.
    inputs: { sourceType: "note", sourceId: "0" },
  },
];

/** An operation that was tried, and what came of it. */
export interface Tried<Answer = unknown> {
  readonly what: string;
  readonly operation: Operation;
  readonly answer?: Answer;
  readonly error?: PlatformError;
}

export async function attempt<T extends Pick<Tried, "what" | "operation">, Answer>(
  one: T,
  work: () => Promise<Answer>,
): Promise<T & Tried<Answer>> {
  try {
    return { ...one, answer: await work() };
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    return { ...one, error };
  }
}

type CheckResult = Check & Tried<Record<string, unknown>>;

/** Something is probably broken already, so fail fast. */
export function failFast(settings: Settings): Settings {
  return {
    ...settings,
    retries: Math.min(1, settings.retries),
    requestTimeoutSeconds: Math.min(15, settings.requestTimeoutSeconds),
  };
}

/** Whether the platform answers, accepts the token, and what the token may read. */
export async function platformFindings(
  settings: Settings,
  progress: StatusLine,
  { apiPathFix, onStack = "" }: { readonly apiPathFix?: string | undefined; readonly onStack?: string } = {},
): Promise<Finding[]> {
  const reader = new Reader(failFast(settings));
  try {
    const started = performance.now();
    const check = (one: Check) => attempt(one, () => reader.run(one.call, one.inputs));
    const [first] = await progress.each("contacting the platform", checks.slice(0, 1), 1, check);
    const took = Math.round(performance.now() - started);
    const unreachable = unreachableFinding(first!, settings, apiPathFix);
    if (unreachable) return [unreachable];
    const answers = platform.ok("answers", `${settings.baseUrl} answered in ${took} ms`);
    if (first!.error?.code === "unauthorized") return [answers, badToken(onStack)];
    const others = await progress.each("checking what the token may read", checks.slice(1), 4, check);
    const all = [first!, ...others];
    return [answers, await acceptedToken(all, settings), ...all.map(permission)];
  } finally {
    await reader.close();
  }
}

/** Something answers, but not the API, as when the URL has an extra path. */
const notTheApi: readonly ErrorCode[] = ["not-found", "redirected", "bad-answer"];
const unusable: readonly ErrorCode[] = [...notTheApi, "unreachable", "timeout", "connection-lost", "server-error"];

function unreachableFinding(
  { error }: CheckResult,
  { baseUrl }: Settings,
  apiPathFix: string | undefined,
): Finding | undefined {
  if (!error || !unusable.includes(error.code)) return undefined;
  if (apiPathFix && notTheApi.includes(error.code))
    return platform.problem(
      "answers",
      `the base URL ${baseUrl} ends with the API path, which the provider adds itself: ${printable(error.message)}`,
      apiPathFix,
    );
  return platform.problem(
    "answers",
    printable(error.message),
    `curl -sv ${baseUrl}/api/v1.2/account/   # then correct dataplatform:baseUrl`,
  );
}

function badToken(onStack: string): Finding {
  return platform.problem(
    "token",
    "rejected by the platform: it is wrong, was rotated, or its user is disabled",
    `pulumi config set --secret dataplatform:apiToken${onStack}   # or DATAPLATFORM_API_TOKEN`,
  );
}

async function acceptedToken(results: readonly CheckResult[], { accountId }: Settings): Promise<Finding> {
  if (results.every(({ error }) => error?.code === "forbidden"))
    return platform.problem(
      "token",
      `may read nothing at all: ${printable(results[0]!.error!.message)}`,
      "check that the account is not suspended, and that the token's user is in a group",
    );
  const account = await accountBy(async (name) => {
    const { answer, error } = results.find(({ call }) => call === name)!;
    if (!answer) throw error;
    return answer;
  });
  if (account && accountId !== undefined && account.id !== accountId)
    return platform.problem(
      "token",
      `belongs to ${accountText(account)}, but accountId is ${accountId}: nothing can be created`,
      `use a token of account ${accountId}, or correct dataplatform:accountId (DATAPLATFORM_ACCOUNT_ID)`,
    );
  const whose = account ? `; it belongs to ${accountText(account)}` : "; its account is unknown";
  return platform.ok("token", `accepted by the platform${whose}`);
}

function permission({ what, operation, error }: CheckResult): Finding {
  if (!error || error.code === "not-found") return permissions.ok(what, `may ${operation.does}`);
  if (error.code !== "forbidden")
    return permissions.warning(
      what,
      printable(error.message),
      "run this again; if it keeps failing, contact the platform's support",
    );
  const { groups, role } = operation.permission;
  return permissions.warning(
    what,
    `may not ${operation.does}`,
    `add the token's user to ${groups}, or to a group with a role that allows ${role}`,
  );
}
