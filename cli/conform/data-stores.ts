import type { Readings } from "../../emulator/readings";
import { type Fields, isFields } from "../../provider/values/json";
import { type Undone, undoneUnless } from "./cleanup";
import { type Answer, idOf } from "./forms";
import { readExtendedList } from "./read-access";
import type { Session } from "./session";
import { dataStore } from "./specified";

export async function readDataStores(session: Session): Promise<void> {
  const forms = { paged: "paged", named: "unpaged", array: undefined } as const;
  const stores = await readExtendedList(session, "dbTaps", "db_taps", (form) =>
    session.reading("dbTaps.list", "dataStoreList", forms[form]),
  );
  const ofOne = ["dbTaps.view", "dbTaps.tables"] as const;
  if (!stores) return session.notTried("no data store is known: they cannot be listed", ...ofOne);
  const id = idOf(stores[0]?.["id"]);
  if (id === undefined) return session.notTried("there is no data store", ...ofOne);
  await viewDataStore(session, id);
  await session.expect("dbTaps.tables", { path: { id } });
}

/** What a view of a data store tells, if there is one; `password`: the one that it was created with. */
async function viewDataStore(session: Session, id: string, password?: string): Promise<boolean> {
  const name = "dbTaps.view";
  const view = await session.expect(name, { path: { id } });
  if (!view || !isFields(view.json)) return false;
  const { fields } = view;
  session.reading(name, "dataStoreViewName", "name" in fields ? "shown" : "absent");
  const hasGateway = "catalog_name" in fields || "gateway_ip" in fields;
  session.reading(name, "dataStoreViewGateway", hasGateway ? "shown" : "absent");
  // A port or an empty password that somebody else has set says nothing.
  const isOwn = password !== undefined;
  const { port } = fields;
  session.reading(name, "dataStoreViewPort", port === null ? "null" : isOwn && port === 3306 ? "default" : undefined);
  const shown = passwordForm(fields, password);
  if (isOwn) session.reading(name, "dataStoreViewPassword", shown, "shown in another way");
  else if (shown !== "empty") session.reading(name, "dataStoreViewPassword", shown);
  return true;
}

function passwordForm({ db_passwd: shown }: Fields, sent?: string): Readings["dataStoreViewPassword"] | undefined {
  if (shown === undefined) return "absent";
  if (shown === sent) return "as-sent";
  if (shown === "") return "empty";
  return shown === "********" ? "masked" : undefined;
}

export async function writeDataStore(session: Session): Promise<void> {
  const { cleanup } = session;
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
  const unknown = { failed: "its id is not known: look for it in the user interface" };
  const step = { what: `data store ${name}`, undo: async () => unknown };
  const answer = await session.expect("dbTaps.create", { body }, step);
  if (!answer) return;
  const id = idOf(answer.fields["id"]);
  session.check("dbTaps.create", answer.json, dataStore, "2.3");
  readCreated(session, answer, db_passwd);
  if (id === undefined) return session.deviates("dbTaps.create", "the answer has no id", "needs this");
  cleanup.done(step);
  const what = `data store ${name} (id ${id})`;
  cleanup.add({ what, undo: () => remove(session, id, what) });
  if (await viewDataStore(session, id, db_passwd)) await session.expect("dbTaps.tables", { path: { id } });
  await writeEdits(session, id);
}

function readCreated(session: Session, answer: Answer, password: string): void {
  if (!isFields(answer.json)) return;
  const names = Object.keys(answer.fields);
  const isMinimal = names.join() === "id";
  const isWhole = ["db_host", "db_name", "db_type", "name"].every((name) => names.includes(name));
  session.form("dbTaps.create", "dataStoreAnswer", isMinimal ? "minimal" : isWhole ? "whole" : undefined, answer);
  const form = passwordForm(answer.fields, password);
  const known = isWhole && form !== "masked" ? form : undefined;
  const why = isWhole ? "shown in another way" : "the answer does not show the record";
  session.reading("dbTaps.create", "dataStorePassword", known, why);
}

/** Which of the two names of the port an edit understands. */
async function writeEdits(session: Session, id: string): Promise<void> {
  const path = { id };
  const takes = async (name: string, port: number): Promise<boolean> => {
    const { error } = await session.ask("dbTaps.edit", { path, body: { [name]: port } });
    const { fields } = await session.ask("dbTaps.view", { path });
    return !error && fields["port"] === port;
  };
  const plain = await session.expect("dbTaps.edit", { path, body: { db_user: "conform2" } });
  if (!plain) return;
  session.form("dbTaps.edit", "dataStoreEditAnswer", editForm(plain), plain);
  const [port, other] = [await takes("port", 3307), await takes("db_port", 3308)];
  const form = port ? (other ? "both" : "port") : other ? "db_port" : undefined;
  session.reading("dbTaps.edit", "dataStoreEditPort", form, "neither name changes the port");
}

function editForm({ fields, text }: Answer): Readings["dataStoreEditAnswer"] | undefined {
  if (text.trim() === "") return "empty";
  if ("id" in fields) return "record";
  return fields["status"] === "updated" ? "status" : undefined;
}

async function remove(session: Session, id: string, what: string): Promise<Undone> {
  const { error } = await session.ask("dbTaps.delete", { path: { id } });
  if (!error) {
    const view = await session.ask("dbTaps.view", { path: { id } });
    return view.error || !session.has("dbTaps.view") ? undefined : { failed: "it is still there" };
  }
  session.failed("dbTaps.delete", error);
  if (session.isLacking("dbTaps.delete")) return { stays: `${what}: this installation cannot delete data stores` };
  return undoneUnless(error, "the delete");
}
