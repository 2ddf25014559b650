import type { OperationName } from "./catalogue";
import { answerShape, isRecord, notShownForm } from "./forms";
import type { Session } from "./session";

/** Edits that change nothing: without parameters, with unknown ones, and with the name that the account has. */
export async function writeAccount(session: Session): Promise<void> {
  if (!session.targets.editAccount)
    return session.notTried(
      "pass --edit-account to edit the account without changing it",
      "account.edit",
      "account.editV2",
    );
  const wrap = await editBody(session);
  if (!wrap) return;
  await editFields(session, wrap);
  const answer = await session.ask("account.editV2", { body: wrap({}) });
  if (answer.error) session.failed("account.editV2", answer.error);
}

type Wrap = (fields: object) => object;
const flat: Wrap = (fields) => fields;
const wrapped: Wrap = (fields) => ({ account: fields });
const name: OperationName = "account.edit";

/** Whether parameters are wrapped in `account`; returns a form that the platform takes. */
async function editBody(session: Session): Promise<Wrap | undefined> {
  const { findings } = session;
  const takes = async (body: object) => !(await session.ask(name, { body })).error;
  const plain = await session.ask(name, { body: flat({}) });
  if (plain.error?.code === "not-found" || plain.error?.code === "forbidden" || plain.status === 405) {
    session.failed(name, plain.error!);
    return undefined;
  }
  const takesWrapped = await takes(wrapped({}));
  if (plain.error && !takesWrapped) {
    findings.deviates(name, "an edit without parameters is refused, whether wrapped in account or not", {
      provider: "copes",
    });
    return undefined;
  }
  if (plain.error) findings.reading(name, "accountEditBody", "wrapped");
  else if (!takesWrapped) findings.reading(name, "accountEditBody", "flat");
  // A platform that ignores what it does not know accepts both; one that reads the wrapped form sees the wrong type.
  else findings.reading(name, "accountEditBody", (await takes(wrapped({ defloc: 0 }))) ? "flat" : "both");
  readAnswer(session, plain.error ? await session.ask(name, { body: wrapped({}) }) : plain);
  return plain.error ? wrapped : flat;
}

function readAnswer({ findings }: Session, answer: Awaited<ReturnType<Session["ask"]>>): void {
  if (answer.error) return;
  const form = notShownForm(answer);
  if (isRecord(answer.json) && "storage_type" in answer.json) findings.reading(name, "accountEditAnswer", "account");
  else if (form) {
    findings.reading(name, "accountEditAnswer", "not-shown");
    findings.reading(name, "notShownAnswer", form);
  } else findings.leaveOpen("accountEditAnswer", `another form: ${answerShape(answer)}`);
}

async function editFields(session: Session, wrap: Wrap): Promise<void> {
  const { findings, facts } = session;
  const takes = async (fields: object) => !(await session.ask(name, { body: wrap(fields) })).error;
  if (await takes({ [`conform_${session.options.mark}`]: "x" }))
    return findings.reading(name, "accountEditFields", "ignored");
  const current = facts.account?.name;
  if (current === undefined) return findings.leaveOpen("accountEditFields", "the name of the account is not known");
  findings.reading(name, "accountEditFields", (await takes({ name: current })) ? "create-fields" : "listed");
}
