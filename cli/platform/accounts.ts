import type { Client } from "../../provider/api/client";
import { isPlatformError } from "../../provider/api/errors";
import { accountOf as recordedAccount } from "../../provider/core/account";
import { urnParts } from "../../provider/core/urn";
import type { Managed } from "../pulumi/managed";
import { printable } from "../terminal/style";
import { Reader } from "./connect";

export interface TokenAccount {
  readonly id: string;
  readonly name?: string | undefined;
}

/** The token belongs to one account, some of the resources to another. */
export interface AccountMismatch {
  readonly platform: string;
  readonly token: TokenAccount;
  /** The accounts that own those resources. */
  readonly resourceAccounts: readonly string[];
  /** The resources that this token cannot manage. */
  readonly urns: readonly string[];
}

/** The account that owns a resource, if the state records it. An `Account` is not owned by the account that it created. */
export function accountOf({ type, state, definition }: Managed): string | undefined {
  if (!definition || type === "Account") return undefined;
  return recordedAccount(state) || undefined;
}

/** Records that name the account, best first, for a token that may not view its own. */
const fallbacks: readonly (readonly [call: string, list: string, inputs?: Record<string, unknown>])[] = [
  ["getWhitelistedIps", "whitelistedIps"],
  ["getCommandHistory", "commands", { limit: 1 }],
];

/**
 * The token's account: from the account itself, or from a record that the token may read. `run`: reads, or has read.
 * `goesOn`: whether to look at records after this error.
 */
export async function accountBy(
  run: Reader["run"],
  goesOn: (error: unknown) => boolean = () => true,
): Promise<TokenAccount | undefined> {
  try {
    const { id, name } = await run("getAccount");
    return { id: String(id), ...(typeof name === "string" ? { name } : {}) };
  } catch (error) {
    if (!goesOn(error)) return undefined;
  }
  for (const [call, list, inputs] of fallbacks) {
    const records = await run(call, inputs).then(
      (answer) => answer[list] as { accountId?: number }[],
      () => [],
    );
    const record = records.find(({ accountId }) => accountId !== undefined);
    if (record) return { id: String(record.accountId) };
  }
  return undefined;
}

export function accountOfToken(client: Client): Promise<TokenAccount | undefined> {
  const reader = new Reader(client);
  return accountBy(
    (name, inputs) => reader.run(name, inputs),
    // After any other error the platform is down: to read records would fail too.
    (error) => isPlatformError(error, "forbidden", "not-found", "rejected", "bad-answer"),
  );
}

/** The resources that the token's account does not own; `resources` all use the same settings. */
function mismatchOf(
  platform: string,
  token: TokenAccount | undefined,
  resources: readonly Managed[],
): AccountMismatch | undefined {
  if (!token) return undefined;
  const accounts = resources.map((resource) => ({ resource, account: accountOf(resource) }));
  const others = accounts.filter(({ account }) => account !== undefined && account !== token.id);
  if (others.length === 0) return undefined;
  // If nothing belongs to the token's account, assume the same of resources that do not name their account.
  const noneOwned = !accounts.some(({ account }) => account === token.id);
  const wrong = noneOwned ? accounts : others;
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

/** The error text; names both accounts. */
export function mismatchText({ token, resourceAccounts, platform, urns }: AccountMismatch): string {
  const theirs = `account${resourceAccounts.length === 1 ? "" : "s"} ${resourceAccounts.join(", ")}`;
  const some = urns.length === 1 ? "1 resource of the stack belongs" : `${urns.length} resources of the stack belong`;
  return `wrong account: the token for ${platform} belongs to ${accountText(token)}, but ${some} to ${theirs}`;
}

/** The same as a headline. */
export function mismatchHeadline(mismatch: AccountMismatch): string {
  const text = mismatchText(mismatch);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `onStack`: ` --stack NAME`, or empty. `provider`: the explicit one that has the token. */
export function mismatchFix(onStack: string, provider?: string): string {
  if (provider !== undefined)
    return `pass apiToken of the account that owns the resources to the provider ${printable(urnParts(provider).name)}, or, if they may stay there unmanaged: pulumi state delete${onStack} URN`;
  return `pulumi config set --secret dataplatform:apiToken${onStack}   # use a token of the account that owns the resources`;
}

interface Group {
  readonly resources: Set<Managed>;
  /** Fetched while the resources are read. Undefined until a resource names its account. */
  account?: Promise<TokenAccount | undefined>;
}

/** The resources that are read with one token, and whether they belong to its account. */
export interface Ownership {
  readonly client: Client;
  /** Undefined if no resource names its account, or the token may not view its own. */
  readonly token: TokenAccount | undefined;
  readonly resources: readonly Managed[];
  readonly mismatch: AccountMismatch | undefined;
}

/** Compares the account of each token with those of the resources that are read with it. */
export class Owners {
  readonly #groups = new Map<Client, Group>();

  note(resource: Managed, client: Client): Client {
    const group = this.#groupOf(client);
    group.resources.add(resource);
    if (accountOf(resource) !== undefined) group.account ??= accountOfToken(client);
    return client;
  }

  /** The account of a token, even if no resource names one. */
  accountOf(client: Client): Promise<TokenAccount | undefined> {
    const group = this.#groupOf(client);
    group.account ??= accountOfToken(client);
    return group.account;
  }

  async settle(): Promise<Ownership[]> {
    return Promise.all(
      [...this.#groups].map(async ([client, { resources: noted, account }]) => {
        const [token, resources] = [await account, [...noted]];
        return { client, token, resources, mismatch: mismatchOf(client.settings.baseUrl, token, resources) };
      }),
    );
  }

  #groupOf(client: Client): Group {
    const group: Group = this.#groups.get(client) ?? { resources: new Set() };
    this.#groups.set(client, group);
    return group;
  }
}

export function mismatchesIn(ownerships: readonly Ownership[]): AccountMismatch[] {
  return ownerships.flatMap(({ mismatch }) => mismatch ?? []);
}

/** Why a resource cannot be read with the token. `own`: its account, if the state names it. */
export function wrongAccountReason({ token, resourceAccounts }: AccountMismatch, own: string | undefined): string {
  const whose =
    own === undefined
      ? `the other resources belong to account ${resourceAccounts.join(", ")}`
      : `it belongs to account ${own}`;
  return `${whose}, but the token belongs to ${accountText(token)}, so it cannot be checked`;
}
