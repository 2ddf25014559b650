import { anyAnswer } from "../api/answer";
import { isPlatformError, type PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { installationOf } from "../api/installation";
import { isSoAfterAll } from "../api/meaning";
import type { Context } from "../core/define";
import { type Id, isNumeric, sameId } from "../values/id";
import { changeTogether } from "./changes";
import {
  type Direction,
  groupList,
  noteWritten,
  type Part,
  readList,
  readPart,
  segment,
  type Target,
} from "./group-parts";
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

  // The manual does not say which of a user's two ids is meant, and the list may show the other one.
  missing: (context, things) =>
    notListed(
      context,
      things.filter((one) => !isNumeric(one)),
    ),

  async change(context, target, direction, things, again) {
    const change = new MemberChange(context, target, direction, again);
    const group = segment(target.group);
    if (direction === "add") noteWritten(context, members, group, things, direction);
    const changes = await changeTogether(things, (done) => change.send(things, done));
    noteWritten(context, members, group, changes.done, direction);
    return changes;
  },
};

function nameOf({ id, email }: KnownUser): Named {
  return { id, name: email };
}

/** A path with this many users is short enough for any server. */
const usersPerRequest = 50;

class MemberChange {
  readonly #operation: typeof extendedOperations.addGroupUsers | typeof extendedOperations.removeGroupUsers;

  constructor(
    private readonly context: Context,
    private readonly target: Target,
    private readonly direction: Direction,
    /** Whether an earlier run may have made it. */
    private readonly again: boolean,
  ) {
    const { addGroupUsers, removeGroupUsers } = extendedOperations;
    this.#operation = direction === "add" ? addGroupUsers : removeGroupUsers;
  }

  /** Tells in `done` what went well before a failure. */
  async send(things: readonly Id[], done: Id[]): Promise<void> {
    const { context } = this;
    // It may be tried again, after some of it was done.
    const rest = () => things.filter((one) => !done.includes(one));
    try {
      if (await attempt(context, this.#operation, () => this.#sendInParts(rest(), done))) return;
    } catch (error) {
      if (!isPlatformError(error, "not-found", "conflict", "rejected")) throw error;
      const refused = rest();
      const left = await this.#leftAfter(error, refused);
      if (left.length < refused.length) {
        done.push(...refused.filter((one) => !left.includes(one)));
        if (left.length > 0) await this.send(left, done);
        return;
      }
      if (error.code !== "not-found" || !error.fromPlatform) throw error;
      const unknown = await notListed(context, things);
      if (unknown.length > 0)
        throw error.with(`${error.message}. The account's list of users does not have ${unknown.join(", ")}`);
      installationOf(context.api).notice(this.#operation, error, context.log);
    }
    await this.#sendAsUpdate(things);
  }

  async #sendInParts(things: readonly Id[], done: Id[]): Promise<true> {
    const { api } = this.context;
    const isSentAsId = (one: Id) => isNumeric(this.#sentAs(one));
    try {
      // A list holds either ids or e-mail addresses.
      for (const users of [things.filter(isSentAsId), things.filter((one) => !isSentAsId(one))])
        for (let start = 0; start < users.length; start += usersPerRequest) {
          const some = users.slice(start, start + usersPerRequest);
          const path = { group: segment(this.target.group), users: some.map((one) => this.#sentAs(one)).join(",") };
          await api.call(this.#operation, { path, body: {}, answer: anyAnswer });
          done.push(...some);
        }
      return true;
    } finally {
      usersOf(api).written();
    }
  }

  /** The manual does not say which of a user's two ids is meant. */
  #sentAs(one: Id): Id {
    const { id, name } = this.target.directory.of(one);
    return name ?? id ?? one;
  }

  /** A platform may refuse to add what is there, or to remove what is not. All of it, if that cannot be told. */
  async #leftAfter(error: PlatformError, things: readonly Id[]): Promise<readonly Id[]> {
    const { context, direction } = this;
    const { group, directory } = this.target;
    const shown = await readPart(context, members, group, directory);
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
    if (!isAboutAll || !isSoAfterAll(error, direction, this.again)) return things;
    context.log.info(`nothing to ${direction}: ${error.message}`);
    return [];
  }

  /** For an installation that lacks the operation: fields of an update of the group do the same. */
  async #sendAsUpdate(things: readonly Id[]): Promise<void> {
    const { context, direction } = this;
    const { group, shown, all } = this.target;
    const lacking = cannotDo(this.#operation, `group ${spelled(group)} was not changed`);
    const others = shown ?? all;
    if (direction === "add" && !others) throw lacking;
    // Platforms differ in whether an update adds to the members or replaces them: naming all of them does both.
    const listed = direction === "add" ? [...(others ?? []), ...things] : things;
    const users = [...new Set(listed.map((one) => String(this.#sentAs(one))))].join(",");
    const field = direction === "add" ? "members" : "removed_members";
    const updated = await groups.update(context, segment(group), { [field]: users });
    if (updated === "lacking") throw lacking;
    if (updated === "gone" && direction === "add") throw noSuchGroup(group);
  }
}

/** If there are none, "not found" cannot mean one of the users, so that the installation lacks the operation. */
async function notListed(context: Context, things: readonly Id[]): Promise<readonly Id[]> {
  const known = await knownUsers(context);
  return known.isComplete ? things.filter((one) => findUser(known, one) === undefined) : [];
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
