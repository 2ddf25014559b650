import { type Answer, invalid, missing, ok, Refusal, refuseIf, unshown } from "../../answers";
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
  const { switches } = call.world;
  const fold = (email: string) => (switches.memberEmails === "ignored" ? email.toLowerCase() : email);
  const own = ofAccount(call);
  const byId = own.find((user) => String(user.id) === given);
  const byUserId = own.find((user) => String(user.userId) === given);
  const byEmail = own.find((user) => fold(user.email) === fold(given));
  const ways = {
    "id of get_users": [byId, byEmail],
    user_id: [byUserId, byEmail],
    "either, id first": [byId, byUserId, byEmail],
  }[switches.memberIds];
  return ways.find((user) => user !== undefined);
}

function roleIdMeant(call: Call, given: string): number | undefined {
  try {
    return roleMeant(call, given).id;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Resolves every name before the work begins; a switch decides what an unknown one leads to. */
function resolve<T>(
  call: Call,
  given: readonly string[],
  find: (text: string) => T | undefined,
  work: (one: T) => void,
): void {
  const found = given.map((text) => [text, find(text)] as const);
  const stranger = found.find(([, one]) => one === undefined)?.[0];
  const way = call.world.switches.memberUnknown;
  if (stranger === undefined || way === "ignored" || way === "refused, known changed")
    for (const [, one] of found) if (one !== undefined) work(one);
  if (stranger === undefined || way === "ignored") return;
  const message = `${stranger} not found`;
  if (way === "200 with status error") throw new Refusal("missing", message, ok({ status: "error", message }));
  throw missing(message);
}

function remember(world: World, group: Group): void {
  const { previousMembers: _, ...current } = group;
  const users = membersOf(world, current).map((user) => user.id);
  group.previousMembers = { users, delay: world.delay(world.switches.memberDelay) };
}

export function addMembers(call: Call, group: Group, given: readonly string[]): void {
  remember(call.world, group);
  resolve(
    call,
    given,
    (text) => userMeant(call, text),
    (user) => {
      if (user.groups.includes(group.id)) refuseIf(call.world.switches.memberPresent, `${user.email} is a member`);
      else user.groups.push(group.id);
    },
  );
}

export function removeMembers(call: Call, group: Group, given: readonly string[]): void {
  remember(call.world, group);
  resolve(
    call,
    given,
    (text) => userMeant(call, text),
    (user) => {
      if (!user.groups.includes(group.id)) refuseIf(call.world.switches.memberAbsent, `${user.email} is no member`);
      user.groups = user.groups.filter((id) => id !== group.id);
    },
  );
}

export function addRoles(call: Call, group: Group, given: readonly string[]): void {
  resolve(
    call,
    given,
    (text) => roleIdMeant(call, text),
    (id) => {
      if (!group.roles.includes(id)) group.roles.push(id);
    },
  );
}

export function removeRoles(call: Call, group: Group, given: readonly string[]): void {
  resolve(
    call,
    given,
    (text) => roleIdMeant(call, text),
    (id) => {
      group.roles = group.roles.filter((one) => one !== id);
    },
  );
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
