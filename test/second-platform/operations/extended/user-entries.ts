import type { User, UserState } from "../../model";
import type { Call } from "../../operation";
import { groupRecord } from "./group-records";

function groupsField(call: Call, user: User): Record<string, unknown> {
  const { world } = call;
  const groups = world.data.groups.filter((group) => user.groups.includes(group.id));
  return {
    records: { groups: groups.map((group) => groupRecord(world, group)) },
    ids: { groups: groups.map((group) => group.id) },
    names: { groups: groups.map((group) => group.name) },
    "comma text of names": { groups: groups.map((group) => group.name).join(",") },
    absent: {},
    "null when none": { groups: groups.length === 0 ? null : groups.map((group) => groupRecord(world, group)) },
  }[world.switches.userGroups];
}

function tokenField(call: Call, user: User): Record<string, unknown> {
  const { world } = call;
  const isAdmin = world.data.groups.some(
    (group) => call.user.groups.includes(group.id) && group.name === "system-admin",
  );
  const service = user.userType === "service";
  return {
    "of service users, to administrators": isAdmin && service ? { authentication_token: user.token } : {},
    absent: {},
    null: { authentication_token: null },
    masked: { authentication_token: "********" },
    "of all users, to administrators": isAdmin ? { authentication_token: user.token } : {},
  }[world.switches.userToken];
}

function flags(call: Call, user: User, state: UserState): Record<string, unknown> {
  const { world } = call;
  const admins = world.data.groups.filter((group) => group.name === "system-admin").map((group) => group.id);
  const isAdmin = user.groups.some((id) => admins.includes(id));
  const disabled = state !== "enabled";
  return {
    "as shown": { is_admin: isAdmin, disabled },
    "without disabled": { is_admin: isAdmin },
    "disabled as text": { is_admin: isAdmin, disabled: String(disabled) },
    "is_admin as 0 or 1": { is_admin: isAdmin ? 1 : 0, disabled },
  }[world.switches.userFields];
}

/** The fields of a get_users entry that the specification leaves out. */
export function fullEntry(call: Call, user: User, state: UserState): Record<string, unknown> {
  const { world } = call;
  const created = world.stamp(user.createdAt ?? Date.UTC(2024, 0, 1));
  const names = { "as registered": user.name, "empty text": "", null: null };
  return {
    name: names[world.switches.userName],
    account_id: user.accountId,
    ...flags(call, user, state),
    created_at: created,
    authentication_token_updated_at: created,
    last_login: null,
    ...groupsField(call, user),
    user_type: user.userType ?? "regular",
    ...tokenField(call, user),
  };
}
