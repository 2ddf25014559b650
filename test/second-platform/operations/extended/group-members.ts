import { type Answer, invalid, missing, ok, unshown } from "../../answers";
import type { Group, User } from "../../model";
import type { Call } from "../../operation";
import type { World } from "../../world";
import { roleMeant } from "../group-roles";
import { ofAccount } from "../users";
import { groupMeant, groupRecord, membersOf } from "./group-records";

/** A list that the manual's text calls an array and its examples send as comma-separated text. */
export function readList(call: Call, name: string): string[] {
  const raw = call.parameters.raw(name);
  if (raw === undefined) return [];
  const way = call.world.switches.groupLists;
  if (Array.isArray(raw) && way !== "text only") return raw.map(String);
  if (typeof raw !== "string" || way === "list only") throw invalid(`${name} has a wrong type`);
  return raw
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function userMeant(call: Call, given: string): User | undefined {
  const own = ofAccount(call);
  return own.find((user) => String(user.id) === given) ?? own.find((user) => user.email === given);
}

/** Resolves every name before the work begins. */
function resolve<T>(given: readonly string[], find: (text: string) => T | undefined): T[] {
  return given.map((text) => {
    const found = find(text);
    if (found === undefined) throw missing(`${text} not found`);
    return found;
  });
}

function remember(world: World, group: Group): void {
  const { previousMembers: _, ...current } = group;
  const users = membersOf(world, current).map((user) => user.id);
  group.previousMembers = { users, delay: world.delay(world.switches.memberDelay) };
}

export function addMembers(call: Call, group: Group, given: readonly string[]): void {
  remember(call.world, group);
  for (const user of resolve(given, (text) => userMeant(call, text)))
    if (!user.groups.includes(group.id)) user.groups.push(group.id);
}

export function removeMembers(call: Call, group: Group, given: readonly string[]): void {
  remember(call.world, group);
  for (const user of resolve(given, (text) => userMeant(call, text)))
    user.groups = user.groups.filter((id) => id !== group.id);
}

export function addRoles(call: Call, group: Group, given: readonly string[]): void {
  for (const id of resolve(given, (text) => roleMeant(call, text).id))
    if (!group.roles.includes(id)) group.roles.push(id);
}

export function removeRoles(call: Call, group: Group, given: readonly string[]): void {
  const ids = resolve(given, (text) => roleMeant(call, text).id);
  group.roles = group.roles.filter((one) => !ids.includes(one));
}

/** Users of the path: comma-separated ids or e-mail addresses. */
function usersOfPath(call: Call): string[] {
  const whole = call.path["users"] ?? "";
  const encoded = /%2c/i.test(call.rawPath["users"] ?? "");
  return encoded && call.world.switches.memberComma === "not decoded" ? [whole] : whole.split(",");
}

export function addUsers(call: Call): Answer {
  addMembers(call, groupMeant(call), usersOfPath(call));
  return ok({ status: "done" });
}

export function removeUsers(call: Call): Answer {
  const group = groupMeant(call);
  removeMembers(call, group, usersOfPath(call));
  return unshown(call.world.switches.removeUsersAnswer, groupRecord(call.world, group));
}
