import { isFields } from "../../provider/values/json";
import { idOf, shapeOf } from "./forms";
import type { Session } from "./session";
import { account } from "./specified";

/** The account itself: first of all, because everything else belongs to it. */
export async function readAccount(session: Session): Promise<void> {
  const { facts, targets } = session;
  const { defloc } = targets;
  // Whatever the answer is.
  if (defloc === undefined)
    session.leaveOpen("storageLocation", "pass --defloc, the location with which the account was created");
  const answer = await session.expectReadable("account.view", "getAccount");
  if (!answer || !isFields(answer.json)) return;
  const { op, fields } = answer;
  const { id, name, storage_location: shown } = fields;
  const known = idOf(id);
  if (known !== undefined) facts.account = { id: known, name: typeof name === "string" ? name : undefined };
  answer.check(account, "2.4");
  // Whether ids inside policies are text too is found out with a policy.
  if (typeof id === "number") op.reading("idType", "number");
  if (defloc === undefined) return;
  const location = {
    defloc: shown === defloc,
    "final-slash": shown === `${defloc.replace(/\/+$/, "")}/`,
    "without-scheme": shown === defloc.replace(/^s3[an]?:\/\//, ""),
    "own-bucket": typeof shown === "string",
  };
  op.reading("storageLocation", location, "storage_location is not text");
}

export async function readCompression(session: Session): Promise<void> {
  const isPacked = async (accepted: string) => {
    const { encoding } = await session.ask("account.view", { headers: { "accept-encoding": accepted } });
    return encoding !== undefined && encoding !== "identity";
  };
  const always = await isPacked("identity");
  const onRequest = await isPacked("gzip");
  session.op("account.view").reading("compression", { "gzip-always": always, gzip: onRequest, none: true });
}

export async function readVersion2(session: Session): Promise<void> {
  const answer = await session.expect("account.viewV2");
  if (answer && !("id" in answer.fields))
    answer.op.notThere(`answers, but not with an account: ${shapeOf(answer.json)}`);
  await session.expect("whitelist.listV2");
}

/** Edits that change nothing: without parameters, with unknown ones, and with the name that the account has. */
export async function writeAccount(session: Session): Promise<void> {
  if (!session.targets.editAccount) {
    const why = "pass --edit-account to edit the account without changing it";
    return session.notTried(why, "account.edit", "account.editV2");
  }
  const wrap = await editBody(session);
  if (!wrap) return;
  await editFields(session, wrap);
  const { error, op } = await session.ask("account.editV2", { body: wrap({}) });
  if (error) op.failed(error);
}

type Wrap = (fields: object) => object;
const flat: Wrap = (fields) => fields;
const wrapped: Wrap = (fields) => ({ account: fields });

/** Whether parameters are wrapped in `account`; returns a form that the platform takes. */
async function editBody(session: Session): Promise<Wrap | undefined> {
  const edit = (body: object) => session.ask("account.edit", { body });
  const plain = await edit(flat({}));
  const { op, error } = plain;
  if (error && (["not-found", "forbidden"].includes(error.code) || plain.status === 405)) {
    op.failed(error);
    return undefined;
  }
  const inside = await edit(wrapped({}));
  if (error && inside.error) {
    op.deviates("an edit without parameters is refused, whether wrapped in account or not", "copes");
    return undefined;
  }
  if (error) op.reading("accountEditBody", "wrapped");
  else if (inside.error) op.reading("accountEditBody", "flat");
  // A platform that ignores what it does not know accepts both; one that reads the wrapped form sees the wrong type.
  else op.reading("accountEditBody", (await edit(wrapped({ defloc: 0 }))).error ? "both" : "flat");
  const edited = error ? inside : plain;
  const isAccount = "storage_type" in edited.fields;
  const form = isAccount ? undefined : edited.notShownForm();
  edited.form("accountEditAnswer", { account: isAccount, "not-shown": form !== undefined });
  op.reading("notShownAnswer", form);
  return error ? wrapped : flat;
}

async function editFields(session: Session, wrap: Wrap): Promise<void> {
  const op = session.op("account.edit");
  const takes = async (fields: object) => !(await session.ask("account.edit", { body: wrap(fields) })).error;
  if (await takes({ [`conform_${session.options.mark}`]: "x" })) return op.reading("accountEditFields", "ignored");
  const name = session.facts.account?.name;
  if (name === undefined) return session.leaveOpen("accountEditFields", "the name of the account is not known");
  op.reading("accountEditFields", (await takes({ name })) ? "create-fields" : "listed");
}
