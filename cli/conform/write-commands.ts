import type { Readings } from "../../emulator/readings";
import type { Client } from "../../provider/api/client";
import type { Undone } from "./cleanup";
import { type Answer, anyListIn, idOf, isRecord, type Json, recordsIn } from "./forms";
import { viewCommand } from "./read-extended-work";
import { hasEnded, noteCommand, tagsForm } from "./read-lists";
import { type Session, statusText } from "./session";
import { checkShape, command, refreshCommand } from "./specified";

/** Three commands: one that should succeed, one that cannot, and one that is cancelled at once. */
export async function writeCommands(session: Session): Promise<void> {
  const { mark } = session.options;
  const spark = { command_type: "SparkCommand", language: "sql", sql: "select 1" };
  const cancelled = await submit(session, { ...spark, name: `conform-${mark}-cancelled` });
  if (cancelled) await writeCancel(session, cancelled.id);
  const tag = `conform-tag-${mark}`;
  const done = await submit(session, { ...spark, name: `conform-${mark}-done`, tags: [tag] });
  const refresh = { template: "s3import", db_name: "default", hive_table: `conform_${mark}` };
  const failing = await submit(session, { ...refresh, name: `conform-${mark}-refresh` });
  if (failing) checkShape(session.findings, "commands.submit", failing.shown["command"], refreshCommand, "2.2");
  if (!done) return;
  await readTags(session, done.id, tag);
  const ended = await waitForEnd(session, [done.id, ...(failing ? [failing.id] : [])]);
  for (const { id } of [done, ...(failing ? [failing] : [])]) {
    const listed = ended.get(id);
    if (listed) await viewCommand(session, id, listed);
    else session.findings.note("commands.submit", `a command did not end within ${session.options.waitSeconds} s`);
  }
  await writeCancelEnded(session, done.id, ended.has(done.id));
}

interface Submitted {
  readonly id: string;
  readonly shown: Json;
}

async function submit(session: Session, body: Json): Promise<Submitted | undefined> {
  const { findings } = session;
  let id: string | undefined;
  session.cleanup.add(`command ${String(body["name"])}`, (client) => stop(session, client, id, String(body["name"])));
  const answer = await session.expect("commands.submit", { body });
  if (!answer || !isRecord(answer.json)) return undefined;
  const shown = answer.json;
  id = idOf(shown["id"]);
  checkShape(findings, "commands.submit", shown, command, "2.2");
  noteCommand(session, shown);
  checkEchoes(session, body, shown);
  if (id !== undefined) return { id, shown };
  findings.deviates("commands.submit", "the answer has no id", { section: "2.2", provider: "needs this" });
  return undefined;
}

/** Section 2.2: these repeat what was submitted, and are null if nothing was. */
function checkEchoes({ findings }: Session, body: Json, shown: Json): void {
  for (const name of ["name", "timeout", "template", "pool"]) {
    const [sent, echo] = [body[name] ?? null, shown[name] ?? null];
    if (sent === echo || !(name in shown)) continue;
    const what =
      sent === null
        ? `${name} has a value, although the command was submitted without one: it should repeat what was submitted, or be null`
        : `${name} is not what was submitted`;
    findings.deviates("commands.submit", what, { section: "2.2", provider: "copes" });
  }
}

/** A command stays in the history; one that still runs is cancelled where that is possible. */
async function stop(session: Session, client: Client, id: string | undefined, name: string): Promise<Undone> {
  const stays = { stays: `command ${name} in the history` };
  if (id === undefined || session.findings.isLacking("commands.cancel") || session.ended.has(id)) return stays;
  await session.ask("commands.cancel", { path: { id }, body: { status: "kill" } }, client);
  return stays;
}

