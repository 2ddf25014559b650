import type { Readings } from "../../emulator/readings";
import { answerShape, anyListIn, idOf, isRecord, type Json, listIn, recordsIn } from "./forms";
import type { Session } from "./session";
import { account, checkShape, user } from "./specified";

/** The account itself: first of all, because everything else belongs to it. */
export async function readAccount(session: Session): Promise<void> {
  const { findings, facts, targets } = session;
  const answer = await session.expect("account.view");
  await session.providerReads("account.view", "getAccount");
  if (!answer || !isRecord(answer.json)) return;
  const { id, name, storage_location } = answer.json;
  const known = idOf(id);
  if (known !== undefined) facts.account = { id: known, name: typeof name === "string" ? name : undefined };
  checkShape(findings, "account.view", answer.json, account, "2.4");
  idType(session, answer.json);
  if (targets.defloc === undefined)
    return findings.leaveOpen("storageLocation", "pass --defloc, the location with which the account was created");
  const form = locationForm(targets.defloc, storage_location);
  findings.reading("account.view", "storageLocation", form);
  if (!form) findings.leaveOpen("storageLocation", "storage_location is not text");
}

/** Whether ids inside policies are text too is found out with a policy. */
function idType({ findings }: Session, { id }: Json): void {
  if (typeof id === "number") findings.reading("account.view", "idType", "number");
}

function locationForm(defloc: string, shown: unknown): Readings["storageLocation"] | undefined {
  if (typeof shown !== "string") return undefined;
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
  session.findings.reading("account.view", "compression", always ? "gzip-always" : onRequest ? "gzip" : "none");
}

export async function readUsers(session: Session): Promise<void> {
  const { findings, facts } = session;
  const answer = await session.expect("accounts.getUsers");
  await session.providerReads("accounts.getUsers", "getUsers");
  if (!answer) return;
  const list = listIn(answer.json, "users");
  const form = list && ({ array: "array", named: "users", paged: "paged" } as const)[list.form];
  session.form("accounts.getUsers", "usersEnvelope", form, { answer, what: "the envelope" });
  const entries = anyListIn(answer.json, "users");
  if (entries.length === 0) return;
  findings.reading("accounts.getUsers", "oddUser", oddEntry(entries));
  const complete = recordsIn(entries).filter(isComplete);
  for (const entry of complete) facts.users.push({ id: idOf(entry["id"])!, email: String(entry["email"]) });
  checkEntries(session, entries);
  const last = complete.at(-1);
  if (last) findings.reading("accounts.getUsers", "userEntry", isFromManual(last) ? "manual" : "short");
}

function checkEntries({ findings }: Session, entries: readonly unknown[]): void {
  const [first] = recordsIn(entries).filter(isComplete);
  if (first) checkShape(findings, "accounts.getUsers", first, user, "2.8");
  const odd = entries.filter((entry) => !isRecord(entry) || !isComplete(entry)).length;
  if (odd > 0)
    findings.deviates("accounts.getUsers", `${odd} of ${entries.length} entries lack id, user_id or email`, {
      section: "2.8",
    });
  const ids = recordsIn(entries).map(({ id }) => idOf(id));
  if (new Set(ids).size < ids.length)
    findings.deviates("accounts.getUsers", "a user is listed twice", { section: "2.8" });
}

const isComplete = ({ id, user_id, email }: Json): boolean =>
  idOf(id) !== undefined && idOf(user_id) !== undefined && typeof email === "string";

const isFromManual = ({ user_type, groups }: Json): boolean =>
  user_type !== undefined || (Array.isArray(groups) && isRecord(groups[0]));

function oddEntry(entries: readonly unknown[]): Readings["oddUser"] | undefined {
  const odd = entries.filter((entry) => !isRecord(entry) || !isComplete(entry));
  if (odd.length === 0) return "none";
  const [first] = odd;
  if (first === null) return "null";
  if (!isRecord(first)) return undefined;
  if (Object.keys(first).length === 1 && "id" in first) return "id-only";
  return first["email"] === null ? "null-email" : undefined;
}

export async function readPendingUsers(session: Session): Promise<void> {
  const { findings, facts } = session;
  const answer = await session.expect("accounts.getPendingUsers");
  await session.providerReads("accounts.getPendingUsers", "getPendingUsers");
  if (!answer) return findings.leaveOpen("pendingUsers", "get_pending_users does not answer");
  const form = listIn(answer.json, "users")?.form;
  const same = form && ({ array: "array", named: "users", paged: "paged" } as const)[form];
  if (same) findings.reading("accounts.getPendingUsers", "usersEnvelope", same);
  else findings.note("accounts.getPendingUsers", `the envelope is ${answerShape(answer)}`);
  const pending = anyListIn(answer.json, "users").map((one) => (isRecord(one) ? one["email"] : one));
  if (pending.length === 0) return findings.leaveOpen("pendingUsers", "there are no pending users");
  if (facts.users.length === 0) return findings.leaveOpen("pendingUsers", "get_users shows no users");
  const isListed = pending.some((email) => facts.users.some((known) => known.email === email));
  findings.reading("accounts.getUsers", "pendingUsers", isListed ? "listed" : "left-out");
}

export async function readEmails(session: Session): Promise<void> {
  const answer = await session.expect("accounts.getUserEmails");
  await session.providerReads("accounts.getUserEmails", "getUserEmails");
  if (!answer) return;
  const form = emailsForm(answer.json);
  session.form("accounts.getUserEmails", "emailsEnvelope", form, { answer, what: "the answer" });
}

function emailsForm(json: unknown): Readings["emailsEnvelope"] | undefined {
  const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every((one) => typeof one === "string");
  if (isTexts(json)) return "array";
  if (!isRecord(json)) return undefined;
  if (isTexts(json["emails"])) return "emails";
  const { users } = json;
  return Array.isArray(users) && users.every((one) => isRecord(one) && "email" in one) ? "users" : undefined;
}
