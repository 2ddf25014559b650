import type { Readings } from "../../emulator/readings";
import { hasEnded } from "../../provider/platform/commands/record";
import { type Fields, isFields } from "../../provider/values/json";
import { firstOf, idOf, isTexts, recordsIn, timeForm } from "./forms";
import type { Session } from "./session";
import { history } from "./specified";

const wholePage = { page: 1, per_page: 100 };

export async function readHistory(session: Session): Promise<void> {
  const query = { ...wholePage, include_query_properties: true };
  const inputs = { limit: 10 };
  const answer = await session.expectReadable("commands.history", "getCommandHistory", { query, inputs });
  if (!answer) return;
  const { op, json, fields } = answer;
  answer.check(history);
  const { paging_info: paging } = fields;
  const previous = isFields(paging) ? paging["previous_page"] : undefined;
  if (!isFields(paging)) session.leaveOpen("historyPageEnds", "there is no paging_info");
  else op.reading("historyPageEnds", { absent: previous === undefined, null: previous === null }, "another form");
  if (previous !== undefined && previous !== null)
    op.deviates("previous_page of the first page is neither null nor absent");
  const commands = recordsIn(json, "commands");
  for (const command of commands) readCommand(session, command);
  const tagged = commands.map(tagsForm).find((form) => form !== undefined);
  op.reading("historyTags", tagged);
  const isDone = ({ status }: Fields) => String(status).toLowerCase() === "done";
  session.facts.command = commands.find(isDone) ?? commands.find(isOver) ?? commands[0];
  const tooMany = await session.ask("commands.history", { query: { per_page: 101 } });
  if (!tooMany.error) op.deviates("per_page=101 is accepted; the maximum is 100", undefined, "8");
}

/** As the provider understands it. */
export const isOver = ({ status }: Fields): boolean => typeof status === "string" && hasEnded(status);

/** Fields that are null until something happens. */
const emptyAtFirst = ["svc_session_id", "pid", "saved_query_mutable_id", "qlog", "resolved_macros"];

/** What any command object tells. */
export function readCommand(session: Session, command: Fields): void {
  // An answer that is cut short says nothing about the fields that it lacks.
  if (!("command_type" in command)) return;
  const op = session.op("commands.history");
  const shown = emptyAtFirst.filter((name) => name in command);
  op.reading("commandNulls", { null: shown.some((name) => command[name] === null), absent: shown.length === 0 });
  op.reading("commandTimes", timeForm(command["created_at"]), "created_at has another form");
}

/** Where a command shows its tags; undefined if it has none. */
export function tagsForm({ tags, command: inner }: Fields): Readings["historyTags"] | undefined {
  const isList = (value: unknown): boolean => isTexts(value) && value.length > 0;
  return firstOf({
    tags: isList(tags),
    text: typeof tags === "string" && tags !== "" && !/^\s*\[/.test(tags),
    "command.tags": isFields(inner) && isList(inner["tags"]),
  });
}

export async function readOldHistory(session: Session): Promise<void> {
  const { op, error, fields } = await session.ask("commands.history", { body: { per_page: 1, page: 1 } });
  const { paging_info: paging } = fields;
  const isHeeded = isFields(paging) && Number(paging["per_page"]) === 1;
  if (error || !isHeeded) op.deviates(`parameters in a JSON body are ${error ? "refused" : "ignored"}`, "copes");
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
