import type { Readings } from "../../emulator/readings";
import { isFields } from "../../provider/values/json";
import type { OperationName } from "./catalogue";
import { type Answer, answerShape, idOf, notShownForm, shapeOf } from "./forms";
import type { Session } from "./session";
import { account } from "./specified";

/** The account itself: first of all, because everything else belongs to it. */
export async function readAccount(session: Session): Promise<void> {
  const { facts, targets } = session;
  const answer = await session.expectReadable("account.view", "getAccount");
  if (!answer || !isFields(answer.json)) return;
  const { id, name, storage_location: shown } = answer.fields;
  const known = idOf(id);
  if (known !== undefined) facts.account = { id: known, name: typeof name === "string" ? name : undefined };
  session.check("account.view", answer.json, account, "2.4");
  // Whether ids inside policies are text too is found out with a policy.
  if (typeof id === "number") session.reading("account.view", "idType", "number");
  if (targets.defloc === undefined)
    return session.leaveOpen("storageLocation", "pass --defloc, the location with which the account was created");
  const form = typeof shown === "string" ? locationForm(targets.defloc, shown) : undefined;
  session.reading("account.view", "storageLocation", form, "storage_location is not text");
}

function locationForm(defloc: string, shown: string): Readings["storageLocation"] {
  if (shown === defloc) return "defloc";
  if (shown === `${defloc.replace(/\/+$/, "")}/`) return "final-slash";
  if (shown === defloc.replace(/^s3[an]?:\/\//, "")) return "without-scheme";
  return "own-bucket";
}

export async function readCompression(session: Session): Promise<void> {
  const isPacked = async (accepted: string) => {
    const { encoding } = await session.ask("account.view", { headers: { "accept-encoding": accepted } });
    return encoding !== undefined && encoding !== "identity";
  };
  const always = await isPacked("identity");
  const onRequest = await isPacked("gzip");
  session.reading("account.view", "compression", always ? "gzip-always" : onRequest ? "gzip" : "none");
}

export async function readVersion2(session: Session): Promise<void> {
  const answer = await session.expect("account.viewV2");
  if (answer && !("id" in answer.fields))
    session.notThere("account.viewV2", `answers, but not with an account: ${shapeOf(answer.json)}`);
  await session.expect("whitelist.listV2");
}

/** Edits that change nothing: without parameters, with unknown ones, and with the name that the account has. */
export async function writeAccount(session: Session): Promise<void> {
  const edits = ["account.edit", "account.editV2"] as const;
  if (!session.targets.editAccount)
    return session.notTried("pass --edit-account to edit the account without changing it", ...edits);
  const wrap = await editBody(session);
  if (!wrap) return;
  await editFields(session, wrap);
  const { error } = await session.ask("account.editV2", { body: wrap({}) });
  if (error) session.failed("account.editV2", error);
}

type Wrap = (fields: object) => object;
const flat: Wrap = (fields) => fields;
const wrapped: Wrap = (fields) => ({ account: fields });
const name: OperationName = "account.edit";

/** Whether parameters are wrapped in `account`; returns a form that the platform takes. */
async function editBody(session: Session): Promise<Wrap | undefined> {
  const edit = (body: object) => session.ask(name, { body });
  const plain = await edit(flat({}));
  if (plain.error && (["not-found", "forbidden"].includes(plain.error.code) || plain.status === 405)) {
    session.failed(name, plain.error);
    return undefined;
  }
  const inside = await edit(wrapped({}));
  if (plain.error && inside.error) {
    const what = "an edit without parameters is refused, whether wrapped in account or not";
    session.deviates(name, what, "copes");
    return undefined;
  }
  if (plain.error) session.reading(name, "accountEditBody", "wrapped");
  else if (inside.error) session.reading(name, "accountEditBody", "flat");
  // A platform that ignores what it does not know accepts both; one that reads the wrapped form sees the wrong type.
  else session.reading(name, "accountEditBody", (await edit(wrapped({ defloc: 0 }))).error ? "both" : "flat");
  readEdited(session, plain.error ? inside : plain);
  return plain.error ? wrapped : flat;
}

function readEdited(session: Session, answer: Answer): void {
  const isAccount = "storage_type" in answer.fields;
  const form = isAccount ? undefined : notShownForm(answer);
  const edited = isAccount ? "account" : form && "not-shown";
  session.reading(name, "accountEditAnswer", edited, `another form: ${answerShape(answer)}`);
  session.reading(name, "notShownAnswer", form);
}

async function editFields(session: Session, wrap: Wrap): Promise<void> {
  const { facts } = session;
  const takes = async (fields: object) => !(await session.ask(name, { body: wrap(fields) })).error;
  if (await takes({ [`conform_${session.options.mark}`]: "x" }))
    return session.reading(name, "accountEditFields", "ignored");
  const current = facts.account?.name;
  if (current === undefined) return session.leaveOpen("accountEditFields", "the name of the account is not known");
  session.reading(name, "accountEditFields", (await takes({ name: current })) ? "create-fields" : "listed");
}
