import { randomBytes } from "node:crypto";
import type { Seed } from "../../emulator";
import type { Client } from "../../provider/api/client";
import { folders, type PolicyFolder } from "../../provider/platform/policies/folders";
import { objects, type PolicySource } from "../../provider/platform/policies/objects";
import type { StatusLine } from "../terminal/status-line";
import { type AccountSeed, type Assumption, Draft } from "./draft";
import { takeThing } from "./known";
import { accountFields, actingUser, takeLists } from "./listed";
import { type Production, readPolicy, readProduction, type ShownPolicy } from "./production";
import { numberOf, type Thing, textOf } from "./thing";

/** A seed for an emulator that answers like production. */
export interface AccountCopy {
  readonly seed: Seed;
  /** The emulator's own token. */
  readonly token: string;
  readonly assumptions: readonly Assumption[];
}

interface CopyOptions {
  readonly replaceSecret: (secret: string) => string;
  /** Of the account, among those of a rehearsal. */
  readonly index?: number;
  readonly token?: string | undefined;
}

/** Reads an account once, then copies it for any number of plans. */
export class AccountCopier {
  readonly #client: Client;
  readonly #progress: StatusLine;
  readonly #options: CopyOptions;
  readonly #token: string;
  readonly #policies = new Map<string, ShownPolicy>();
  #production: Production | undefined;

  constructor(client: Client, progress: StatusLine, options: CopyOptions) {
    this.#client = client;
    this.#progress = progress;
    this.#options = options;
    this.#token = options.token ?? `rehearsal-${randomBytes(16).toString("hex")}`;
  }

  /** `existing`: the resources of ours in the state; `planned`: those that the program creates or changes. */
  async copy(existing: readonly Thing[], planned: readonly Thing[]): Promise<AccountCopy> {
    this.#production ??= await readProduction(this.#client, this.#progress);
    await this.#readPolicies([...existing, ...planned]);
    const { replaceSecret, index = 0 } = this.#options;
    const draft = new Draft(this.#production, this.#policies, replaceSecret, index);
    takeLists(draft);
    const things = [
      ...existing.map((thing) => ({ thing, isThere: true })),
      ...planned.map((thing) => ({ thing, isThere: false })),
    ];
    // Folders first: they tell the ids of those that other resources name by their location.
    const rank = ({ thing }: (typeof things)[number]) => (thing.type === "Folder" ? 0 : 1);
    for (const one of things.sort((a, b) => rank(a) - rank(b))) takeThing({ draft, ...one });
    return this.#finished(draft, existing);
  }

  #finished(draft: Draft, existing: readonly Thing[]): AccountCopy {
    const { assumptions } = draft;
    const user = actingUser(draft);
    user.token = this.#token;
    const owner = existing.map(({ state }) => numberOf(state["accountId"])).find((id) => id !== undefined);
    assumptions.add("what support has enabled for the account", "everything");
    if (!draft.production.account) assumptions.add("the account", `account ${owner ?? 1}, without a name`);
    if (draft.commands.size > 0 || existing.length > 0)
      assumptions.add("how long commands take, and how they end", "they are done at once");
    if (draft.dataStores.size > 0) assumptions.add("passwords and keys of data stores", "stand-ins");
    const account = {
      ...accountFields(draft.production, owner),
      users: [...draft.users.values()],
      groups: [...draft.groups.values()],
      roles: [...draft.roles.values()],
      whitelist: draft.whitelist,
      commands: [...draft.commands.values()],
      dataStores: [...draft.dataStores.values()],
      hiveTables: [...draft.tables.values()],
      environments: [...draft.environments.values()],
      folders: draft.folders,
      objects: [...draft.objects.values()],
    };
    const others = [...draft.others.values()].filter(({ id }) => id !== account.id);
    const settings = { waitSeconds: 0, runSeconds: 0 };
    return { seed: { accounts: [account, ...others], settings }, token: this.#token, assumptions: assumptions.list() };
  }

  /** Reads the policies that are not known yet. */
  async #readPolicies(things: readonly Thing[]): Promise<void> {
    const wanted = new Map(things.flatMap(placeOf).filter(([key]) => !this.#policies.has(key)));
    await this.#progress.each("reading policies", [...wanted], 8, async ([key, at]) => {
      this.#policies.set(key, await readPolicy(this.#client, at));
    });
  }
}

/**
 * One seed of several accounts. What was read of an account counts more than what the state tells of it; a second token of
 * an account becomes one more user of it.
 */
export function joined(copies: readonly AccountCopy[]): AccountCopy {
  const [{ seed, token }] = copies as readonly [AccountCopy];
  const accounts = new Map<number, AccountSeed>();
  for (const one of copies) {
    const account = one.seed.accounts[0]!;
    const known = accounts.get(account.id);
    const users = account.users?.filter((user) => user.token === one.token) ?? [];
    const more = users.map((user) => ({ ...user, id: user.id! + secondToken }));
    accounts.set(account.id, known ? { ...known, users: [...(known.users ?? []), ...more] } : account);
  }
  for (const other of copies.flatMap((one) => one.seed.accounts.slice(1)))
    if (!accounts.has(other.id)) accounts.set(other.id, other);
  const assumptions = new Map(copies.flatMap((one) => one.assumptions.map((it) => [JSON.stringify(it), it])));
  return { seed: { ...seed, accounts: [...accounts.values()] }, token, assumptions: [...assumptions.values()] };
}

/** Added to the id of the user, which the account has already. */
const secondToken = 500_000_000;

/** What a resource sets the policy of, by the name that `known.ts` has for it. */
function placeOf({ type, state }: Thing): [string, PolicySource | PolicyFolder][] {
  const [isObject, isFolder] = [/^Object(Policy|Grant)$/.test(type), /^Folder(Policy|Grant)$/.test(type)];
  const [kind, name] = isObject ? [state["sourceType"], state["sourceId"]] : [state["type"], state["location"]];
  const id = `${textOf(kind)}/${textOf(name)?.replace(/^\/+|\/+$/g, "")}`;
  const found = isObject ? objects.inputsIn(id) : isFolder ? folders.inputsIn(id) : undefined;
  return found && textOf(kind) && textOf(name) ? [[id, found]] : [];
}
