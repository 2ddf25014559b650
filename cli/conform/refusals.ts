import { Client } from "../../provider/api/client";
import { type Answer, errorForm, statusText } from "./forms";
import type { Session } from "./session";

/** Requests that read and must be refused, whatever the account holds. */
export async function readRefusals(session: Session): Promise<void> {
  const { facts } = session;
  const refused: Answer[] = [];
  for (const [name, ask] of [
    ["objectPolicy.view", { body: { source_type: "note", source_id: "0" } }],
    ["hive.list", { query: { describe: "no" } }],
    ["commands.history", { query: { start_date: "no date" } }],
  ] as const) {
    const answer = await session.ask(name, ask);
    if (answer.error) refused.push(answer);
    if (answer.error?.code === "not-found" && !answer.error.fromPlatform) session.note(name, strangeForm);
  }
  const [first] = refused;
  if (!first) {
    const why = "nothing that should be refused is";
    session.leaveOpen("errorBody", why);
    return session.leaveOpen("refusalStatus", why);
  }
  session.form("unknown", "errorBody", errorForm(first), first, "the body of a refusal");
  const haveStatus = new Set(refused.map(({ status }) => status >= 300));
  if (haveStatus.size > 1) {
    session.note("unknown", "some refusals come with HTTP 200, others with a status of their own");
    return session.leaveOpen("refusalStatus", "refusals differ");
  }
  facts.refusalsHaveStatus = haveStatus.has(true);
  const others = "refusals have a status of their own, but those of the whitelist need --write";
  session.reading("unknown", "refusalStatus", facts.refusalsHaveStatus ? undefined : "200", others);
  if (!facts.refusalsHaveStatus) session.note("unknown", "refusals come with HTTP 200; only the body shows them");
}

const strangeForm =
  "what is missing is refused with a 404 in a form that the specification does not show: after it a refresh keeps the state, with a warning, and a destroy takes the thing as gone only if the form is JSON";

export async function readUnknownPath(session: Session): Promise<void> {
  const { error } = await session.ask("unknown");
  if (!error)
    session.deviates(
      "unknown",
      "an unknown path succeeds, so operations that are lacking cannot be told",
      "needs this",
    );
  else if (error.code !== "not-found")
    session.note("unknown", `an unknown path is refused (${statusText(error)}), not 404`);
}

/** A token that nobody has must not be accepted. */
export async function readWrongToken(session: Session): Promise<void> {
  const { settings, mark } = session.options;
  const stranger = new Client({ ...settings, apiToken: `conform-no-such-token-${mark}` });
  try {
    const { error } = await session.with(stranger, () => session.ask("account.view"));
    if (!error)
      session.deviates("account.view", "a wrong token is accepted, or answered like a success", "needs this", "5");
    else if (error.code !== "unauthorized")
      session.note("account.view", `a wrong token is refused (${statusText(error)}), not 401`);
  } finally {
    await stranger.close();
  }
}
