import { type Fields, isFields } from "../../provider/values/json";
import { readExtendedList } from "./access";
import type { Answer } from "./answer";
import { undoneUnless } from "./cleanup";
import { idOf } from "./forms";
import type { Session } from "./session";
import { dataStore } from "./specified";

export async function readDataStores(session: Session): Promise<void> {
  const forms = { paged: "paged", named: "unpaged", array: undefined } as const;
  const stores = await readExtendedList(session, "dbTaps.list", "db_taps", (op, form) =>
    op.reading("dataStoreList", forms[form]),
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
  const view = await session.expect("dbTaps.view", { path: { id } });
  if (!view || !isFields(view.json)) return false;
  const { op, fields } = view;
  op.reading("dataStoreViewName", "name" in fields ? "shown" : "absent");
  op.reading("dataStoreViewGateway", "catalog_name" in fields || "gateway_ip" in fields ? "shown" : "absent");
  // A port or an empty password that somebody else has set says nothing.
  const isOwn = password !== undefined;
  const { port } = fields;
  op.reading("dataStoreViewPort", { null: port === null, default: isOwn && port === 3306 });
  const forms = passwordForms(fields, password);
  if (isOwn) op.reading("dataStoreViewPassword", forms, "shown in another way");
  else op.reading("dataStoreViewPassword", { ...forms, empty: false });
  return true;
}

const passwordForms = ({ db_passwd: shown }: Fields, sent?: string) => ({
  absent: shown === undefined,
  "as-sent": shown === sent,
  empty: shown === "",
  masked: shown === "********",
});

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
  const unknown = "its id is not known: look for it in the user interface";
  const step = { what: `data store ${name}`, undo: async () => unknown };
  const answer = await session.expect("dbTaps.create", { body }, step);
  if (!answer) return;
  const id = idOf(answer.fields["id"]);
  answer.check(dataStore, "2.3");
  if (isFields(answer.json)) readCreated(answer, db_passwd);
  if (id === undefined) return answer.op.deviates("the answer has no id", "needs this");
  cleanup.done(step);
  const what = `data store ${name} (id ${id})`;
  cleanup.add({ what, undo: () => remove(session, id, what) });
  if (await viewDataStore(session, id, db_passwd)) await session.expect("dbTaps.tables", { path: { id } });
  await writeEdits(session, id);
}

function readCreated(answer: Answer, password: string): void {
  const { op, fields } = answer;
  const isWhole = ["db_host", "db_name", "db_type", "name"].every((name) => name in fields);
  answer.form("dataStoreAnswer", { minimal: Object.keys(fields).join() === "id", whole: isWhole });
  const { masked: _, ...forms } = passwordForms(fields, password);
  if (isWhole) op.reading("dataStorePassword", forms, "shown in another way");
  else op.reading("dataStorePassword", undefined, "the answer does not show the record");
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
  const { op, fields, isEmpty } = plain;
  plain.form("dataStoreEditAnswer", { empty: isEmpty, record: "id" in fields, status: fields["status"] === "updated" });
  const [port, db_port] = [await takes("port", 3307), await takes("db_port", 3308)];
  op.reading("dataStoreEditPort", { both: port && db_port, port, db_port }, "neither name changes the port");
}

async function remove(session: Session, id: string, what: string): Promise<string | undefined> {
  const { error, op } = await session.ask("dbTaps.delete", { path: { id } });
  if (!error) {
    const view = await session.ask("dbTaps.view", { path: { id } });
    return view.error || !view.op.isThere ? undefined : "it is still there";
  }
  op.failed(error);
  if (!op.isLacking) return undoneUnless(error, "the delete");
  session.cleanup.stays(`${what}: this installation cannot delete data stores`);
  return undefined;
}
