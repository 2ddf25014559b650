/** The platform's whole state as plain data: passed to tests and cloned for dry runs. */

export type UserState = "enabled" | "disabled" | "pending";

/** A change that becomes visible only after some reads or some time. */
export interface Delay {
  reads: number;
  at: number;
}

export interface User {
  /** The `id` of a get_users entry: what enable takes and what policies call svc_users. */
  id: number;
  /** The ordinary user ID. */
  userId: number;
  accountId: number;
  email: string;
  name: string;
  state: UserState;
  /** State before the last change, listed until the change is visible. */
  previous?: { state: UserState; delay: Delay };
  groups: number[];
  token: string;
  tokenDelay?: Delay;
}

export interface Group {
  id: number;
  accountId: number;
  name: string;
  roles: number[];
}

export interface Role {
  id: number;
  accountId: number;
  name: string;
  permissions: string[];
}

export interface Account {
  id: number;
  name: string;
  storageLocation: string | null;
  storageAccessKey: string | null;
  storageSecretKey: string | null;
  computeAccessKey: string | null;
  computeSecretKey: string | null;
  idleSessionTimeout: number | null;
  /** The create request as received, for assertions on parameters no view shows. */
  created: Record<string, unknown> | null;
}

export interface WhitelistEntry {
  id: number;
  accountId: number;
  /** As sent; a switch decides the listed spelling. */
  ip: string;
  createdAt: number;
  updatedAt: number;
  shown: Delay;
  /** Set while a deleted record is still listed. */
  gone?: Delay;
}

export interface Command {
  id: number;
  uid: number;
  accountId: number;
  /** `userId` of the submitter. */
  userId: number;
  commandType: string;
  command: Record<string, unknown>;
  parameters: Record<string, unknown>;
  tags: string[];
  name: string | null;
  label: string | null;
  pool: string | null;
  timeout: number | null;
  template: string | null;
  macros: unknown;
  createdAt: number;
  /** How often it was shown; drives its status. */
  seen: number;
  shown: Delay;
  tagsShown: Delay;
}

export interface DataStore {
  id: number;
  accountId: number;
  userId: number;
  active: boolean;
  name: string;
  dbName: string | null;
  dbHost: string | null;
  dbUser: string | null;
  dbPasswd: string | null;
  dbType: string;
  dbLocation: string | null;
  port: number | null;
  createdAt: number;
}

export interface PolicyElement {
  access: string;
  action?: string[];
  condition?: { svc_users?: (number | string)[]; svc_groups?: (number | string)[] };
}

export type SourceType = "note" | "cluster" | "scheduler" | "environment";

/** A notebook, cluster, scheduler or environment as the object of a policy. */
export interface PolicyObject {
  id: number;
  accountId: number;
  type: SourceType;
  name: string;
  /** `id` of the owning user. */
  owner: number;
  policy: PolicyElement[] | null;
  previous?: { policy: PolicyElement[] | null; delay: Delay };
}

export interface Folder {
  id: number;
  accountId: number;
  type: "notes" | "notebook_dashboards";
  name: string;
  location: string;
  policy: PolicyElement[] | null;
}

export interface InstalledPackage {
  name: string;
  version: string;
  source: "python_package" | "r_package";
}

export interface Environment {
  id: number;
  accountId: number;
  name: string;
  packages: InstalledPackage[];
  busyUntil: number;
}

export interface HiveTable {
  accountId: number;
  schema: string;
  name: string;
  columns: { name: string; type: string }[];
  partitions: Record<string, string>[];
}

export interface PlatformState {
  accounts: Account[];
  users: User[];
  groups: Group[];
  roles: Role[];
  whitelist: WhitelistEntry[];
  commands: Command[];
  dataStores: DataStore[];
  objects: PolicyObject[];
  folders: Folder[];
  environments: Environment[];
  hiveTables: HiveTable[];
  sensors: { accountId: number; schema: string; table: string; columns: unknown; status: boolean }[];
  counters: Record<string, number>;
}
