import { parsePackage } from "../../provider/platform/packages";
import { encodePolicy, type Policy } from "../../provider/values/policy";
import type { Draft, FolderSeed, PolicySeed } from "./draft";
import { standIn, takeAddress, takeDataStore } from "./listed";
import { isKnown, listOf, numberOf, type Thing, textOf } from "./thing";

interface Filling {
  readonly draft: Draft;
  readonly thing: Thing;
  /** False for one that is planned only. */
  readonly isThere: boolean;
}

/** Puts what a resource of the state stands for into the draft, and what any resource names. */
export function takeThing(filling: Filling): void {
  const { draft, thing, isThere } = filling;
  if (Object.hasOwn(fillers, thing.type)) fillers[thing.type]!(filling);
  else if (isThere)
    draft.assumptions.add("what # is on the platform", "nothing, so the rehearsal creates it", thing.type);
}

const fillers: Readonly<Record<string, (filling: Filling) => void>> = {
  WhitelistedIp({ draft, thing: { id, state }, isThere }) {
    if (isThere && !draft.production.whitelist) assumeAddress(draft, state["ipCidr"], id);
  },
  IpWhitelist({ draft, thing: { state }, isThere }) {
    if (isThere && !draft.production.whitelist)
      for (const address of listOf(state["addresses"])) assumeAddress(draft, address);
  },
  Account: (filling) => filling.isThere && takeAccount(filling),
  DataStore({ draft, thing: { id, state }, isThere }) {
    if (!isThere) return assumeConnection(draft, state);
    const listed = draft.production.dataStores?.find((row) => String(row["id"]) === id);
    // The list does not show gateways; the state does.
    if (listed) takeDataStore(draft, { ...state, ...listed });
    else if (!draft.production.dataStores) takeDataStore(draft, { ...state, id });
  },
  Role({ draft, thing: { id, state }, isThere }) {
    if (isThere && !draft.production.roles) draft.role(numberOf(id) ?? state["name"]);
  },
  Group({ draft, thing: { id, state }, isThere }) {
    if (isThere && !draft.production.groups) draft.addGroup(numberOf(id), textOf(state["name"]) ?? id);
    for (const user of listOf(state["members"])) draft.user(user);
    for (const role of listOf(state["roles"])) draft.role(role);
  },
  GroupMembership({ draft, thing: { state } }) {
    draft.group(state["group"]);
    for (const user of listOf(state["users"])) draft.user(user);
  },
  GroupRoleAssignment: ({ draft, thing: { state }, isThere }) =>
    takeRoles(draft, state["groupId"], [state["role"]], isThere),
  GroupRoles: ({ draft, thing: { state }, isThere }) =>
    takeRoles(draft, state["groupId"], listOf(state["roles"]), isThere),
  ObjectPolicy: takeObject,
  ObjectGrant: takeObject,
  FolderPolicy: takeFolderPolicy,
  FolderGrant: takeFolderPolicy,
  Folder({ draft, thing: { state }, isThere }) {
    const location = isThere ? (state["currentLocation"] ?? state["location"]) : state["location"];
    draft.folder(state["type"], location, numberOf(state["folderId"]));
  },
  PackageSet: takePackages,
  PartitionSensor: takePartitions,
  EnabledUser({ draft, thing: { state }, isThere }) {
    const user = draft.user(state["svcUserId"]);
    if (user && isThere && !draft.production.users) user.status = "enabled";
  },
  Command({ draft, thing, isThere }) {
    const { dbName, hiveTable } = (thing.state["tableRefresh"] ?? {}) as Record<string, unknown>;
    draft.table(dbName, hiveTable);
    if (isThere) takeCommand(draft, thing);
  },
};

/** The platform tests the connection when it creates a data store; the emulator has no network to test. */
function assumeConnection({ assumptions }: Draft, { dbHost, skipValidation }: Thing["state"]): void {
  if (skipValidation === true) return;
  assumptions.add("whether the platform reaches the database at #", "yes", textOf(dbHost) ?? "a host not known yet");
}

function assumeAddress(draft: Draft, ipCidr: unknown, id?: string): void {
  if (textOf(ipCidr) === undefined) return;
  draft.assumptions.add("the whitelist", "the addresses that the state records");
  takeAddress(draft, { id, ipCidr });
}

function takeAccount({ draft, thing: { id: given, state } }: Filling): void {
  const id = numberOf(given);
  if (id === undefined || draft.others.has(id) || id === numberOf(draft.production.account?.["id"])) return;
  const group = { id: draft.inventedId(), name: "system-admin" };
  const token = textOf(state["authenticationToken"]);
  const owner = { id: draft.inventedId(), user_id: 1, email: "owner@unknown.invalid", groups: [group.id] };
  draft.others.set(id, {
    id,
    name: textOf(state["name"]) ?? "unknown",
    idle_session_timeout: numberOf(state["idleSessionTimeout"]) ?? 1440,
    storage_location: textOf(state["defloc"]) ?? "",
    storage_access_key: isKnown(state["storageAccessKey"]) ? standIn : "",
    storage_secret_key: isKnown(state["storageSecretKey"]) ? standIn : "",
    groups: [group],
    users: [{ ...owner, token: token === undefined ? `stand-in-account-${id}` : draft.replaceSecret(token) }],
  });
}