async function writeCancel(session: Session, id: string): Promise<void> {
  const { findings } = session;
  const path = { id };
  const log = await session.ask("commands.logs", { path, isText: true });
  const early = log.error
    ? log.error.code === "not-found"
      ? "404"
      : undefined
    : log.text === ""
      ? "empty"
      : undefined;
  if (early === "404") session.failed("commands.logs", log.error!);
  const started = performance.now();
  const cancelled = await session.expect("commands.cancel", { path, body: { status: "kill" } });
  // A 404 of the log may also mean that logs cannot be read; the logs of the other commands tell.
  session.earlyLog = early;
  if (!cancelled) return;
  session.form("commands.cancel", "cancelAnswer", cancelForm(cancelled), { answer: cancelled });
  const limit = started + session.options.waitSeconds * 1000;
  while (performance.now() < limit) {
    const { json, error } = await session.ask("commands.status", { path });
    if (error || !isRecord(json)) return;
    if (json["status"] !== "cancelling") {
      session.ended.add(id);
      return findings.reading("commands.cancel", "cancelSeconds", Math.floor((performance.now() - started) / 1000));
    }
    await session.options.client.pause(Math.min(100, session.options.pauseMs));
  }
  findings.leaveOpen("cancelSeconds", `still cancelling after ${session.options.waitSeconds} s`);
}

function cancelForm({ json, text, status }: Answer): Readings["cancelAnswer"] | undefined {
  if (status === 204) return "204";
  if (text.trim() === "") return "empty";
  if (!isRecord(json)) return undefined;
  const names = Object.keys(json).sort().join();
  if (names === "") return "object";
  if (names === "status") return json["status"] === "kill" ? "status" : undefined;
  if (names === "id,status") return "id-status";
  return "command_type" in json ? "command" : undefined;
}

async function writeCancelEnded(session: Session, id: string, ended: boolean): Promise<void> {
  const { findings } = session;
  if (session.earlyLog !== undefined && findings.has("commands.logs"))
    findings.reading("commands.logs", "commandLogEarly", session.earlyLog);
  if (!ended || findings.isLacking("commands.cancel")) return;
  const { error } = await session.ask("commands.cancel", { path: { id }, body: { status: "kill" } });
  findings.reading("commands.cancel", "cancelEnded", error ? "refused" : "accepted");
  if (error && error.status !== 422)
    findings.note("commands.cancel", `refused for an ended command (${statusText(error)}), not 422`);
}

const looksForTags = 6;

/** Where the history shows the tags, and in which answer for the first time. */
async function readTags(session: Session, id: string, tag: string): Promise<void> {
  const { findings } = session;
  let without = 0;
  for (let look = 0; look < looksForTags; look++) {
    if (look > 0) await session.pause();
    const listed = (await historyOf(session, { include_query_properties: true })).find(
      (each) => idOf(each["id"]) === id,
    );
    if (!listed) continue;
    if (JSON.stringify(listed).includes(tag)) {
      const form = tagsForm(listed);
      findings.reading("commands.history", "historyTags", form);
      findings.reading("commands.history", "historyTagsLate", without);
      if (!form)
        findings.leaveOpen("historyTags", "another place: the tags are there, but not where the emulator has them");
      if (without > 0) findings.note("commands.history", `tags show up late, in answer ${without + 1}`);
      return;
    }
    without++;
  }
  if (without === 0)
    return findings.deviates("commands.history", "a submitted command is not in the history", {
      provider: "needs this",
    });
  findings.reading("commands.history", "historyTags", "never");
  findings.deviates("commands.history", "include_query_properties does not add the tags", { provider: "needs this" });
  findings.leaveOpen("historyTagsLate", "tags are never shown");
}

async function historyOf(session: Session, more: Record<string, boolean> = {}): Promise<Json[]> {
  const { json } = await session.ask("commands.history", { query: { page: 1, per_page: 100, ...more } });
  return recordsIn(anyListIn(json, "commands"));
}

async function waitForEnd(session: Session, ids: readonly string[]): Promise<Map<string, Json>> {
  const limit = performance.now() + session.options.waitSeconds * 1000;
  for (;;) {
    const listed = (await historyOf(session)).filter((each) => ids.includes(idOf(each["id"]) ?? ""));
    const ended = new Map(listed.filter(hasEnded).map((each) => [idOf(each["id"])!, each]));
    for (const id of ended.keys()) session.ended.add(id);
    if (ended.size === ids.length || performance.now() > limit) return ended;
    await session.pause();
  }
}
