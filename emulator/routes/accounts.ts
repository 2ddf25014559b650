import { z } from "zod";
import { admins, anyone } from "../auth";
import { notFound } from "../errors";
import { withoutFinalSlashes } from "../expressions";
import { findUser } from "../lookup";
import type { Readings } from "../readings";
import type { Account, RecordOf, User } from "../records";
import { type Context, defineRoute } from "../router";
import { showGroup } from "../show-access";
import { done, statusAnswer } from "./shared";

const shownAccount = z.object({
  id: z.int(),
  name: z.string(),
  storage_type: z.string(),
  compute_type: z.string(),
  storage_validated: z.boolean(),
  compute_validated: z.boolean(),
  is_aws_role_enabled: z.boolean(),
  idle_session_timeout: z.int().nullable(),
  storage_access_key: z.string(),
  storage_secret_key: z.string(),
  storage_location: z.string(),
  authorized_ssh_key: z.string().nullable(),
  compute_access_key: z.string(),
  compute_secret_key: z.string(),
  role_arn: z.string().optional(),
  external_id: z.string().optional(),
});

const view = defineRoute({
  operation: "account.view",
  summary: "View the account of the token",
  method: "GET",
  paths: ["/api/v1.2/account"],
  access: anyone("viewing an account's details"),
  answer: shownAccount,
  handle({ account, readings }) {
    const { role_arn, external_id, ...always } = account;
    return shownAccount.parse({
      ...always,
      storage_location: viewLocation(account, readings.storageLocation),
      ...(account.is_aws_role_enabled && { role_arn, external_id }),
    });
  },
});

function viewLocation({ id, storage_location }: Account, form: Readings["storageLocation"]): string {
  const forms = {
    defloc: storage_location,
    "final-slash": `${withoutFinalSlashes(storage_location)}/`,
    "without-scheme": storage_location.replace(/^s3[an]?:\/\//, ""),
    "own-bucket": `s3://platform-accounts/${id}`,
  };
  return forms[form];
}

const userEntry = z.object({
  id: z.int(),
  user_id: z.int(),
  email: z.string(),
  name: z.string(),
  disabled: z.boolean(),
  is_admin: z.boolean(),
  groups: z.array(z.string()),
  authentication_token: z.string().optional(),
});

function groupsOf({ store, account }: Context, user: User): RecordOf<"groups">[] {
  return user.groups.flatMap((id) => store.get("groups", account.id, id) ?? []);
}

const isAdmin = (context: Context, user: User) => groupsOf(context, user).some(({ name }) => name === "system-admin");

type Entry = Omit<z.infer<typeof userEntry>, "groups"> & { groups: unknown[] };

function describeUser(context: Context, user: User): Entry {
  const { id, user_id, email, name, status } = user;
  const short = { id, user_id, email, name, disabled: status !== "enabled", is_admin: isAdmin(context, user) };
  if (context.readings.userEntry === "manual") return { ...short, ...manualFields(context, user) };
  return {
    ...short,
    groups: groupsOf(context, user).map(({ name }) => name),
    // Some installations show tokens to administrators, so clients must treat the answer as secret.
    ...(isAdmin(context, context.user) && { authentication_token: user.token }),
  };
}

/** What the manual's example has beyond the short entry. It shows tokens of service users, and there are none. */
function manualFields(context: Context, user: User) {
  return {
    account_id: context.account.id,
    created_at: "2024-01-01T00:00:00Z",
    authentication_token_updated_at: "2024-01-01T00:00:00Z",
    last_login: null,
    groups: groupsOf(context, user).map(showGroup),
    user_type: "regular",
  };
}

const members = ({ store, account }: Context) =>
  store.list("users", account.id).filter((user) => user.status !== "pending");

/** The list in its envelope, which the specification leaves open. */
function enveloped({ store, account, readings }: Context, users: unknown[]): unknown {
  const groups = store.list("groups", account.id).map(({ id, name }) => ({ id, name }));
  const paging_info = { previous_page: null, next_page: null, per_page: 100 };
  return { users: { users }, array: users, paged: { paging_info, users, groups } }[readings.usersEnvelope];
}

function withOddUser([first, ...others]: Entry[], form: Readings["oddUser"]): unknown[] {
  if (!first) return [];
  const forms = { none: first, "null-email": { ...first, email: null }, "id-only": { id: first.id }, null: null };
  return [forms[form], ...others];
}

const getUsers = defineRoute({
  operation: "accounts.getUsers",
  summary: "List the users of the account",
  method: "GET",
  paths: ["/api/v1.2/accounts/get_users"],
  access: anyone("viewing an account's details"),
  answer: z.object({ users: z.array(userEntry) }),
  handle(context) {
    const { store, account, readings } = context;
    const listed = readings.pendingUsers === "listed" ? store.list("users", account.id) : members(context);
    const users = listed.map((user) => describeUser(context, user));
    return enveloped(context, withOddUser(users, readings.oddUser));
  },
});

const getPendingUsers = defineRoute({
  operation: "accounts.getPendingUsers",
  summary: "List the users that await approval",
  method: "GET",
  paths: ["/api/v1.2/accounts/get_pending_users"],
  access: admins("viewing an account's details"),
  answer: z.object({ users: z.array(z.object({ id: z.int(), user_id: z.int(), email: z.string() })) }),
  handle(context) {
    const pending = context.store.list("users", context.account.id).filter((user) => user.status === "pending");
    return enveloped(
      context,
      pending.map(({ id, user_id, email }) => ({ id, user_id, email })),
    );
  },
});

const getUserEmails = defineRoute({
  operation: "accounts.getUserEmails",
  summary: "List the e-mail addresses of the account's users",
  method: "GET",
  paths: ["/api/v1.2/accounts/get_user_emails"],
  access: anyone("viewing an account's details"),
  answer: z.object({ emails: z.array(z.string()) }),
  handle(context) {
    const emails = members(context).map((user) => user.email);
    const users = emails.map((email) => ({ email }));
    return { emails: { emails }, array: emails, users: { users } }[context.readings.emailsEnvelope];
  },
});

export const userParams = z.strictObject({
  svc_user_id: z.string().min(1).describe("The id of a get_users entry, or the user's e-mail address"),
});

export function userToChange(context: Context, svc_user_id: string): User {
  const user = findUser(context, svc_user_id);
  if (!user) throw notFound(`svc_user_id: this account has no user ${svc_user_id}`);
  return user;
}

const enableUser = defineRoute({
  operation: "accounts.enableUser",
  summary: "Enable a user",
  method: "POST",
  paths: ["/api/v1.2/accounts/enable_svc_user"],
  access: anyone("enabling users"),
  params: userParams,
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, { svc_user_id }) {
    const user = userToChange(context, svc_user_id);
    if (user.status !== "enabled") context.store.put("users", context.account.id, { ...user, status: "enabled" });
    return done(`${user.email} is enabled`);
  },
});

export { view as viewAccount };

export const accountRoutes = [view, getUsers, getPendingUsers, getUserEmails, enableUser];
