import { anyAnswer } from "../api/answer";
import { isPlatformError, type PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { installationOf } from "../api/installation";
import { isSoAfterAll } from "../api/meaning";
import type { Context } from "../core/define";
import { type Id, isNumeric, sameId } from "../values/id";
import { changeTogether } from "./changes";
import { type Direction, groupList, type Part, readList, segment, type Target } from "./group-parts";
import { noSuchGroup } from "./group-sets";
import { groups, memberKey } from "./groups";
import { attempt, cannotDo } from "./lacking";
import { Directory, type Named, spelled } from "./references";
import { findUser, type KnownUser, type KnownUsers, usersOf } from "./users";

const userList = groupList(extendedOperations.listGroupUsers, "users", "email");

/** The users who are members of a group. */
export const members: Part = {
  what: "user",
  verbs: ["add", "remove"],
  key: memberKey,

  async read(context, group) {
    const listed = await readList(context, userList, group);
    if (listed !== "unknown") return listed;
    // The users of the account show their groups too.
    const { users, isComplete } = await knownUsers(context);
    if (!isComplete || users.some(({ groups }) => groups === undefined)) return "unknown";
    // Platforms may show the id where others show the name.
    const isIt = (one: Id | undefined) => one !== undefined && (sameId(one, group.id) || one === group.name);
    const isIn = ({ id, name }: Named) => isIt(id) || isIt(name);
    return users.filter(({ groups }) => groups?.some(isIn)).map(nameOf);
  },

  async directory(context) {
    const { users } = await knownUsers(context);
    return new Directory(users.map(nameOf), (email) => email.toLowerCase());
  },

  change: (context, target, direction, things, again) =>
    changeTogether(things, (done) => send(context, target, direction, things, done, again)),
};

function nameOf({ id, email }: KnownUser): Named {
  return { id, name: email };
}

const operationFor = { add: extendedOperations.addGroupUsers, remove: extendedOperations.removeGroupUsers } as const;

/** Tells in `done` what went well before a failure. */
async function send(
  context: Context,
  target: Target,
  direction: Direction,
  things: readonly Id[],
  done: Id[],
  again: boolean,
): Promise<void> {
  const operation = operationFor[direction];
  // It may be tried again, after some of it was done.
  const rest = () => things.filter((one) => !done.includes(one));
  try {
    if (await attempt(context, operation, () => sendInParts(context, target, direction, rest(), done))) return;
  } catch (error) {
    if (!isPlatformError(error, "not-found", "conflict", "rejected")) throw error;
    const refused = rest();
    const left = await leftAfter(context, target, direction, refused, error, again);
    if (left.length < refused.length) {
      done.push(...refused.filter((one) => !left.includes(one)));
      if (left.length > 0) await send(context, target, direction, left, done, again);
      return;
    }
    if (error.code !== "not-found" || !error.fromPlatform || !(await allExist(context, things))) throw error;
    installationOf(context.api).notice(operation, error, context.log);
  }
  await sendAsUpdate(context, target, direction, things);
}

/** A path with this many users is short enough for any server. */
const usersPerRequest = 50;

async function sendInParts(
  { api }: Context,
  { group, directory }: Target,
  direction: Direction,
  things: readonly Id[],
  done: Id[],
): Promise<void> {
  const isSentAsId = (one: Id) => isNumeric(sentAs(directory, one));
  try {
    // A list holds either ids or e-mail addresses.
    for (const users of [things.filter(isSentAsId), things.filter((one) => !isSentAsId(one))])
      for (let start = 0; start < users.length; start += usersPerRequest) {
        const some = users.slice(start, start + usersPerRequest);
        const path = { group: segment(group), users: some.map((one) => sentAs(directory, one)).join(",") };
        await api.call(operationFor[direction], { path, body: {}, answer: anyAnswer });
        done.push(...some);
      }
  } finally {
    usersOf(api).written();
  }
}

/** The manual does not say which of a user's two ids is meant. */
function sentAs(directory: Directory, one: Id): Id {
  const { id, name } = directory.of(one);
  return name ?? id ?? one;
}

/**
 * A platform may refuse to add what is there, or to remove what is not: so after a refusal, what is left to do. The list
 * itself, if that cannot be told.
 */
async function leftAfter(
  context: Context,
  { group, directory }: Target,
  direction: Direction,
  things: readonly Id[],
  error: PlatformError,
  again: boolean,
): Promise<readonly Id[]> {
  const shown = await members.read(context, group);
  if (shown === "gone") {
    if (direction === "remove") return [];
    throw noSuchGroup(group);
  }
  if (shown !== "unknown" && directory.compare(things, shown).isSure) {
    const isThere = directory.among(shown);
    return things.filter((one) => isThere(directory.of(one)) === (direction === "remove"));
  }
  // Of several, the words may be about one of them; our own lost request was about all.
  const isAboutAll = things.length === 1 || error.outcome === "open";
  if (!isAboutAll || !isSoAfterAll(error, direction, again)) return things;
  context.log.info(`nothing to ${direction}: ${error.message}`);
  return [];
}

/** Then "not found" cannot mean one of the users, so that the installation lacks the operation. */
async function allExist(context: Context, things: readonly Id[]): Promise<boolean> {
  const known = await knownUsers(context);
  return !known.isComplete || things.every((one) => findUser(known, one) !== undefined);
}

/** For an installation that lacks the operation: fields of an update of the group do the same. */
async function sendAsUpdate(
  context: Context,
  { group, directory, shown, all }: Target,
  direction: Direction,
  things: readonly Id[],
): Promise<void> {
  const lacking = cannotDo(operationFor[direction], `group ${spelled(group)} was not changed`);
  const others = shown ?? all;
  if (direction === "add" && !others) throw lacking;
  // Platforms differ in whether an update adds to the members or replaces them: naming all of them does both.
  const listed = direction === "add" ? [...(others ?? []), ...things] : things;
  const users = [...new Set(listed.map((one) => String(sentAs(directory, one))))].join(",");
  const field = direction === "add" ? "members" : "removed_members";
  const updated = await groups.update(context, segment(group), { [field]: users });
  if (updated === "lacking") throw lacking;
  if (updated === "gone" && direction === "add") throw noSuchGroup(group);
}

/** Without permission to list users, nothing is known. */
async function knownUsers({ api }: Context): Promise<KnownUsers> {
  try {
    return await usersOf(api).fresh();
  } catch (error) {
    if (!isPlatformError(error, "forbidden", "not-found")) throw error;
    return { users: [], isComplete: false };
  }
}
