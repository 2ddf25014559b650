import type { Readings } from "../../emulator/readings";
import { type Fields, isFields } from "../../provider/values/json";
import { type Answer, idOf, statusText, timeForm } from "./forms";
import { isOver, listedCommands, readCommand, tagsForm } from "./history";
import type { Session } from "./session";
import { command as commandShape, refreshCommand } from "./specified";

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
  const status = await session.expect("commands.status", { path });
  const view = isFields(status?.json) ? status.json : undefined;
  if (view) readStatus(session, view, listed);
  await session.expect("commands.logs", { path, isText: true });
  await session.expect("commands.errorLogs", { path });
  if ((view ?? listed)["status"] === "done") {
    const results = await session.expect("commands.results", { path });
    if (isFields(results?.json)) {
      const form = results.json["inline"] === false ? "location" : "inline";
      session.reading("commands.results", "commandResults", form);
    }
    await session.expect("commands.jobs", { path, isText: true });
  }
  await session.expect("commands.statusWithResults", { path });
}

function readStatus(session: Session, view: Fields, listed: Fields): void {
  const name = "commands.status";
  const { start_time, created_at, qlog } = view;
  if (typeof start_time === "number" || typeof start_time === "string") {
    const [run, made] = [timeForm(start_time), timeForm(created_at)];
    const asListed = timeForm(listed["start_time"]) === run && timeForm(listed["created_at"]) === made;
    if (asListed) session.reading(name, "commandStatusTimes", "as-history");
    else if (run === "epoch" && made === "text") session.reading(name, "commandStatusTimes", "epoch");
    else if (run === "epoch" && made === "iso") session.reading(name, "commandStatusTimes", "epoch-iso");
  }
  if (typeof qlog === "string" && /"columns"/.test(qlog)) session.reading(name, "commandStatusQlog", "columns");
  if (typeof listed["qlog"] !== "string") return;
  session.reading(name, "commandStatusQlog", listed["qlog"] === qlog ? "as-history" : "columns");
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
  if (failing) session.check("commands.submit", failing.shown["command"], refreshCommand, "2.2");
  if (!done) return;
  await readTags(session, done.id, tag);
  const ids = [done.id, ...(failing ? [failing.id] : [])];
  const ended = await waitForEnd(session, ids);
  for (const id of ids) {
    const listed = ended.get(id);
    if (listed) await viewCommand(session, id, listed);
    else session.note("commands.submit", `a command did not end within ${waitSeconds} s`);
  }
  // A 404 of the log may also mean that logs cannot be read; those of the other commands tell.
  if (session.has("commands.logs")) session.reading("commands.logs", "commandLogEarly", earlyLog);
  if (ended.has(done.id)) await writeCancelEnded(session, done.id);
}

const killing = (id: string) => ({ path: { id }, body: { status: "kill" } });

async function submit(
  session: Session,
  body: Fields & { readonly name: string },
): Promise<{ id: string; shown: Fields } | undefined> {
  const { facts } = session;
  const what = `command ${body.name}`;
  let id: string | undefined;
  /** A command stays in the history; one that still runs is cancelled where that is possible. */
  const undo = async () => {
    const mayRun = id !== undefined && !facts.ended.has(id);
    if (mayRun && !session.isLacking("commands.cancel")) await session.ask("commands.cancel", killing(id!));
    return { stays: `${what} in the history` };
  };
  const answer = await session.expect("commands.submit", { body }, { what, undo });
  if (!answer || !isFields(answer.json)) return undefined;
  const shown = answer.json;
  id = idOf(shown["id"]);
  session.check("commands.submit", shown, commandShape, "2.2");
  readCommand(session, shown);
  checkEchoes(session, body, shown);
  if (id !== undefined) return { id, shown };
  session.deviates("commands.submit", "the answer has no id", "needs this", "2.2");
  return undefined;
}

