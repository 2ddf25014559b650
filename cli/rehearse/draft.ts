import type { Seed } from "../../emulator";
import { shortList } from "../terminal/plural";
import type { Production, ShownPolicy } from "./production";
import { numberOf, textOf } from "./thing";

export type AccountSeed = Seed["accounts"][number];
type Records<P extends keyof AccountSeed> = NonNullable<AccountSeed[P]> extends readonly (infer R)[] ? R : never;
export type UserSeed = Records<"users">;
type GroupSeed = Records<"groups"> & { roles: number[] };
type RoleSeed = Records<"roles">;
export type FolderSeed = Records<"folders">;
type EnvironmentSeed = Records<"environments"> & {
  python_package: Record<string, string>;
  r_package: Record<string, string>;
};
type TableSeed = Records<"hiveTables"> & { partitions: Record<string, string>[] };
export type PolicySeed = NonNullable<FolderSeed["policy"]>;

/** What production does not show, and what the rehearsal assumed instead. */
export interface Assumption {
  /** What is not known, in words that follow "not shown:". */
  readonly what: string;
  readonly assumed: string;
}

/** Collects assumptions; those about things of one kind become one line. */
class Assumptions {
  readonly #byText = new Map<string, { assumed: string; kind: string; names: Set<string> }>();

  /** `kind` with a "#" where the names of the things go: `the roles of group #`. */
  add(kind: string, assumed: string, name = ""): void {
    const key = `${kind}\n${assumed}`;
    const found = this.#byText.get(key) ?? { assumed, kind, names: new Set<string>() };
    found.names.add(name);
    this.#byText.set(key, found);
  }

  list(): Assumption[] {
    return [...this.#byText.values()].map(({ assumed, kind, names }) => ({
      what: kind.replace("#", shortList([...names])),
      assumed,
    }));
  }
}

/** Far from any id that the platform gives, so that nothing collides; nor do those of several accounts. */
const firstInvented = 900_000_001;
const perAccount = 1_000_000;
const exists = "it exists";

/**
 * The copy of the account while it is put together. What a resource names is looked up; where production cannot show
 * whether it exists, it is assumed to, and noted.
 */
export class Draft {
  readonly users = new Map<number, UserSeed>();
  readonly groups = new Map<number, GroupSeed>();
  readonly roles = new Map<number, RoleSeed>();
  readonly environments = new Map<number, EnvironmentSeed>();
  readonly folders: FolderSeed[] = [];
  readonly objects = new Map<string, Records<"objects">>();
  readonly tables = new Map<string, TableSeed>();
  readonly whitelist: Records<"whitelist">[] = [];
  readonly dataStores = new Map<number, Records<"dataStores">>();
  readonly commands = new Map<number, Records<"commands">>();
  /** Accounts that resources of the stack have created. */
  readonly others = new Map<number, AccountSeed>();
  readonly assumptions = new Assumptions();
  #invented: number;

  constructor(
    readonly production: Production,
    /** What production shows, by `type/id` and `type/location`. */
    readonly policies: ReadonlyMap<string, ShownPolicy>,
    /** What a secret of the state becomes. */
    readonly replaceSecret: (secret: string) => string,
    /** Of the account, among those of a rehearsal. */
    index: number,
  ) {
    this.#invented = firstInvented + index * perAccount;
  }

  /** An id that nothing on the platform has. */
  inventedId(): number {
    return this.#invented++;
  }

  /** By id or name. Undefined if production shows its groups, and this is not one of them. */
  group(reference: unknown): GroupSeed | undefined {
    return this.#find(this.groups, reference, this.production.groups, (text) => {
      this.assumptions.add("whether there is a group #", exists, text);
      return this.addGroup(numberOf(text), numberOf(text) === undefined ? text : `group ${text}`);
    });
  }

  addGroup(id: number | undefined, name: string): GroupSeed {
    const group = { id: id ?? this.inventedId(), name, roles: [] };
    this.groups.set(group.id, group);
    return group;
  }

  role(reference: unknown): RoleSeed | undefined {
    return this.#find(this.roles, reference, this.production.roles, (text) => {
      this.assumptions.add("whether there is a role #, and what it grants", "it exists, and grants nothing", text);
      const id = numberOf(text) ?? this.inventedId();
      const role = { id, name: numberOf(text) === undefined ? text : `role ${text}` };
      this.roles.set(id, role);
      return role;
    });
  }

  #find<T extends { name: string }>(
    known: ReadonlyMap<number, T>,
    reference: unknown,
    listed: unknown,
    assume: (text: string) => T,
  ): T | undefined {
    const text = textOf(reference);
    if (text === undefined) return undefined;
    const found = known.get(Number(text)) ?? [...known.values()].find(({ name }) => name === text);
    return found || listed ? found : assume(text);
  }

  user(reference: unknown): UserSeed | undefined {
    const text = textOf(reference)?.toLowerCase();
    if (text === undefined) return undefined;
    const found = [...this.users.values()].find(({ id, email }) => String(id) === text || email.toLowerCase() === text);
    if (found || this.production.users) return found;
    this.assumptions.add("whether there is a user #", "there is, and disabled", text);
    const id = numberOf(text) ?? this.inventedId();
    const email = numberOf(text) === undefined ? text : `user${text}@unknown.invalid`;
    return this.addUser({ id, user_id: id, email, token: `stand-in-user-${id}`, groups: [], status: "disabled" });
  }

  addUser(user: UserSeed): UserSeed {
    this.users.set(user.id, user);
    return user;
  }

  environment(reference: unknown): EnvironmentSeed | undefined {
    const id = numberOf(reference);
    if (id === undefined) return undefined;
    const found = this.environments.get(id);
    if (found) return found;
    this.assumptions.add("the packages of environment #", "those that the state records", String(id));
    const environment = { id, name: `environment ${id}`, python_package: {}, r_package: {} };
    this.environments.set(id, environment);
    return environment;
  }

  folder(type: unknown, location: unknown, id?: number): FolderSeed | undefined {
    const [kind, text] = [textOf(type), textOf(location)];
    if (text === undefined || (kind !== "notes" && kind !== "notebook_dashboards")) return undefined;
    const at = text.replace(/^\/+|\/+$/g, "");
    // A folder that has been renamed is known by its id.
    const found = this.folders.find((one) => one.id === id || (one.type === kind && one.location === at));
    if (found) return found;
    this.assumptions.add("whether there is a folder at #", exists, at);
    const folder: FolderSeed = {
      id: id ?? this.inventedId(),
      name: at.split("/").at(-1)!,
      location: at,
      type: kind,
      policy: [],
    };
    this.folders.push(folder);
    return folder;
  }

  table(schema: unknown, name: unknown): TableSeed | undefined {
    const [database, table] = [textOf(schema), textOf(name)];
    if (database === undefined || table === undefined) return undefined;
    const found = this.tables.get(`${database}.${table}`);
    // Production lists the tables of this schema alone.
    if (found || (database === "default" && this.production.tables)) return found;
    this.assumptions.add("whether there is a table #", exists, `${database}.${table}`);
    return this.addTable(database, table, []);
  }

  addTable(schema: string, name: string, columns: { name: string; type: string }[]): TableSeed {
    const table = { schema, name, columns, partitions: [] };
    this.tables.set(`${schema}.${name}`, table);
    return table;
  }
}
