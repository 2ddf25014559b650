import type { User, UserState } from "../../model";
import type { Call } from "../../operation";
import { groupRecord } from "./group-records";

function groupsField(call: Call, user: User): Record<string, unknown> {
  const { world } = call;
  const groups = world.data.groups.filter((group) => user.groups.includes(group.id));
  switch (world.switches.userGroups) {
    case "ids":
      return { groups: groups.map((group) => group.id) };
    case "names":
      return { groups: groups.map((group) => group.name) };
    case "comma text of names":
      return { groups: groups.map((group) => group.name).join(",") };
    case "absent":
      return {};
    case "null when none":
      return { groups: groups.length === 0 ? null : groups.map((group) => groupRecord(world, group)) };
    default:
      return { groups: groups.map((group) => groupRecord(world, group)) };
  }
}

function tokenField(call: Call, user: User): Record<string, unknown> {
  const { world } = call;
  const isAdmin = world.data.groups.some(
    (group) => call.user.groups.includes(group.id) && group.name === "system-admin",
  );
  const service = user.userType === "service";
  switch (world.switches.userToken) {
    case "absent":
      return {};
    case "null":
      return { authentication_token: null };
    case "masked":
      return { authentication_token: "********" };
    case "of all users, to administrators":
      return isAdmin ? { authentication_token: user.token } : {};
    default:
      return isAdmin && service ? { authentication_token: user.token } : {};
  }
}

function flags(call: Call, user: User, state: UserState): Record<string, unknown> {
  const { world } = call;
  const admins = world.data.groups.filter((group) => group.name === "system-admin").map((group) => group.id);
  const isAdmin = user.groups.some((id) => admins.includes(id));
  const disabled = state !== "enabled";
  switch (world.switches.userFields) {
    case "without disabled":
      return { is_admin: isAdmin };
    case "disabled as text":
      return { is_admin: isAdmin, disabled: String(disabled) };
    case "is_admin as 0 or 1":
      return { is_admin: isAdmin ? 1 : 0, disabled };
    default:
      return { is_admin: isAdmin, disabled };
  }
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
