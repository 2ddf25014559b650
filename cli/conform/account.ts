import { Client } from "../../provider/api/client";
import { isFields } from "../../provider/values/json";
import type { Answer } from "./answer";
import { idOf, shapeOf, statusText } from "./forms";
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

/** Requests that read and must be refused, whatever the account holds. */
export async function readRefusals(session: Session): Promise<void> {
  const refused: Answer[] = [];
  for (const [name, ask] of [
    ["objectPolicy.view", { body: { source_type: "note", source_id: "0" } }],
    ["hive.list", { query: { describe: "no" } }],
    ["commands.history", { query: { start_date: "no date" } }],
  ] as const) {
    const answer = await session.ask(name, ask);
    if (answer.error) refused.push(answer);
    if (answer.error?.code === "not-found" && !answer.error.fromPlatform) answer.op.note(strangeForm);
  }
  const [first] = refused;
  if (!first) {
    const why = "nothing that should be refused is";
    session.leaveOpen("errorBody", why);
    return session.leaveOpen("refusalStatus", why);
  }
  const op = session.op("unknown");
  first.form("errorBody", bodyForms(first), "the body of a refusal", op);
  const haveStatus = new Set(refused.map(({ status }) => status >= 300));
  if (haveStatus.size > 1) {
    op.note("some refusals come with HTTP 200, others with a status of their own");
    return session.leaveOpen("refusalStatus", "refusals differ");
  }
  const isOwn = haveStatus.has(true);
  session.facts.refusalsHaveStatus = isOwn;
  const others = "refusals have a status of their own, but those of the whitelist need --write";
  op.reading("refusalStatus", isOwn ? undefined : "200", others);
  if (!isOwn) op.note("refusals come with HTTP 200; only the body shows them");
}

const strangeForm =
  "what is missing is refused with a 404 in a form that the specification does not show: after it a refresh keeps the state, with a warning, and a destroy takes the thing as gone only if the form is JSON";

function bodyForms({ isEmpty, isHtml, json, fields }: Answer) {
  const { error, message, errors, status } = fields;
  const [listed]: unknown[] = Array.isArray(errors) ? errors : [];
  return {
    empty: isEmpty,
    html: json === undefined && isHtml,
    text: json === undefined,
    "error-object": isFields(error) && "error_code" in error && "error_message" in error,
    "error-text": typeof error === "string",
    "errors-list": !isFields(error) && isFields(listed) && "message" in listed,
    "status-object": !isFields(error) && !Array.isArray(errors) && isFields(status) && "status_code" in status,
    message: typeof message === "string" && Object.keys(fields).length === 1,
  };
}

export async function readUnknownPath(session: Session): Promise<void> {
  const { error, op } = await session.ask("unknown");
  if (!error) op.deviates("an unknown path succeeds, so operations that are lacking cannot be told", "needs this");
  else if (error.code !== "not-found") op.note(`an unknown path is refused (${statusText(error)}), not 404`);
}

/** A token that nobody has must not be accepted. */
export async function readWrongToken(session: Session): Promise<void> {
  const { settings, mark } = session.options;
  const stranger = new Client({ ...settings, apiToken: `conform-no-such-token-${mark}` });
  try {
    const { error, op } = await session.with(stranger, () => session.ask("account.view"));
    if (!error) op.deviates("a wrong token is accepted, or answered like a success", "needs this", "5");
    else if (error.code !== "unauthorized") op.note(`a wrong token is refused (${statusText(error)}), not 401`);
  } finally {
    await stranger.close();
  }
}
