import { z } from "zod";
import type { Readings } from "../../emulator/readings";
import { plural } from "../terminal/plural";
import { anyListIn, idOf, isRecord, type Json, recordsIn, timeForm } from "./forms";
import type { Session } from "./session";
import { checkShape, describedTable, history, tableNames, whitelistList } from "./specified";

export async function readWhitelist(session: Session): Promise<void> {
  const { findings } = session;
  const answer = await session.expect("whitelist.list");
  await session.providerReads("whitelist.list", "getWhitelistedIps");
  if (!answer) return;
  checkShape(findings, "whitelist.list", answer.json, whitelistList, "4.1");
  const entries = recordsIn(anyListIn(answer.json, "account_whitelisted_ips"));
  if (isRecord(answer.json) && "paging_info" in answer.json)
    findings.deviates("whitelist.list", "the list has pages, which the specification does not show");
  const others = entries.filter(({ account_id }) => {
    const owner = idOf(account_id);
    return owner !== undefined && session.facts.account !== undefined && owner !== session.facts.account.id;
  });
  if (others.length > 0)
    findings.deviates("whitelist.list", `lists ${plural(others.length, "record")} of other accounts`);
  findings.reading("whitelist.list", "whitelistOrder", orderOf(entries));
}

/** Only an order that is neither of the others proves itself. */
export function orderOf(entries: readonly Json[]): Readings["whitelistOrder"] | undefined {
  const ids = entries.map(({ id }) => Number(id));
  const addresses = entries.map(({ ip_cidr }) => String(ip_cidr));
  if (entries.length < 2 || ids.some(Number.isNaN)) return undefined;
  const rises = (list: readonly (number | string)[]) => list.every((one, at) => at === 0 || list[at - 1]! <= one);
  const fits = [
    ...(rises(ids) ? (["oldest-first"] as const) : []),
    ...(rises(ids.toReversed()) ? (["newest-first"] as const) : []),
    ...(rises(addresses) ? (["by-address"] as const) : []),
  ];
  return fits.length === 1 ? fits[0] : undefined;
}

export async function readHive(session: Session): Promise<void> {
  const { findings, facts } = session;
  const answer = await session.expect("hive.list");
  await session.providerReads("hive.list", "getHiveTables", { describe: true });
  if (!answer) return;
  checkShape(findings, "hive.list", answer.json, tableNames, "2.7");
  const names = Array.isArray(answer.json) ? answer.json.filter((one) => typeof one === "string") : [];
  facts.tables.push(...names);
  const described = await session.expect("hive.list", { query: { describe: true } });
  if (described) checkDescribed(session, described.json);
  await readFilter(session, names);
  await readEmptyList(session);
}

/** Objects with one key, which is the name of a table. */
function checkDescribed({ findings }: Session, json: unknown): void {
  const entries = Array.isArray(json) ? json : [];
  const isNamed = entries.every((entry) => isRecord(entry) && Object.keys(entry).length === 1);
  if (!Array.isArray(json) || !isNamed)
    findings.deviates("hive.list", "describe=true does not list objects with one key each", { section: "2.7" });
  const tables = recordsIn(entries).flatMap((entry) => Object.values(entry));
  checkShape(findings, "hive.list", tables, z.array(describedTable), "2.7");
}

async function readEmptyList(session: Session): Promise<void> {
  const none = await session.ask("hive.list", { query: { filter: "conform_no_such_table" } });
  if (none.error)
    return session.findings.deviates("hive.list", "a filter that matches nothing is refused", { section: "4.8" });
  checkShape(session.findings, "hive.list", none.json, tableNames, "2.7");
}

async function readFilter(session: Session, names: readonly string[]): Promise<void> {
  const { findings } = session;
  const name = names.find((one) => /^\w{3,}$/.test(one));
  if (name === undefined) return findings.leaveOpen("hiveFilter", "there is no table to filter for");
  const finds = async (filter: string) => {
    const { json } = await session.ask("hive.list", { query: { filter } });
    return Array.isArray(json) && json.includes(name);
  };
  const part = name.slice(1, -1);
  if (await finds(part)) findings.reading("hive.list", "hiveFilter", "search");
  else if (await finds(`.${part}.`)) findings.reading("hive.list", "hiveFilter", "whole");
  else
    findings.deviates("hive.list", "filter does not work as a regular expression on table names", { section: "4.8" });
  if (await finds(part.toUpperCase() === part ? part.toLowerCase() : part.toUpperCase()))
    findings.note("hive.list", "filter ignores letter case");
}

