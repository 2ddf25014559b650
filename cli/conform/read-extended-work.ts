import type { Readings } from "../../emulator/readings";
import { anyListIn, idOf, isRecord, type Json, recordsIn, shapeOf, timeForm } from "./forms";
import type { Session } from "./session";

export async function readPackages(session: Session): Promise<void> {
  const { findings, facts, targets } = session;
  const answer = await session.expect("package.listEnvironments");
  if (answer) {
    const isBare = Array.isArray(answer.json);
    findings.reading("package.listEnvironments", "environmentsEnvelope", isBare ? "array" : "environments");
    facts.environment = idOf(recordsIn(anyListIn(answer.json, "environments"))[0]?.["id"]);
  }
  const known = [...new Set([targets.environment, facts.environment])].filter((id) => id !== undefined);
  if (known.length === 0) return session.notTried("pass --environment ID", "package.listPackages");
  for (const envId of known) {
    const list = await session.expect("package.listPackages", { path: { envId } });
    if (!list) return;
    if (isRecord(list.json)) readPackageList(session, list.json);
  }
}

/** What a list of packages tells; an empty one tells little. */
export function readPackageList({ findings }: Session, list: Json): void {
  const name = "package.listPackages";
  const packages = list["packages"];
  if (!isRecord(packages)) {
    findings.note(name, `the list is ${shapeOf(list)}`);
    return;
  }
  const keys = "python" in packages ? "short" : "python_package" in packages ? "source-types" : undefined;
  findings.reading(name, "packageKeys", keys);
  const forms = Object.values(packages).map(entriesForm);
  findings.reading(
    name,
    "packageEntries",
    forms.find((form) => form !== undefined),
  );
  findings.reading(name, "packageHistory", historyForm(list["installed_pkgs_history"]));
}

function entriesForm(entries: unknown): Readings["packageEntries"] | undefined {
  if (isRecord(entries)) return Object.keys(entries).length > 0 ? "map" : undefined;
  const first = Array.isArray(entries) ? entries[0] : undefined;
  if (typeof first === "string") return first.includes("==") ? "text" : "names";
  if (!isRecord(first)) return undefined;
  return "package_names" in first ? "requests" : "name" in first ? "objects" : undefined;
}

function historyForm(history: unknown): Readings["packageHistory"] | undefined {
  if (history === undefined) return "absent";
  if (Array.isArray(history)) return history.length === 0 ? "empty" : undefined;
  return isRecord(history) ? "requests" : undefined;
}

export async function readFolder(session: Session): Promise<void> {
  const { folder } = session.targets;
  if (!folder)
    return session.notTried("pass --folder TYPE/ID/LOCATION", "folders.viewPolicy", "folders.rename", "folders.policy");
  const { location, type } = folder;
  const { error } = await session.ask("folders.viewPolicy", { query: { location, type, source_type: "Folder" } });
  if (!error) return;
  const missing = session.findings.valueOf("policyMissing");
  const isClear = error.code !== "not-found" || !error.fromPlatform || (missing !== undefined && missing !== "404");
  if (isClear) session.failed("folders.viewPolicy", error);
  else
    session.notTried("answered with 404: the folder has no policy, or the operation is lacking", "folders.viewPolicy");
}

export async function readVersion2(session: Session): Promise<void> {
  const account = await session.expect("account.viewV2");
  if (account && !(isRecord(account.json) && "id" in account.json))
    session.findings.notThere("account.viewV2", `answers, but not with an account: ${shapeOf(account.json)}`);
  const list = await session.expect("whitelist.listV2");
  if (!list) return;
  // The specified list belongs to the same installation, and may show more than the specification says.
  session.findings.there("whitelist.list");
}

export async function readHiveTables(session: Session): Promise<void> {
  const { facts, findings, targets } = session;
  await session.expect("hive.tablesWithViews", { path: { schema: "default" } });
  const tables = [
    ...(targets.table ? [targets.table] : []),
    ...facts.tables.slice(0, 10).map((table) => ({ schema: "default", table })),
  ];
  const [first] = tables;
  if (!first)
    return session.notTried("pass --table SCHEMA.TABLE", "hive.table", "hive.partitions", "hive.tableProperties");
  await session.expect("hive.table", { path: first });
  await session.expect("hive.tableProperties", { path: first });
  for (const table of tables) {
    const answer = await session.expect("hive.partitions", { path: table });
    if (!answer) return;
    const form = namesForm(answer.json);
    if (form) return findings.reading("hive.partitions", "partitionNames", form);
  }
  findings.leaveOpen("partitionNames", "no partition has a special character; name a table that has one with --table");
}

function namesForm(json: unknown): Readings["partitionNames"] | undefined {
  const names = recordsIn(Array.isArray(json) ? json : []).map(({ PART_NAME }) => String(PART_NAME));
  const values = names.flatMap((name) => name.split("/").map((part) => part.slice(part.indexOf("=") + 1)));
  if (values.some((value) => /%[0-9A-F]{2}/.test(value))) return "escaped";
  return values.some((value) => /["#'*:=?\\{}[\]^]/.test(value)) ? "as-is" : undefined;
}

/** Commands of the history; a command of one's own tells more. */
export async function readCommands(session: Session): Promise<void> {
  const { command } = session.facts;
  const id = idOf(command?.["id"]);
  if (!command || id === undefined) {
    const all = ["status", "logs", "errorLogs", "results", "statusWithResults", "jobs"] as const;
    return session.notTried("the history is empty", ...all.map((one) => `commands.${one}` as const));
  }
  await viewCommand(session, id, command);
}

/** Everything that can be read about one command. `listed`: how the history shows it. */
export async function viewCommand(session: Session, id: string, listed: Json): Promise<void> {
  const path = { id };
  const status = await session.expect("commands.status", { path });
  if (status && isRecord(status.json)) readStatus(session, status.json, listed);
  await session.expect("commands.logs", { path, isText: true });
  await session.expect("commands.errorLogs", { path });
  const shown = isRecord(status?.json) ? status.json : listed;
  if (shown["status"] === "done") {
    const results = await session.expect("commands.results", { path });
    if (results && isRecord(results.json))
      session.findings.reading(
        "commands.results",
        "commandResults",
        results.json["inline"] === false ? "location" : "inline",
      );
    await session.expect("commands.jobs", { path, isText: true });
  }
  await session.expect("commands.statusWithResults", { path });
}

function readStatus({ findings }: Session, view: Json, listed: Json): void {
  const name = "commands.status";
  if (typeof view["start_time"] === "number" || typeof view["start_time"] === "string") {
    const [run, made] = [timeForm(view["start_time"]), timeForm(view["created_at"])];
    const asListed = timeForm(listed["start_time"]) === run && timeForm(listed["created_at"]) === made;
    if (asListed) findings.reading(name, "commandStatusTimes", "as-history");
    else if (run === "epoch" && made === "text") findings.reading(name, "commandStatusTimes", "epoch");
    else if (run === "epoch" && made === "iso") findings.reading(name, "commandStatusTimes", "epoch-iso");
  }
  const { qlog } = view;
  if (typeof qlog === "string" && /"columns"/.test(qlog)) findings.reading(name, "commandStatusQlog", "columns");
  if (typeof listed["qlog"] !== "string") return;
  findings.reading(name, "commandStatusQlog", listed["qlog"] === qlog ? "as-history" : "columns");
}
