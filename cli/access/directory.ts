import type { Id } from "../../provider/values/id";
import type { Subject } from "../../sdk/prepared-policy";

export interface User {
  /** What policies name in `svcUsers`. */
  readonly id: Id;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Whether the user awaits approval. */
  readonly isPending?: boolean | undefined;
  /** False if only a policy, or a group, names this user. */
  readonly isListed: boolean;
}

export interface Group {
  readonly id: Id;
  readonly name?: string | undefined;
}

/** What is known about the groups of a user. */
export interface Membership {
  readonly groups: ReadonlySet<Id>;
  /** Whether the user is certainly in no other group. */
  readonly isComplete: boolean;
  /** Groups about which it is known even if the others are not. */
  readonly decided: ReadonlySet<Id>;
}

const nothingKnown: Membership = { groups: new Set(), isComplete: false, decided: new Set() };

/** The users and groups of an account, as far as they can be read. */
export class Directory {
  readonly users: readonly User[];
  readonly groups: readonly Group[];
  readonly #memberships: ReadonlyMap<Id, Membership>;
  /** The users in the form that policies are applied to. */
  readonly subjects: readonly Required<Subject>[];
  readonly #names: ReadonlyMap<Id, string | undefined>;
  /** Whether nothing about memberships is uncertain, so that no user needs a closer look. */
  readonly isCertain: boolean;

  constructor(users: readonly User[], groups: readonly Group[], memberships: ReadonlyMap<Id, Membership>) {
    this.users = users;
    this.groups = groups;
    this.#memberships = memberships;
    this.#names = new Map(groups.map(({ id, name }) => [id, name]));
    this.isCertain = users.every(({ id }) => memberships.get(id)?.isComplete === true);
    this.subjects = users.map(({ id }) => ({ userId: id as number, groupIds: this.groupsOf(id) }));
  }

  /** The groups that the user is known to be in. */
  groupsOf(user: Id): readonly number[] {
    return [...(this.#memberships.get(user)?.groups ?? [])] as number[];
  }

  /** Whether all groups of the user are known. */
  knowsGroupsOf(user: Id): boolean {
    return this.#memberships.get(user)?.isComplete ?? false;
  }

  /** Of these groups, those of which nobody knows whether the user is in them. */
  uncertain(user: Id, groups: readonly number[]): readonly number[] {
    const { groups: known, isComplete, decided } = this.#memberships.get(user) ?? nothingKnown;
    return isComplete ? [] : groups.filter((group) => !known.has(group) && !decided.has(group));
  }

  groupName(group: Id): string | undefined {
    return this.#names.get(group);
  }

  /** The directory with only some of the users. */
  only(isWanted: (user: User) => boolean): Directory {
    return new Directory(this.users.filter(isWanted), this.groups, this.#memberships);
  }

  /** The directory after users have been added to groups or removed from them. */
  changed(changes: readonly MemberChange[]): Directory {
    const memberships = new Map(this.#memberships);
    for (const { user, group, isMember } of changes) {
      const { groups, isComplete, decided } = memberships.get(user) ?? nothingKnown;
      const next = new Set(groups);
      if (isMember) next.add(group);
      else next.delete(group);
      memberships.set(user, { groups: next, isComplete, decided: new Set([...decided, group]) });
    }
    return new Directory(this.users, this.groups, memberships);
  }
}

export interface MemberChange {
  readonly user: Id;
  readonly group: Id;
  readonly isMember: boolean;
}
