import {
  type Account,
  accountSchema,
  type FullSeed,
  type Part,
  partNames,
  type RecordOf,
  type Records,
  type Settings,
  settingsSchema,
  type User,
} from "./records";

/** Every possible change to the state. The journal is a list of these. */
export type Change =
  | ["clear"]
  | ["settings", Settings]
  | ["account", Account]
  | ["sequence", string, number]
  | ["put", Part, number, RecordOf<Part>]
  | ["delete", Part, number, string];

/** First id of a kind without records in the seed. */
const firstIds: Record<string, number> = {
  accounts: 1001,
  users: 101,
  personIds: 11,
  groups: 201,
  roles: 301,
  whitelist: 1,
  commands: 10001,
  dataStores: 601,
  sensors: 801,
  environments: 401,
  folders: 701,
  objects: 501,
};

export function keyOf(part: Part, record: RecordOf<Part>): string {
  if (part === "hiveTables") {
    const table = record as Records["hiveTables"];
    return `${table.schema}.${table.name}`;
  }
  if (part === "objects") {
    const object = record as Records["objects"];
    return `${object.source_type}.${object.id}`;
  }
  return String((record as { id: number }).id);
}

/** The state of all accounts. Every mutation is a Change, so that it can be journaled and replayed. */
export class Store {
  readonly accounts = new Map<number, Account>();
  settings: Settings = settingsSchema.parse({});
  /** Number of changes since the start. */
  changes = 0;
  readonly #tables = new Map<string, Map<string, RecordOf<Part>>>();
  readonly #sequences = new Map<string, number>();
  readonly #tokens = new Map<string, { account: number; key: string }>();

  constructor(private readonly onChange: (change: Change) => void = () => {}) {}

  get<P extends Part>(part: P, account: number, key: string | number): RecordOf<P> | undefined {
    return this.#table(part, account).get(String(key)) as RecordOf<P> | undefined;
  }

  list<P extends Part>(part: P, account: number): RecordOf<P>[] {
    return [...this.#table(part, account).values()] as RecordOf<P>[];
  }

  put<P extends Part>(part: P, account: number, record: RecordOf<P>): RecordOf<P> {
    this.change(["put", part, account, record]);
    return record;
  }

  delete(part: Part, account: number, key: string | number): void {
    this.change(["delete", part, account, String(key)]);
  }

  putAccount(account: Account): void {
    this.change(["account", account]);
  }

  setSettings(changes: Partial<Settings>): void {
    this.change(["settings", { ...this.settings, ...changes }]);
  }

  nextId(kind: string): number {
    return (this.#sequences.get(kind) ?? (firstIds[kind] ?? 1) - 1) + 1;
  }

  userByToken(token: string): { account: Account; user: User } | undefined {
    const found = this.#tokens.get(token);
    const account = found && this.accounts.get(found.account);
    const user = found && this.get("users", found.account, found.key);
    return account && user ? { account, user } : undefined;
  }

  change(change: Change): void {
    this.changes += 1;
    this.apply(change);
    this.onChange(change);
  }

  apply(change: Change): void {
    switch (change[0]) {
      case "clear":
        this.#clear();
        break;
      case "settings":
        this.settings = change[1];
        break;
      case "account":
        this.accounts.set(change[1].id, change[1]);
        this.#bump("accounts", change[1].id);
        break;
      case "sequence":
        this.#bump(change[1], change[2]);
        break;
      case "put":
        this.#put(change[1], change[2], change[3]);
        break;
      case "delete":
        this.#delete(change[1], change[2], change[3]);
        break;
    }
  }

  /** Restores an earlier state from its changes, which are already in the journal. */
  restore(changes: readonly Change[]): void {
    this.changes += 1;
    this.#clear();
    for (const change of changes) this.apply(change);
  }

  /** The shortest list of changes that produces this state. */
  snapshot(): Change[] {
    const changes: Change[] = [["clear"], ["settings", this.settings]];
    for (const account of this.accounts.values()) {
      changes.push(["account", account]);
      for (const part of partNames)
        for (const record of this.list(part, account.id)) changes.push(["put", part, account.id, record]);
    }
    for (const [kind, value] of this.#sequences) changes.push(["sequence", kind, value]);
    return changes;
  }

  load(seed: FullSeed): void {
    this.change(["clear"]);
    this.change(["settings", settingsSchema.parse(seed.settings ?? {})]);
    for (const entry of seed.accounts) {
      this.putAccount(accountSchema.parse(entry));
      for (const part of partNames) for (const record of entry[part]) this.put(part, entry.id, record);
    }
  }

  /** The state in the shape of a seed. */
  toSeed(): FullSeed {
    const accounts = [...this.accounts.values()].map((account) => ({
      ...account,
      ...(Object.fromEntries(partNames.map((part) => [part, this.list(part, account.id)])) as {
        [P in Part]: RecordOf<P>[];
      }),
    }));
    return { accounts, settings: this.settings };
  }

  #clear(): void {
    this.accounts.clear();
    this.#tables.clear();
    this.#sequences.clear();
    this.#tokens.clear();
  }

  #put(part: Part, account: number, record: RecordOf<Part>): void {
    const key = keyOf(part, record);
    if (part === "users") {
      this.#dropToken(account, key);
      const user = record as User;
      this.#tokens.set(user.token, { account, key });
      this.#bump("personIds", user.user_id);
    }
    this.#table(part, account).set(key, record);
    if ("id" in record) this.#bump(part, record.id);
  }

  #delete(part: Part, account: number, key: string): void {
    if (part === "users") this.#dropToken(account, key);
    this.#table(part, account).delete(key);
  }

  #dropToken(account: number, key: string): void {
    const user = this.get("users", account, key);
    if (user) this.#tokens.delete(user.token);
  }

  #bump(kind: string, id: number): void {
    if (id > (this.#sequences.get(kind) ?? 0)) this.#sequences.set(kind, id);
  }

  #table(part: Part, account: number): Map<string, RecordOf<Part>> {
    const name = `${account}/${part}`;
    let table = this.#tables.get(name);
    if (!table) {
      table = new Map();
      this.#tables.set(name, table);
    }
    return table;
  }
}
