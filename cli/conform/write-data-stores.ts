import type { Readings } from "../../emulator/readings";
import type { Client } from "../../provider/api/client";
import type { Undone } from "./cleanup";
import { type Answer, idOf, isRecord, type Json } from "./forms";
import { readDataStore } from "./read-extended";
import { type Session, statusText } from "./session";
import { checkShape, dataStore } from "./specified";

export async function writeDataStore(session: Session): Promise<void> {
  const { findings } = session;
  const { mark } = session.options;
  const name = `conform-${mark}`;
  // A password of its own: whether it comes back must not depend on anybody's secret.
  const db_passwd = `conform-password-${mark}`;
  const body = {
    name,
    db_name: "conform",
    db_host: `conform-${mark}.invalid`,
    db_user: "conform",
    db_passwd,
    db_type: "mysql",
    db_location: "us-east-1",
    skip_validation: true,
  };
  const step = session.cleanup.add(`data store ${name}`, (client) => remove(session, client, undefined, name));
  const answer = await session.ask("dbTaps.create", { body });
  if (answer.error) {
    if (answer.error.outcome !== "open") session.cleanup.done(step);
    return session.failed("dbTaps.create", answer.error);
  }
  const id = isRecord(answer.json) ? idOf(answer.json["id"]) : undefined;
  checkShape(findings, "dbTaps.create", answer.json, dataStore, "2.3");
  readCreated(session, answer, db_passwd);
  if (id === undefined) return findings.deviates("dbTaps.create", "the answer has no id", { provider: "needs this" });
  session.cleanup.done(step);
  session.cleanup.add(`data store ${name} (id ${id})`, (client) => remove(session, client, id, name));
  await readOwn(session, id, db_passwd);
  await writeEdits(session, id);
}

function readCreated(session: Session, answer: Answer, password: string): void {
  const { findings } = session;
  if (!isRecord(answer.json)) return;
  const names = Object.keys(answer.json);
  const isMinimal = names.join() === "id";
  const isWhole = ["db_host", "db_name", "db_type", "name"].every((name) => names.includes(name));
  session.form("dbTaps.create", "dataStoreAnswer", isMinimal ? "minimal" : isWhole ? "whole" : undefined, { answer });
  if (!isWhole) {
    findings.leaveOpen("dataStorePassword", "the answer does not show the record");
    return;
  }
  const form = passwordForm(answer.json, password);
  findings.reading("dbTaps.create", "dataStorePassword", form === "masked" ? undefined : form);
  if (form === "masked" || !form) findings.leaveOpen("dataStorePassword", "shown in another way");
}

function passwordForm({ db_passwd: shown }: Json, sent: string): Readings["dataStoreViewPassword"] | undefined {
  if (shown === undefined) return "absent";
  if (shown === sent) return "as-sent";
  if (shown === "") return "empty";
  return shown === "********" ? "masked" : undefined;
}

async function readOwn(session: Session, id: string, password: string): Promise<void> {
  const { findings } = session;
  const view = await session.expect("dbTaps.view", { path: { id } });
  if (!view || !isRecord(view.json)) return;
  readDataStore(session, view.json);
  const form = passwordForm(view.json, password);
  findings.reading("dbTaps.view", "dataStoreViewPassword", form);
  if (!form) findings.leaveOpen("dataStoreViewPassword", "shown in another way");
  const { port } = view.json;
  findings.reading("dbTaps.view", "dataStoreViewPort", port === null ? "null" : port === 3306 ? "default" : undefined);
  await session.expect("dbTaps.tables", { path: { id } });
}

/** Which of the two names of the port an edit understands. */
async function writeEdits(session: Session, id: string): Promise<void> {
  const { findings } = session;
  const path = { id };
  const takes = async (body: Json): Promise<Answer | undefined> => {
    const answer = await session.ask("dbTaps.edit", { path, body });
    const view = await session.ask("dbTaps.view", { path });
    const shown = isRecord(view.json) ? view.json["port"] : undefined;
    return !answer.error && Object.values(body).includes(shown) ? answer : undefined;
  };
  const plain = await session.expect("dbTaps.edit", { path, body: { db_user: "conform2" } });
  if (!plain) return;
  session.form("dbTaps.edit", "dataStoreEditAnswer", editForm(plain), { answer: plain });
  const [port, other] = [await takes({ port: 3307 }), await takes({ db_port: 3308 })];
  findings.reading(
    "dbTaps.edit",
    "dataStoreEditPort",
    port ? (other ? "both" : "port") : other ? "db_port" : undefined,
  );
  if (!port && !other) findings.leaveOpen("dataStoreEditPort", "neither name changes the port");
}

function editForm({ json, text }: Answer): Readings["dataStoreEditAnswer"] | undefined {
  if (text.trim() === "") return "empty";
  if (!isRecord(json)) return undefined;
  if ("id" in json) return "record";
  return json["status"] === "updated" ? "status" : undefined;
}

async function remove(session: Session, client: Client, id: string | undefined, name: string): Promise<Undone> {
  if (id === undefined) return { failed: "its id is not known: look for it in the user interface" };
  const { error } = await session.ask("dbTaps.delete", { path: { id } }, client);
  if (!error) {
    const view = await session.ask("dbTaps.view", { path: { id } }, client);
    return view.error || !session.findings.has("dbTaps.view") ? undefined : { failed: "it is still there" };
  }
  session.failed("dbTaps.delete", error);
  if (session.findings.isLacking("dbTaps.delete"))
    return { stays: `data store ${name} (id ${id}): this installation cannot delete data stores` };
  return { failed: `the delete was refused (${statusText(error)})` };
}
