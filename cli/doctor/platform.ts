import type { ErrorCode, PlatformError } from "../../provider/api/errors";
import { isPlatformError } from "../../provider/api/errors";
import { type Operation, operations } from "../../provider/api/operations";
import type { Settings } from "../../provider/api/settings";
import { accountText, type TokenAccount } from "../platform/accounts";
import { Reader } from "../platform/connect";
import type { StatusLine } from "../terminal/status-line";
import { printable } from "../terminal/style";
import { type Finding, findingsOf } from "./finding";

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

/** A doctor is asked when something is wrong: patience would only be waiting. */
export function impatient(settings: Settings): Settings {
  return {
    ...settings,
    retries: Math.min(1, settings.retries),
    requestTimeoutSeconds: Math.min(15, settings.requestTimeoutSeconds),
  };
}

/** Whether the platform answers, whether it knows the token, and what the token may read. */
export async function platformFindings(
  settings: Settings,
  progress: StatusLine,
  { apiPathFix, onStack = "" }: { readonly apiPathFix?: string | undefined; readonly onStack?: string } = {},
): Promise<Finding[]> {
  const reader = new Reader(impatient(settings));
  try {
    const started = performance.now();
    const [first] = await progress.each("asking the platform", tries.slice(0, 1), 1, (one) => attempt(reader, one));
    const took = Math.round(performance.now() - started);
    const silent = unreachable(first!, settings, apiPathFix);
    if (silent) return [silent];
    const answers = platform.ok("answers", `${settings.baseUrl} answered within ${took} ms`);
    if (first!.error?.code === "unauthorized") return [answers, badToken(onStack)];
    const others = await progress.each("trying what the token may read", tries.slice(1), 4, (one) =>
      attempt(reader, one),
    );
    return [answers, goodToken([first!, ...others]), ...[first!, ...others].map(permission)];
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

/** Something answers, but not the API: so it is when the address has a path too much. */
const otherPage: readonly ErrorCode[] = ["not-found", "redirected", "bad-answer"];

function unreachable({ error }: Tried, { baseUrl }: Settings, apiPathFix: string | undefined): Finding | undefined {
  if (!error || !silence.includes(error.code)) return undefined;
  if (apiPathFix && otherPage.includes(error.code))
    return platform.problem(
      "answers",
      `the base URL, ${baseUrl}, ends with the path of the API, which the provider adds itself: ${printable(error.message)}`,
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
    "the platform does not accept it: it is wrong, was renewed, or its user is disabled",
    `pulumi config set --secret dataplatform:apiToken${onStack}   # or DATAPLATFORM_API_TOKEN`,
  );
}

function goodToken(tried: readonly Tried[]): Finding {
  const account = accountIn(tried);
  const whose = account ? `, of ${accountText(account)}` : "; which account it belongs to is not known";
  return platform.ok("token", `the platform accepts it${whose}`);
}

/** As the account says itself, else as the records say that the token may read. */
function accountIn(tried: readonly Tried[]): TokenAccount | undefined {
  const answer = (name: string) => tried.find(({ ask, answer }) => ask === name && answer)?.answer;
  const account = answer("getAccount");
  if (account) return { id: String(account["id"]), name: String(account["name"]) };
  const records = [answer("getWhitelistedIps")?.["whitelistedIps"], answer("getCommandHistory")?.["commands"]].flat();
  const record = (records as { accountId?: number }[]).find((one) => one?.accountId !== undefined);
  return record && { id: String(record.accountId) };
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
