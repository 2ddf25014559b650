import type { Client } from "../../provider/api/client";
import { isPlatformError } from "../../provider/api/errors";
import type { Managed } from "../pulumi/managed";
import { printable } from "../terminal/style";
import { Reader } from "./connect";

export interface TokenAccount {
  readonly id: string;
  readonly name?: string | undefined;
}

/** A token of one account, and resources of another. */
export interface AccountMismatch {
  readonly platform: string;
  readonly token: TokenAccount;
  /** Accounts of the resources, other than the token's. */
  readonly resourceAccounts: readonly string[];
  /** The resources that this token cannot manage. */
  readonly urns: readonly string[];
}

/** Resources whose record names the account that owns it. An `Account` is what was made, not whose token made it. */
const owned: readonly string[] = ["WhitelistedIp", "IpWhitelist", "DataStore", "Command"];

/** The account that a resource belongs to, if the state tells. */
export function accountOf({ type, id, state }: Managed): string | undefined {
  if (!owned.includes(type)) return undefined;
  const { accountId } = state;
  if (typeof accountId === "number" || (typeof accountId === "string" && accountId !== "")) return String(accountId);
  return type === "IpWhitelist" && /^\d+$/.test(id) ? id : undefined;
}

/** Where to look, best first, when the token may not view its account. */
const witnesses: readonly { readonly ask: string; readonly inputs?: Record<string, unknown>; readonly list: string }[] =
  [
    { ask: "getWhitelistedIps", list: "whitelistedIps" },
    { ask: "getCommandHistory", inputs: { limit: 1 }, list: "commands" },
  ];

/** The account behind the token: as the account itself says, else as records say that the token may read. */
export async function accountBehind(client: Client): Promise<TokenAccount | undefined> {
  const reader = new Reader(client);
  try {
    const { id, name } = await reader.run("getAccount");
    return { id: String(id), ...(typeof name === "string" ? { name } : {}) };
  } catch (error) {
    // A platform that does not answer would not answer the next question either.
    if (!isPlatformError(error, "forbidden", "not-found", "rejected", "bad-answer")) return undefined;
  }
  for (const { ask, inputs, list } of witnesses) {
    const id = await reader.run(ask, inputs).then(
      (answer) =>
        (answer[list] as { accountId?: number }[]).find(({ accountId }) => accountId !== undefined)?.accountId,
      () => undefined,
    );
    if (id !== undefined) return { id: String(id) };
  }
  return undefined;
}

/** What of the resources with the same settings the token's account does not own. */
export function mismatchOf(
  platform: string,
  token: TokenAccount | undefined,
  resources: readonly Managed[],
): AccountMismatch | undefined {
  if (!token) return undefined;
  const accounts = resources.map((resource) => ({ resource, account: accountOf(resource) }));
  const others = accounts.filter(({ account }) => account !== undefined && account !== token.id);
  if (others.length === 0) return undefined;
  // When nothing belongs to the token's account, what does not tell its account is of another one too.
  const none = !accounts.some(({ account }) => account === token.id);
  const wrong = none ? accounts : others;
  return {
    platform,
    token,
    resourceAccounts: [...new Set(others.map(({ account }) => account!))].sort(),
    urns: wrong.map(({ resource }) => resource.urn),
  };
}

export function accountText({ id, name }: TokenAccount): string {
  return name === undefined ? `account ${id}` : `account ${id} (${printable(name)})`;
}

/** What is wrong, naming both accounts. */
export function mismatchText({ token, resourceAccounts, platform, urns }: AccountMismatch): string {
  const theirs = `account${resourceAccounts.length === 1 ? "" : "s"} ${resourceAccounts.join(", ")}`;
  const some = urns.length === 1 ? "1 resource of the stack belongs" : `${urns.length} resources of the stack belong`;
  return `wrong account: the token for ${platform} belongs to ${accountText(token)}, but ${some} to ${theirs}`;
}

/** `onStack`: ` --stack NAME`, or nothing. */
export function mismatchFix(onStack: string): string {
  return `pulumi config set --secret dataplatform:apiToken${onStack}   # a token of the resources' account`;
}
