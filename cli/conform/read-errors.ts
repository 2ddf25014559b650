import { Client } from "../../provider/api/client";
import { type Answer, errorForm } from "./forms";
import { type Session, statusText } from "./session";

/** Requests that read and must be refused, whatever the account holds. */
export async function readRefusals(session: Session): Promise<void> {
  const { findings } = session;
  const refused: Answer[] = [];
  for (const [name, ask] of [
    ["objectPolicy.view", { body: { source_type: "note", source_id: "0" } }],
    ["hive.list", { query: { describe: "no" } }],
    ["commands.history", { query: { start_date: "no date" } }],
  ] as const) {
    const answer = await session.ask(name, ask);
    if (answer.error) refused.push(answer);
    if (answer.error?.code === "not-found" && !answer.error.fromPlatform) findings.note(name, strangeForm);
  }
  const [first] = refused;
  const statuses = new Set(refused.map(({ status }) => status >= 300));
  if (!first) {
    const why = "nothing that should be refused is";
    findings.leaveOpen("errorBody", why);
    return findings.leaveOpen("refusalStatus", why);
  }
  session.form("unknown", "errorBody", errorForm(first), { answer: first, what: "the body of a refusal" });
  if (statuses.size > 1) {
    findings.note("unknown", "some refusals come with HTTP 200, others with a status of their own");
    findings.leaveOpen("refusalStatus", "refusals differ");
  } else if (first.status < 300) {
    findings.reading("unknown", "refusalStatus", "200");
    findings.note("unknown", "refusals come with HTTP 200; only the body shows them");
  } else
    findings.leaveOpen("refusalStatus", "refusals have a status of their own, but those of the whitelist need --write");
  if (statuses.size === 1) session.refusalsHaveStatus = first.status >= 300;
}

const strangeForm =
  "what is missing is refused with a 404 in a form that the specification does not show: after it a refresh keeps the state, with a warning, and a destroy takes the thing as gone only if the form is JSON";

export async function readUnknownPath(session: Session): Promise<void> {
  const { findings } = session;
  const { error } = await session.ask("unknown");
  if (!error)
    findings.deviates("unknown", "an unknown path succeeds, so operations that are lacking cannot be told", {
      provider: "needs this",
    });
  else if (error.code !== "not-found")
    findings.note("unknown", `an unknown path is refused (${statusText(error)}), not 404`);
}

/** A token that nobody has must not be accepted. */
export async function readWrongToken(session: Session): Promise<void> {
  const { findings } = session;
  const { settings } = session.options.client;
  const stranger = new Client({ ...settings, apiToken: `conform-no-such-token-${session.options.mark}` });
  try {
    const { error } = await session.ask("account.view", {}, stranger);
    if (!error)
      findings.deviates("account.view", "a wrong token is accepted, or answered like a success", {
        section: "5",
        provider: "needs this",
      });
    else if (error.code !== "unauthorized")
      findings.note("account.view", `a wrong token is refused (${statusText(error)}), not 401`);
  } finally {
    await stranger.close();
  }
}
