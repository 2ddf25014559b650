import type { Client } from "../../provider/api/client";
import type { Clients } from "../../provider/api/clients";
import { readSettings, type Settings } from "../../provider/api/settings";
import { accountOf, mismatchesIn, Owners, type Ownership } from "../platform/accounts";
import { type Managed, managedResources, settingsFinder } from "../pulumi/managed";
import type { Place } from "../pulumi/run";
import {
  nameOf,
  namesIn,
  namesOf,
  readConfig,
  readState,
  readStateFile,
  type StackConfig,
  type StateResource,
} from "../pulumi/stack";
import { plural } from "../terminal/plural";

/** A stack, or a file with the state of one. */
export interface Source {
  readonly project: string;
  readonly stack: string;
  readonly state: readonly StateResource[];
  /** Undefined for a file: it has no settings, so it only adds to what is managed. */
  readonly config?: StackConfig | undefined;
  readonly file?: string | undefined;
}

/** A resource and the stack that holds it. */
export interface Holder extends Managed {
  readonly source: Source;
}

/** Where an import goes. */
export interface Adopter {
  readonly stack?: string | undefined;
  /** The explicit provider, if the stack's own settings are for another account. */
  readonly provider?: string | undefined;
  /** What the user calls the account. */
  readonly label?: string | undefined;
  /** Where the user gave its token. */
  readonly place?: string | undefined;
}

/** Settings that come from no stack. */
export interface Given {
  readonly settings: Settings;
  readonly adopter: Adopter;
}

/** An account that the stacks have a token of. */
export interface Account {
  readonly platform: string;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** Several tokens may be for one account, and may read different things. */
  readonly clients: Client[];
  readonly holders: Holder[];
  readonly adopter: Adopter;
}

export type Accounts = Awaited<ReturnType<typeof accountsOf>>;

/**
 * The accounts of the tokens, each with the resources that belong to it. The tokens are those of the stacks, and others
 * that are given; without any, the one of the environment.
 */
export async function accountsOf(sources: readonly Source[], clients: Clients, given: readonly Given[] = []) {
  const owners = new Owners();
  const adopters = new Map<Client, Adopter>();
  const unread = new Map<string, string>();
  const note = (client: Client, adopter: Adopter): void => {
    void owners.accountOf(client);
    if (!adopters.has(client)) adopters.set(client, adopter);
  };
  for (const source of sources) connect(source, clients, { owners, note, unread });
  for (const { settings, adopter } of given) note(clients.of(settings), adopter);
  if (given.length === 0 && sources.every(({ config }) => !config)) note(clients.of(readSettings(() => undefined)), {});
  const ownerships = await owners.settle();
  const accounts = grouped(ownerships, adopters);
  const notes = sources.flatMap((source) => (source.config ? [] : addFile(source, accounts)));
  return {
    accounts,
    mismatches: mismatchesIn(ownerships),
    unread: [...unread].map(([what, why]) => ({ what, why })),
    notes,
  };
}

interface Connecting {
  readonly owners: Owners;
  readonly note: (client: Client, adopter: Adopter) => void;
  readonly unread: Map<string, string>;
}

/** Missing settings of the stack fail for everything; those of an explicit provider only for its own account. */
function connect(source: Source, clients: Clients, { owners, note, unread }: Connecting): void {
  const { config, state, stack } = source;
  if (!config) return;
  const settingsOf = settingsFinder(state, config);
  const holders = holdersIn(source);
  // A stack whose resources all have providers of their own says nothing about the account of its settings.
  if (holders.length === 0 || holders.some(({ provider }) => provider === undefined))
    note(clients.of(settingsOf({ provider: undefined })), { stack });
  for (const holder of holders) {
    const { provider } = holder;
    try {
      const client = owners.note(holder, clients.of(settingsOf(holder)));
      note(client, { stack, provider });
    } catch (error) {
      if (provider === undefined) throw error;
      unread.set(`the account of provider ${nameOf(provider)} of ${stack}`, (error as Error).message);
    }
  }
}

export function holdersIn(source: Source): Holder[] {
  return managedResources(source.state).map((resource) => ({ ...resource, source }));
}

/** One account for each address and account id. With a token of another account, nothing that it shows counts. */
function grouped(ownerships: readonly Ownership[], adopters: ReadonlyMap<Client, Adopter>): Account[] {
  const accounts: Account[] = [];
  for (const { client, token, resources, mismatch } of ownerships) {
    const wrong = new Set(mismatch?.urns);
    const own = (resources as Holder[]).filter(({ urn }) => !wrong.has(urn));
    if (mismatch && own.length === 0) continue;
    const platform = client.settings.baseUrl;
    const known = accounts.find((one) => token && one.platform === platform && one.id === token.id);
    const account = known ?? {
      platform,
      id: token?.id,
      name: token?.name,
      clients: [],
      holders: [],
      adopter: adopters.get(client) ?? {},
    };
    if (!known) accounts.push(account);
    account.holders.push(...own);
    // The extended API shows more.
    if (client.settings.extendedApi) account.clients.unshift(client);
    else account.clients.push(client);
  }
  return accounts;
}

/** Adds the resources of a state file to the accounts that they name. Returns what could not be told. */
function addFile(source: Source, accounts: readonly Account[]): string[] {
  const unclear: Holder[] = [];
  for (const holder of holdersIn(source)) {
    const account = accountFor(holder, accounts);
    if (account === "unclear") unclear.push(holder);
    else account?.holders.push(holder);
  }
  if (unclear.length === 0) return [];
  return [
    `${plural(unclear.length, "resource")} of ${source.file} ${unclear.length === 1 ? "does" : "do"} not say which account they belong to, and several are looked at, so they do not count as managed; run "pulumi up" there once, which records it, and export the state again`,
  ];
}

/** Undefined if it belongs to an account that nobody looks at. */
function accountFor(holder: Holder, accounts: readonly Account[]): Account | "unclear" | undefined {
  const own = accountOf(holder);
  const [only, ...others] = accounts;
  if (own === undefined) return others.length > 0 ? "unclear" : only;
  return accounts.find(({ id }) => id === own) ?? (others.length === 0 && only?.id === undefined ? only : undefined);
}

/** A stack of the project, with its state and its settings. */
export async function readStack(place: Place): Promise<Source & { readonly config: StackConfig }> {
  const [{ resources: state }, config] = await Promise.all([readState(place), readConfig(place)]);
  return { state, config, ...(await namesOf(place, state)) };
}

/** The state in a file that "pulumi stack export" has written. */
export function readFile(file: string): Source {
  const { resources: state } = readStateFile(file);
  const { project, stack } = namesIn(state) ?? { project: "", stack: "an empty state" };
  return { project, stack, state, file };
}
