import { type Answer, missing, ok, unshown } from "../answers";
import { type Call, needs, type Operation, operation, pageOf } from "../operation";
import type { User, UserState } from "../state";
import type { World } from "../world";

const ofAccount = ({ world, user }: Call) => world.data.users.filter((one) => one.accountId === user.accountId);

/** The state that lists show: the old one while an enabling is not visible yet. */
function shownState(world: World, user: User): UserState {
  return user.previous && !world.passed(user.previous.delay) ? user.previous.state : user.state;
}

function listed(call: Call, which: "enabled and disabled" | "enabled only" | "all"): [User, UserState][] {
  return ofAccount(call)
    .map((user): [User, UserState] => [user, shownState(call.world, user)])
    .filter(
      ([, state]) =>
        which === "all" || state === "enabled" || (state === "disabled" && which === "enabled and disabled"),
    );
}

const emailOf = (world: World, user: User) =>
  world.switches.usersEmailCase === "lower case" ? user.email.toLowerCase() : user.email;

function entry(world: World, user: User, state: UserState): Record<string, unknown> {
  const enabled = state === "enabled";
  return {
    id: user.id,
    user_id: user.userId,
    email: emailOf(world, user),
    name: user.name,
    ...{
      none: {},
      is_enabled: { is_enabled: enabled },
      "status text": { status: state },
      "disabled flag": { disabled: !enabled },
      disabled_at: { disabled_at: enabled ? null : world.stamp(world.now() - 86_400_000) },
      "svc_user record": { svc_user: { is_enabled: enabled } },
    }[world.switches.usersState],
  };
}

const oddEntries: Record<string, unknown> = {
  "null email": { id: 9901, user_id: 9902, email: null },
  "without user_id": { id: 9901, email: "odd@example.com" },
  null: null,
};

function users(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const entries: unknown[] = listed(call, switches.usersShown).map(([user, state]) => entry(world, user, state));
  if (switches.usersOddEntry === "one user twice") entries.push(structuredClone(entries[1]));
  else if (switches.usersOddEntry !== "none") entries.splice(1, 0, oddEntries[switches.usersOddEntry]);
  const third = pageOf(call, entries, 3);
  const cut = switches.usersPages === "never" ? entries : third.cut;
  const paging = switches.usersPages === "3 a page with paging_info" ? third.paging : {};
  return {
    users: ok({ ...paging, users: cut }),
    list: ok(cut),
    account_users: ok({ ...paging, account_users: cut }),
    "users with paging_info": ok({
      paging_info: { previous_page: null, next_page: null, per_page: 100 },
      ...paging,
      users: cut,
    }),
    "data.users": ok({ ...paging, data: { users: cut } }),
    "JSON object by id": ok(
      Object.fromEntries(cut.map((one, i) => [String((one as { id?: number } | null)?.id ?? i), one])),
    ),
    "users and other lists": ok({ groups: [{ id: 9, name: "everyone" }], ...paging, users: cut, invited: [] }),
  }[switches.usersEnvelope];
}

function pending(call: Call): Answer {
  const { world } = call;
  const waiting = ofAccount(call).filter((user) => shownState(world, user) === "pending");
  const records = waiting.map((user) => entry(world, user, "pending"));
  const emails = waiting.map((user) => emailOf(world, user));
  return {
    "pending_users of records": ok({ pending_users: records }),
    "list of records": ok(records),
    "list of e-mails": ok(emails),
    "users of records": ok({ users: records }),
    "emails only under users": ok({ users: emails }),
    "empty body when none": records.length === 0 ? { status: 200 } : ok({ pending_users: records }),
  }[world.switches.pendingForm];
}

function emails(call: Call): Answer {
  const { world } = call;
  const found = listed(call, world.switches.emailsShown).map(([user]) => user);
  const texts = found.map((user) => emailOf(world, user));
  return {
    "emails of texts": ok({ emails: texts }),
    "list of texts": ok(texts),
    "user_emails of texts": ok({ user_emails: texts }),
    "records with email": ok({ users: texts.map((email) => ({ email })) }),
    "pairs of id and email": ok(found.map((user) => [user.id, emailOf(world, user)])),
    "comma text": ok({ emails: texts.join(",") }),
  }[world.switches.emailsForm];
}

/** The user meant by an `id` or an e-mail address; ids of users and users' user_ids overlap on purpose. */
function userMeant(call: Call, given: string): User {
  const own = ofAccount(call);
  const found = own.find((user) => String(user.id) === given) ?? own.find((user) => user.email === given);
  if (!found) throw missing(`user ${given} not found`);
  return found;
}

function enable(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const given = call.parameters.only("svc_user_id").needs("svc_user_id").text("svc_user_id") ?? "";
  const user = userMeant(call, given);
  if (user.state !== "enabled") {
    user.previous = { state: user.state, delay: world.delay(switches.enableDelay) };
    user.state = "enabled";
  }
  return unshown(switches.unshownAnswer, entry(world, user, "enabled"));
}

const base = "/api/v1.2/accounts";

export const userOperations: readonly Operation[] = [
  operation("users.list", `GET ${base}/get_users`, needs.viewAccount, users),
  operation("users.pending", `GET ${base}/get_pending_users`, needs.viewPending, pending),
  operation("users.emails", `GET ${base}/get_user_emails`, needs.viewAccount, emails),
  operation("users.enable", `POST ${base}/enable_svc_user`, needs.enableUsers, enable),
];