/** Fields that are null until something happens. */
const emptyAtFirst = ["svc_session_id", "pid", "saved_query_mutable_id", "qlog", "resolved_macros"];

export async function readHistory(session: Session): Promise<void> {
  const { findings, facts } = session;
  const query = { page: 1, per_page: 100, include_query_properties: true };
  const answer = await session.expect("commands.history", { query });
  await session.providerReads("commands.history", "getCommandHistory", { limit: 10 });
  if (!answer) return;
  checkShape(findings, "commands.history", answer.json, history, "4.6");
  readPageEnds(session, answer.json);
  const commands = recordsIn(anyListIn(answer.json, "commands"));
  for (const command of commands) noteCommand(session, command);
  const tagged = commands.map(tagsForm).find((form) => form !== undefined);
  findings.reading("commands.history", "historyTags", tagged);
  facts.command =
    commands.find(({ status }) => String(status).toLowerCase() === "done") ?? commands.find(hasEnded) ?? commands[0];
  await readLimits(session);
}

async function readLimits(session: Session): Promise<void> {
  const tooMany = await session.ask("commands.history", { query: { per_page: 101 } });
  if (!tooMany.error)
    session.findings.deviates("commands.history", "per_page=101 is accepted; the maximum is 100", { section: "8" });
}

/** As the provider understands them, in any case. */
const finalStatuses = ["done", "error", "cancelled", "canceled", "killed", "aborted", "terminated"];

export const hasEnded = ({ status }: Json): boolean =>
  typeof status === "string" && finalStatuses.includes(status.toLowerCase());

/** What any command object tells. */
export function noteCommand({ findings }: Session, command: Json): void {
  const shown = emptyAtFirst.filter((name) => name in command);
  // An answer that is cut short says nothing about the fields that it lacks.
  if (!("command_type" in command)) return;
  if (shown.some((name) => command[name] === null)) findings.reading("commands.history", "commandNulls", "null");
  else if (shown.length === 0) findings.reading("commands.history", "commandNulls", "absent");
  const form = timeForm(command["created_at"]);
  findings.reading("commands.history", "commandTimes", form);
  if (!form) findings.leaveOpen("commandTimes", "created_at has another form");
}

function readPageEnds({ findings }: Session, json: unknown): void {
  const paging = isRecord(json) ? json["paging_info"] : undefined;
  if (!isRecord(paging)) findings.leaveOpen("historyPageEnds", "there is no paging_info");
  else if (!("previous_page" in paging)) findings.reading("commands.history", "historyPageEnds", "absent");
  else if (paging["previous_page"] === null) findings.reading("commands.history", "historyPageEnds", "null");
  else {
    findings.deviates("commands.history", "previous_page of the first page is neither null nor absent");
    findings.leaveOpen("historyPageEnds", "another form");
  }
}

/** Where a command shows its tags; undefined if it has none. */
export function tagsForm(command: Json): Readings["historyTags"] | undefined {
  const { tags, command: inner } = command;
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
  if (isList(tags)) return "tags";
  if (typeof tags === "string" && tags !== "" && !/^\s*\[/.test(tags)) return "text";
  return isRecord(inner) && isList(inner["tags"]) ? "command.tags" : undefined;
}

export async function readOldHistory(session: Session): Promise<void> {
  const { findings } = session;
  const inBody = await session.ask("commands.history", { body: { per_page: 1, page: 1 } });
  const size =
    isRecord(inBody.json) && isRecord(inBody.json["paging_info"]) ? inBody.json["paging_info"]["per_page"] : undefined;
  if (inBody.error)
    findings.deviates("commands.history", "parameters in a JSON body are refused", { provider: "copes" });
  else if (Number(size) !== 1)
    findings.deviates("commands.history", "parameters in a JSON body are ignored", {
      provider: "copes",
    });
}
