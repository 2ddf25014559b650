import { Client } from "../../provider/api/client";
import { isFields } from "../../provider/values/json";
import type { Answer } from "./answer";
import { statusText } from "./forms";
import type { Session } from "./session";

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
