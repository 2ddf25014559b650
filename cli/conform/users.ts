import { type Fields, isFields } from "../../provider/values/json";
import type { Answer } from "./answer";
import { undoneUnless } from "./cleanup";
import { idOf, isTexts, listIn } from "./forms";
import type { Session } from "./session";
import { user } from "./specified";

/** A list of users, whose envelope both operations should share. */
function usersIn(answer: Answer): readonly unknown[] {
  const form = answer.listForm("users");
  answer.form("usersEnvelope", form === "named" ? "users" : form, "the envelope");
  return listIn(answer.json, "users");
}

const isComplete = (entry: unknown): entry is Fields & { readonly email: string } =>
  isFields(entry) &&
  idOf(entry["id"]) !== undefined &&
  idOf(entry["user_id"]) !== undefined &&
  typeof entry["email"] === "string";

export async function readUsers(session: Session): Promise<void> {
  const answer = await session.expectReadable("accounts.getUsers", "getUsers");
  if (!answer) return;
  const { op } = answer;
  const entries = usersIn(answer);
  const complete = entries.filter(isComplete);
  const odd = entries.filter((entry) => !isComplete(entry));
  const [strange] = odd;
  const { email } = isFields(strange) ? strange : {};
  op.reading("oddUser", {
    none: entries.length > 0 && odd.length === 0,
    null: strange === null,
    "id-only": isFields(strange) && Object.keys(strange).join() === "id",
    "null-email": email === null,
  });
  if (complete[0]) op.check(complete[0], user, "2.8");
  if (odd.length > 0)
    op.deviates(`${odd.length} of ${entries.length} entries lack id, user_id or email`, undefined, "2.8");
  session.facts.users = complete.map(({ id, email }) => ({ id: idOf(id)!, email }));
  const ids = entries.filter(isFields).map(({ id }) => idOf(id));
  if (new Set(ids).size < ids.length) op.deviates("a user is listed twice", undefined, "2.8");
  const last = complete.at(-1);
  if (last) op.reading("userEntry", isFromManual(last) ? "manual" : "short");
}

const isFromManual = ({ user_type, groups }: Fields): boolean =>
  user_type !== undefined || (Array.isArray(groups) && isFields(groups[0]));

export async function readPendingUsers(session: Session): Promise<void> {
  const { users } = session.facts;
  const answer = await session.expectReadable("accounts.getPendingUsers", "getPendingUsers");
  if (!answer) return session.leaveOpen("pendingUsers", "get_pending_users does not answer");
  const pending = usersIn(answer);
  if (pending.length === 0) return session.leaveOpen("pendingUsers", "there are no pending users");
  if (users.length === 0) return session.leaveOpen("pendingUsers", "get_users shows no users");
  const emails = pending.map((one) => (isFields(one) ? one["email"] : one));
  const isListed = users.some(({ email }) => emails.includes(email));
  session.op("accounts.getUsers").reading("pendingUsers", isListed ? "listed" : "left-out");
}

export async function readEmails(session: Session): Promise<void> {
  const answer = await session.expectReadable("accounts.getUserEmails", "getUserEmails");
  const { emails, users } = answer?.fields ?? {};
  const forms = {
    array: isTexts(answer?.json),
    emails: isTexts(emails),
    users: Array.isArray(users) && users.every((one) => isFields(one) && "email" in one),
  };
  answer?.form("emailsEnvelope", forms, "the answer");
}

export async function writeUser(session: Session): Promise<void> {
  const { user: named } = session.targets;
  const both = ["accounts.enableUser", "accounts.disableUser"] as const;
  if (named === undefined) return session.notTried("pass --user, a user who may be disabled for a moment", ...both);
  const ask = { body: { svc_user_id: named } };
  const step = {
    what: `user ${named}`,
    undo: async () => undoneUnless((await session.ask("accounts.enableUser", ask)).error, "enabling the user again"),
  };
  // Whatever becomes of the request to disable: to be enabled afterwards is what was announced.
  session.cleanup.add(step);
  const disabled = await session.expect("accounts.disableUser", ask);
  disabled?.notShown();
  const enabled = await session.expect("accounts.enableUser", ask);
  if (!enabled) return;
  session.cleanup.done(step);
  session.cleanup.stays(`user ${named} is enabled`);
  enabled.notShown();
}
