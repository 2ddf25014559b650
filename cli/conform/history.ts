import type { Readings } from "../../emulator/readings";
import { hasEnded } from "../../provider/platform/commands/record";
import { type Fields, isFields } from "../../provider/values/json";
import { idOf, recordsIn, timeForm } from "./forms";
import type { Session } from "./session";
import { history } from "./specified";

const wholePage = { page: 1, per_page: 100 };

export async function readHistory(session: Session): Promise<void> {
  const { facts } = session;
  const query = { ...wholePage, include_query_properties: true };
  const inputs = { limit: 10 };
  const answer = await session.expectReadable("commands.history", "getCommandHistory", { query, inputs });
  if (!answer) return;
  session.check("commands.history", answer.json, history);
  readPageEnds(session, answer.fields["paging_info"]);
  const commands = recordsIn(answer.json, "commands");
  for (const command of commands) readCommand(session, command);
  const tagged = commands.map(tagsForm).find((form) => form !== undefined);
  session.reading("commands.history", "historyTags", tagged);
  const isDone = ({ status }: Fields) => String(status).toLowerCase() === "done";
  facts.command = commands.find(isDone) ?? commands.find(isOver) ?? commands[0];
  const tooMany = await session.ask("commands.history", { query: { per_page: 101 } });
  if (!tooMany.error)
    session.deviates("commands.history", "per_page=101 is accepted; the maximum is 100", undefined, "8");
}

/** As the provider understands it. */
export const isOver = ({ status }: Fields): boolean => typeof status === "string" && hasEnded(status);

/** Fields that are null until something happens. */
const emptyAtFirst = ["svc_session_id", "pid", "saved_query_mutable_id", "qlog", "resolved_macros"];

/** What any command object tells. */
export function readCommand(session: Session, command: Fields): void {
  const shown = emptyAtFirst.filter((name) => name in command);
  // An answer that is cut short says nothing about the fields that it lacks.
  if (!("command_type" in command)) return;
  if (shown.some((name) => command[name] === null)) session.reading("commands.history", "commandNulls", "null");
  else if (shown.length === 0) session.reading("commands.history", "commandNulls", "absent");
  const form = timeForm(command["created_at"]);
  session.reading("commands.history", "commandTimes", form, "created_at has another form");
}

function readPageEnds(session: Session, paging: unknown): void {
  if (!isFields(paging)) session.leaveOpen("historyPageEnds", "there is no paging_info");
  else if (!("previous_page" in paging)) session.reading("commands.history", "historyPageEnds", "absent");
  else if (paging["previous_page"] === null) session.reading("commands.history", "historyPageEnds", "null");
  else {
    session.deviates("commands.history", "previous_page of the first page is neither null nor absent");
    session.leaveOpen("historyPageEnds", "another form");
  }
}

/** Where a command shows its tags; undefined if it has none. */
export function tagsForm({ tags, command: inner }: Fields): Readings["historyTags"] | undefined {
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
  if (isList(tags)) return "tags";
  if (typeof tags === "string" && tags !== "" && !/^\s*\[/.test(tags)) return "text";
  return isFields(inner) && isList(inner["tags"]) ? "command.tags" : undefined;
}

export async function readOldHistory(session: Session): Promise<void> {
  const { error, fields } = await session.ask("commands.history", { body: { per_page: 1, page: 1 } });
  const { paging_info: paging } = fields;
  const isHeeded = isFields(paging) && Number(paging["per_page"]) === 1;
  if (!error && isHeeded) return;
  const what = `parameters in a JSON body are ${error ? "refused" : "ignored"}`;
  session.deviates("commands.history", what, "copes");
}

/** The commands with these ids that the history shows. */
export async function listedCommands(
  session: Session,
  ids: readonly string[],
  more: Record<string, boolean> = {},
): Promise<Fields[]> {
  const { json } = await session.ask("commands.history", { query: { ...wholePage, ...more } });
  return recordsIn(json, "commands").filter(({ id }) => ids.includes(idOf(id) ?? ""));
}
