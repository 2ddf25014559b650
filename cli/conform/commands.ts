import type { Readings } from "../../emulator/readings";
import { hasEnded } from "../../provider/platform/commands/record";
import { type Fields, isFields } from "../../provider/values/json";
import type { Answer } from "./answer";
import type { Op } from "./findings";
import { firstOf, idOf, isTexts, recordsIn, statusText, timeForm } from "./forms";
import type { Session } from "./session";
import { command as commandShape, history, refreshCommand } from "./specified";

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
const isOver = ({ status, end_time }: Fields): boolean =>
  typeof status === "string" && hasEnded({ status, endTime: end_time });

/** Fields that are null until something happens. */
const emptyAtFirst = ["svc_session_id", "pid", "saved_query_mutable_id", "qlog", "resolved_macros"];

/** What any command object tells. */
function readCommand(session: Session, command: Fields): void {
  // An answer that is cut short says nothing about the fields that it lacks.
  if (!("command_type" in command)) return;
  const op = session.op("commands.history");
  const shown = emptyAtFirst.filter((name) => name in command);
  op.reading("commandNulls", { null: shown.some((name) => command[name] === null), absent: shown.length === 0 });
  op.reading("commandTimes", timeForm(command["created_at"]), "created_at has another form");
}

/** Where a command shows its tags; undefined if it has none. */
function tagsForm({ tags, command: inner }: Fields): Readings["historyTags"] | undefined {
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

/** The commands with these ids that the history shows; undefined if it is refused. */
async function listedCommands(
  session: Session,
  ids: readonly string[],
  more: Record<string, boolean> = {},
): Promise<Fields[] | undefined> {
  const { op, json, error } = await session.ask("commands.history", { query: { ...wholePage, ...more } });
  if (error?.outcome === "refused") return void op.failed(error);
  return recordsIn(json, "commands").filter(({ id }) => ids.includes(idOf(id) ?? ""));
}

/** Commands of the history; a command of one's own tells more. */
export async function readCommands(session: Session): Promise<void> {
  const { command } = session.facts;
  const id = idOf(command?.["id"]);
  if (command && id !== undefined) return viewCommand(session, id, command);
  const all = ["status", "logs", "errorLogs", "results", "statusWithResults", "jobs"] as const;
  session.notTried("the history is empty", ...all.map((one) => `commands.${one}` as const));
}

/** Everything that can be read about one command. `listed`: how the history shows it. */
async function viewCommand(session: Session, id: string, listed: Fields): Promise<void> {
  const path = { id };
  const view = await session.expect("commands.status", { path });
  if (view && isFields(view.json)) readStatus(view.op, view.json, listed);
  await session.expect("commands.logs", { path, isText: true });
  await session.expect("commands.errorLogs", { path });
  if ((isFields(view?.json) ? view.json : listed)["status"] === "done") {
    const results = await session.expect("commands.results", { path });
    if (isFields(results?.json))
      results.op.reading("commandResults", results.json["inline"] === false ? "location" : "inline");
    await session.expect("commands.jobs", { path, isText: true });
  }
  await session.expect("commands.statusWithResults", { path });
}

function readStatus(op: Op, { start_time, created_at, qlog }: Fields, listed: Fields): void {
  if (typeof start_time === "number" || typeof start_time === "string") {
    const [run, made] = [timeForm(start_time), timeForm(created_at)];
    op.reading("commandStatusTimes", {
      "as-history": timeForm(listed["start_time"]) === run && timeForm(listed["created_at"]) === made,
      epoch: run === "epoch" && made === "text",
      "epoch-iso": run === "epoch" && made === "iso",
    });
  }
  if (typeof qlog === "string" && /"columns"/.test(qlog)) op.reading("commandStatusQlog", "columns");
  if (typeof listed["qlog"] !== "string") return;
  op.reading("commandStatusQlog", listed["qlog"] === qlog ? "as-history" : "columns");
}

/** Three commands: one that should succeed, one that cannot, and one that is cancelled at once. */
export async function writeCommands(session: Session): Promise<void> {
  const { mark, waitSeconds } = session.options;
  const spark = { command_type: "SparkCommand", language: "sql", sql: "select 1" };
  const cancelled = await submit(session, { ...spark, name: `conform-${mark}-cancelled` });
  const earlyLog = cancelled && (await writeCancel(session, cancelled.id));
  const tag = `conform-tag-${mark}`;
  const done = await submit(session, { ...spark, name: `conform-${mark}-done`, tags: [tag] });
  const refresh = { template: "s3import", db_name: "default", hive_table: `conform_${mark}` };
  const failing = await submit(session, { ...refresh, name: `conform-${mark}-refresh` });
  failing?.answer.check(refreshCommand, "2.2");
  if (!done) return;
  await readTags(session, done.id, tag);
  const ids = [done.id, ...(failing ? [failing.id] : [])];
  const ended = await waitForEnd(session, ids);
  for (const id of ids) {
    const listed = ended?.get(id);
    const why = ended
      ? `a command did not end within ${waitSeconds} s`
      : "whether it ended is not known: the history is refused";
    if (listed) await viewCommand(session, id, listed);
    else session.op("commands.submit").note(why);
  }
  // A 404 of the log may also mean that logs cannot be read; those of the other commands tell.
  const logs = session.op("commands.logs");
  if (logs.isThere) logs.reading("commandLogEarly", earlyLog);
  if (ended?.has(done.id)) await writeCancelEnded(session, done.id);
}

const killing = (id: string) => ({ path: { id }, body: { status: "kill" } });

async function submit(
  session: Session,
  body: Fields & { readonly name: string },
): Promise<{ readonly id: string; readonly answer: Answer } | undefined> {
  const what = `command ${body.name}`;
  let id: string | undefined;
  /** A command stays in the history; one that still runs is cancelled where that is possible. */
  const undo = async () => {
    const mayRun = id !== undefined && !session.facts.ended.has(id);
    if (mayRun && !session.op("commands.cancel").isLacking) await session.ask("commands.cancel", killing(id!));
    session.cleanup.stays(`${what} in the history`);
    return undefined;
  };
  const answer = await session.expect("commands.submit", { body }, { what, undo });
  if (!answer || !isFields(answer.json)) return undefined;
  const { op, fields } = answer;
  id = idOf(fields["id"]);
  answer.check(commandShape, "2.2");
  readCommand(session, fields);
  checkEchoes(op, body, fields);
  if (id !== undefined) return { id, answer };
  op.deviates("the answer has no id", "needs this", "2.2");
  return undefined;
}

/** Section 2.2: these repeat what was submitted, and are null if nothing was. */
function checkEchoes(op: Op, body: Fields, shown: Fields): void {
  for (const name of ["name", "timeout", "template", "pool"]) {
    const [sent, echo] = [body[name] ?? null, shown[name] ?? null];
    if (sent === echo || !(name in shown)) continue;
    const what =
      sent === null
        ? `${name} has a value, although the command was submitted without one: it should repeat what was submitted, or be null`
        : `${name} is not what was submitted`;
    op.deviates(what, "copes", "2.2");
  }
}

/** Returns what the log of the command was before the command started. */
async function writeCancel(session: Session, id: string): Promise<Readings["commandLogEarly"] | undefined> {
  const log = await session.ask("commands.logs", { path: { id }, isText: true });
  const isMissing = log.error?.code === "not-found";
  if (log.error && isMissing) log.op.failed(log.error);
  const started = performance.now();
  const cancelled = await session.expect("commands.cancel", killing(id));
  if (cancelled) {
    readCancelled(cancelled);
    await waitForCancel(session, id, started);
  }
  return isMissing ? "404" : !log.error && log.text === "" ? "empty" : undefined;
}

function readCancelled(answer: Answer): void {
  const { json, fields, status, isEmpty } = answer;
  const names = Object.keys(fields).sort().join();
  answer.form("cancelAnswer", {
    204: status === 204,
    empty: isEmpty,
    object: isFields(json) && names === "",
    status: names === "status" && fields["status"] === "kill",
    "id-status": names === "id,status",
    command: "command_type" in fields,
  });
}

async function waitForCancel(session: Session, id: string, started: number): Promise<void> {
  const { waitSeconds, pauseMs = 1000 } = session.options;
  while (performance.now() < started + waitSeconds * 1000) {
    const { json, fields, error } = await session.ask("commands.status", { path: { id } });
    if (error || !isFields(json)) return;
    if (fields["status"] !== "cancelling") {
      session.facts.ended.add(id);
      const seconds = Math.floor((performance.now() - started) / 1000);
      return session.op("commands.cancel").reading("cancelSeconds", seconds);
    }
    await session.pause(Math.min(100, pauseMs));
  }
  session.leaveOpen("cancelSeconds", `still cancelling after ${waitSeconds} s`);
}

async function writeCancelEnded(session: Session, id: string): Promise<void> {
  if (session.op("commands.cancel").isLacking) return;
  const { op, error } = await session.ask("commands.cancel", killing(id));
  op.reading("cancelEnded", error ? "refused" : "accepted");
  if (error && error.status !== 422) op.note(`refused for an ended command (${statusText(error)}), not 422`);
}

const looksForTags = 6;

/** Where the history shows the tags, and in which answer for the first time. */
async function readTags(session: Session, id: string, tag: string): Promise<void> {
  const op = session.op("commands.history");
  let without = 0;
  for (let look = 0; look < looksForTags; look++) {
    if (look > 0) await session.pause();
    const found = await listedCommands(session, [id], { include_query_properties: true });
    if (!found) return;
    const [listed] = found;
    if (listed && JSON.stringify(listed).includes(tag)) {
      const elsewhere = "another place: the tags are there, but not where the emulator has them";
      op.reading("historyTags", tagsForm(listed), elsewhere);
      op.reading("historyTagsLate", without);
      if (without > 0) op.note(`tags show up late, in answer ${without + 1}`);
      return;
    }
    if (listed) without++;
  }
  if (without === 0) return op.deviates("a submitted command is not in the history", "needs this");
  op.reading("historyTags", "never");
  op.deviates("include_query_properties does not add the tags", "needs this");
  session.leaveOpen("historyTagsLate", "tags are never shown");
}

/** Those that have ended, as the history shows them; undefined if it is refused. */
async function waitForEnd(session: Session, ids: readonly string[]): Promise<Map<string, Fields> | undefined> {
  const limit = performance.now() + session.options.waitSeconds * 1000;
  for (;;) {
    const listed = await listedCommands(session, ids);
    if (!listed) return undefined;
    const ended = new Map(listed.filter(isOver).map((each) => [idOf(each["id"])!, each]));
    for (const id of ended.keys()) session.facts.ended.add(id);
    if (ended.size === ids.length || performance.now() > limit) return ended;
    await session.pause();
  }
}
