import type { Readings } from "../../emulator/readings";
import { type Fields, isFields } from "../../provider/values/json";
import type { OperationName } from "./catalogue";
import { undoneUnless } from "./cleanup";
import { type Answer, anyListIn, idOf, listForm } from "./forms";
import type { Session } from "./session";
import { user } from "./specified";

const envelopes = { array: "array", named: "users", paged: "paged" } as const;

/** A list of users, whose envelope both operations should share. */
function usersIn(session: Session, name: OperationName, answer: Answer): readonly unknown[] {
  const form = listForm(answer, "users");
  session.form(name, "usersEnvelope", form && envelopes[form], answer, "the envelope");
  return anyListIn(answer.json, "users");
}

const isComplete = (entry: unknown): entry is Fields & { readonly email: string } =>
  isFields(entry) &&
  idOf(entry["id"]) !== undefined &&
  idOf(entry["user_id"]) !== undefined &&
  typeof entry["email"] === "string";

export async function readUsers(session: Session): Promise<void> {
  const { facts } = session;
  const name = "accounts.getUsers";
  const answer = await session.expectReadable(name, "getUsers");
  if (!answer) return;
  const entries = usersIn(session, name, answer);
  const complete = entries.filter(isComplete);
  const odd = entries.filter((entry) => !isComplete(entry));
  if (entries.length > 0) session.reading(name, "oddUser", odd.length === 0 ? "none" : oddForm(odd[0]));
  if (complete[0]) session.check(name, complete[0], user, "2.8");
  if (odd.length > 0) {
    const what = `${odd.length} of ${entries.length} entries lack id, user_id or email`;
    session.deviates(name, what, undefined, "2.8");
  }
  facts.users = complete.map(({ id, email }) => ({ id: idOf(id)!, email }));
  const ids = entries.filter(isFields).map(({ id }) => idOf(id));
  if (new Set(ids).size < ids.length) session.deviates(name, "a user is listed twice", undefined, "2.8");
  const last = complete.at(-1);
  if (last) session.reading(name, "userEntry", isFromManual(last) ? "manual" : "short");
}

const isFromManual = ({ user_type, groups }: Fields): boolean =>
  user_type !== undefined || (Array.isArray(groups) && isFields(groups[0]));

function oddForm(entry: unknown): Readings["oddUser"] | undefined {
  if (entry === null) return "null";
  if (!isFields(entry)) return undefined;
  if (Object.keys(entry).join() === "id") return "id-only";
  return entry["email"] === null ? "null-email" : undefined;
}

export async function readPendingUsers(session: Session): Promise<void> {
  const { facts } = session;
  const answer = await session.expectReadable("accounts.getPendingUsers", "getPendingUsers");
  if (!answer) return session.leaveOpen("pendingUsers", "get_pending_users does not answer");
  const pending = usersIn(session, "accounts.getPendingUsers", answer);
  if (pending.length === 0) return session.leaveOpen("pendingUsers", "there are no pending users");
  if (facts.users.length === 0) return session.leaveOpen("pendingUsers", "get_users shows no users");
  const emails = pending.map((one) => (isFields(one) ? one["email"] : one));
  const isListed = facts.users.some(({ email }) => emails.includes(email));
  session.reading("accounts.getUsers", "pendingUsers", isListed ? "listed" : "left-out");
}

export async function readEmails(session: Session): Promise<void> {
  const answer = await session.expectReadable("accounts.getUserEmails", "getUserEmails");
  if (answer) session.form("accounts.getUserEmails", "emailsEnvelope", emailsForm(answer), answer, "the answer");
}

function emailsForm({ json, fields }: Answer): Readings["emailsEnvelope"] | undefined {
  const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every((one) => typeof one === "string");
  if (isTexts(json)) return "array";
  const { emails, users } = fields;
  if (isTexts(emails)) return "emails";
  return Array.isArray(users) && users.every((one) => isFields(one) && "email" in one) ? "users" : undefined;
}

export async function writeUser(session: Session): Promise<void> {
  const { user: named } = session.targets;
  const both = ["accounts.enableUser", "accounts.disableUser"] as const;
  if (named === undefined) return session.notTried("pass --user, a user who may be disabled for a moment", ...both);
  const body = { svc_user_id: named };
  const step = {
    what: `user ${named}`,
    undo: async () =>
      undoneUnless((await session.ask("accounts.enableUser", { body })).error, "enabling the user again"),
  };
  // Whatever becomes of the request to disable: to be enabled afterwards is what was announced.
  session.cleanup.add(step);
  const disabled = await session.expect("accounts.disableUser", { body });
  if (disabled) session.notShown("accounts.disableUser", disabled);
  const enabled = await session.expect("accounts.enableUser", { body });
  if (!enabled) return;
  session.cleanup.done(step);
  session.cleanup.stays(`user ${named} is enabled`);
  session.notShown("accounts.enableUser", enabled);
}