/** Section 2.2: these repeat what was submitted, and are null if nothing was. */
function checkEchoes(session: Session, body: Fields, shown: Fields): void {
  for (const name of ["name", "timeout", "template", "pool"]) {
    const [sent, echo] = [body[name] ?? null, shown[name] ?? null];
    if (sent === echo || !(name in shown)) continue;
    const what =
      sent === null
        ? `${name} has a value, although the command was submitted without one: it should repeat what was submitted, or be null`
        : `${name} is not what was submitted`;
    session.deviates("commands.submit", what, "copes", "2.2");
  }
}

/** Returns what the log of the command was before the command started. */
async function writeCancel(session: Session, id: string): Promise<Readings["commandLogEarly"] | undefined> {
  const { facts } = session;
  const { waitSeconds, pauseMs = 1000 } = session.options;
  const log = await session.ask("commands.logs", { path: { id }, isText: true });
  const isMissing = log.error?.code === "not-found";
  if (log.error && isMissing) session.failed("commands.logs", log.error);
  const early = isMissing ? "404" : !log.error && log.text === "" ? "empty" : undefined;
  const started = performance.now();
  const cancelled = await session.expect("commands.cancel", killing(id));
  if (!cancelled) return early;
  session.form("commands.cancel", "cancelAnswer", cancelForm(cancelled), cancelled);
  const limit = started + waitSeconds * 1000;
  while (performance.now() < limit) {
    const { json, fields, error } = await session.ask("commands.status", { path: { id } });
    if (error || !isFields(json)) return early;
    if (fields["status"] !== "cancelling") {
      facts.ended.add(id);
      session.reading("commands.cancel", "cancelSeconds", Math.floor((performance.now() - started) / 1000));
      return early;
    }
    await session.pause(Math.min(100, pauseMs));
  }
  session.leaveOpen("cancelSeconds", `still cancelling after ${waitSeconds} s`);
  return early;
}

function cancelForm({ json, fields, text, status }: Answer): Readings["cancelAnswer"] | undefined {
  if (status === 204) return "204";
  if (text.trim() === "") return "empty";
  if (!isFields(json)) return undefined;
  const names = Object.keys(fields).sort().join();
  if (names === "") return "object";
  if (names === "status") return fields["status"] === "kill" ? "status" : undefined;
  if (names === "id,status") return "id-status";
  return "command_type" in fields ? "command" : undefined;
}

async function writeCancelEnded(session: Session, id: string): Promise<void> {
  if (session.isLacking("commands.cancel")) return;
  const { error } = await session.ask("commands.cancel", killing(id));
  session.reading("commands.cancel", "cancelEnded", error ? "refused" : "accepted");
  if (error && error.status !== 422)
    session.note("commands.cancel", `refused for an ended command (${statusText(error)}), not 422`);
}

const looksForTags = 6;

/** Where the history shows the tags, and in which answer for the first time. */
async function readTags(session: Session, id: string, tag: string): Promise<void> {
  const name = "commands.history";
  let without = 0;
  for (let look = 0; look < looksForTags; look++) {
    if (look > 0) await session.pause();
    const [listed] = await listedCommands(session, [id], { include_query_properties: true });
    if (!listed) continue;
    if (JSON.stringify(listed).includes(tag)) {
      const elsewhere = "another place: the tags are there, but not where the emulator has them";
      session.reading(name, "historyTags", tagsForm(listed), elsewhere);
      session.reading(name, "historyTagsLate", without);
      if (without > 0) session.note(name, `tags show up late, in answer ${without + 1}`);
      return;
    }
    without++;
  }
  if (without === 0) return session.deviates(name, "a submitted command is not in the history", "needs this");
  session.reading(name, "historyTags", "never");
  session.deviates(name, "include_query_properties does not add the tags", "needs this");
  session.leaveOpen("historyTagsLate", "tags are never shown");
}

/** Those that have ended, as the history shows them. */
async function waitForEnd(session: Session, ids: readonly string[]): Promise<Map<string, Fields>> {
  const limit = performance.now() + session.options.waitSeconds * 1000;
  for (;;) {
    const listed = await listedCommands(session, ids);
    const ended = new Map(listed.filter(isOver).map((each) => [idOf(each["id"])!, each]));
    for (const id of ended.keys()) session.facts.ended.add(id);
    if (ended.size === ids.length || performance.now() > limit) return ended;
    await session.pause();
  }
}