function takeRoles(draft: Draft, groupId: unknown, references: readonly unknown[], isThere: boolean): void {
  const group = draft.group(groupId);
  const isShown = draft.production.groupParts.get(String(group?.id))?.roles !== undefined;
  if (group && !isShown)
    draft.assumptions.add("the roles of group #", "those that the state records", String(group.id));
  for (const role of references.map((reference) => draft.role(reference)))
    if (group && role && isThere && !isShown && !group.roles.includes(role.id)) group.roles.push(role.id);
}

function takeObject({ draft, thing: { state }, isThere }: Filling): void {
  const [type, id] = [textOf(state["sourceType"]), numberOf(state["sourceId"])];
  if (type === undefined || id === undefined || draft.objects.has(`${type}/${id}`)) return;
  const shown = draft.policies.get(`${type}/${id}`);
  if (shown === "absent") return;
  if (shown === undefined) draft.assumptions.add("the policy of #", "the one that the state records", `${type} ${id}`);
  const policy = policySeed(shown ?? (isThere ? state["policy"] : []));
  draft.objects.set(`${type}/${id}`, { source_type: type as "note", id, name: `${type} ${id}`, policy });
}

/** A policy in the API's spelling. */
function policySeed(policy: unknown): PolicySeed {
  return JSON.parse(encodePolicy((policy ?? []) as Policy)) as PolicySeed;
}

const withPolicy = new WeakSet<FolderSeed>();

function takeFolderPolicy({ draft, thing: { state }, isThere }: Filling): void {
  const folder = draft.folder(state["type"], state["location"]);
  if (!folder || withPolicy.has(folder)) return;
  const found = draft.policies.get(`${folder.type}/${folder.location}`);
  const shown = found === "absent" ? undefined : found;
  if (shown === undefined)
    draft.assumptions.add("the policy of the folder at #", "the one that the state records, if any", folder.location);
  if (shown === undefined && !isThere) return;
  withPolicy.add(folder);
  folder.policy = policySeed(shown ?? state["policy"]);
}

function takePackages({ draft, thing: { state }, isThere }: Filling): void {
  const environment = draft.environment(state["envId"]);
  if (!environment || !isThere) return;
  const installed = state["sourceType"] === "r_package" ? environment.r_package : environment.python_package;
  for (const entry of [...listOf(state["packages"]), ...listOf(state["repoPackages"])]) {
    const { name, version } = parsePackage(entry as string);
    // Nothing tells which version a bare name installed.
    installed[name] = version ?? "0";
  }
}

const mostPartitions = 10_000;

function takePartitions({ draft, thing: { state }, isThere }: Filling): void {
  const table = draft.table(state["schema"], state["table"]);
  const columns = listOf(state["columns"]) as { column: string; values: unknown }[];
  if (!table) return;
  for (const { column } of columns)
    if (!table.columns.some(({ name }) => name === column)) table.columns.push({ name: column, type: "string" });
  if (isThere && state["ready"] === false) return;
  draft.assumptions.add(
    "the partitions of table #",
    "those that sensors wait for exist",
    `${table.schema}.${table.name}`,
  );
  let rows: Record<string, string>[] = [{}];
  for (const { column, values } of columns)
    rows = rows.flatMap((row) => valuesOf(values).map((value) => ({ ...row, [column]: value })));
  if (columns.length > 0 && table.partitions.length + rows.length <= mostPartitions) table.partitions.push(...rows);
}

/** An array, or a text such as `[2024-01-01, 2024-01-02]`. */
function valuesOf(values: unknown): string[] {
  if (Array.isArray(values)) return values.map(String);
  return String(values)
    .replace(/^\s*\[|\]\s*$/g, "")
    .split(",")
    .map((value) => value.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

function takeCommand(draft: Draft, { id: given, state }: Thing): void {
  const id = numberOf(given);
  if (id === undefined) return;
  const submitted = Date.parse(textOf(state["createdAt"]) ?? "") || 0;
  const outcome = state["status"] === "error" || state["status"] === "cancelled" ? state["status"] : "done";
  const copy = (state["s3DistCp"] ?? {}) as Record<string, unknown>;
  draft.commands.set(id, {
    id,
    user_id: numberOf(state["userId"]) ?? 1,
    command_type: (textOf(state["commandType"]) ?? "SparkCommand") as "SparkCommand",
    command: {},
    submitted,
    label: textOf(state["label"]) ?? "default",
    name: textOf(state["name"]) ?? null,
    pool: null,
    timeout: numberOf(state["timeout"]) ?? 129_600,
    template: state["tableRefresh"] === undefined ? "generic" : "s3import",
    tags: listOf(state["tags"]).map(String),
    macros: [],
    output: outcome === "done" ? (textOf(copy["dest"]) ?? null) : null,
    plan: { startAt: submitted, endAt: submitted, outcome, reason: null },
  });
}
