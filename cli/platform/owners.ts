import type { Client } from "../../provider/api/client";
import type { Managed } from "../pulumi/managed";
import {
  type AccountMismatch,
  accountOf,
  accountOfToken,
  accountText,
  mismatchOf,
  type TokenAccount,
} from "./accounts";

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

  /** Asks for the account of a token even if no resource names one. */
  ask(client: Client): void {
    this.#groupOf(client).account ??= accountOfToken(client);
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
