import type { Id } from "../../provider/values/id";

/** A user, as the report shows one. */
export interface UserReport {
  /** What policies name in `svcUsers`. */
  readonly id: Id;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Awaits approval. */
  readonly pending?: boolean;
  /** Ids of the groups that the user is known to be in. */
  readonly groups: readonly Id[];
  /** False if the user may be in others too. */
  readonly groupsKnown: boolean;
  /** False if only a policy, or a group, names the user. */
  readonly listed: boolean;
}

export interface User extends UserReport {
  /** Groups about which it is known whether the user is in them, even if others may be missing. */
  readonly decided: ReadonlySet<Id>;
}

export interface Group {
  readonly id: Id;
  readonly name?: string | undefined;
}

/** The users and groups of an account, as far as they can be read. */
export interface Directory {
  readonly users: readonly User[];
  readonly groups: readonly Group[];
}

export interface MemberChange {
  readonly user: Id;
  readonly group: Id;
  readonly isMember: boolean;
}

/** The users after some have been added to groups or removed from them. */
export function afterChanges(users: readonly User[], changes: readonly MemberChange[]): readonly User[] {
  const byId = new Map(users.map((user) => [user.id, user]));
  for (const { user: id, group, isMember } of changes) {
    const user = byId.get(id)!;
    const groups = isMember ? [...new Set([...user.groups, group])] : user.groups.filter((one) => one !== group);
    byId.set(id, { ...user, groups, decided: new Set([...user.decided, group]) });
  }
  return [...byId.values()];
}

/** Of these groups, those of which nobody knows whether the user is in them. */
export function uncertain({ groups, groupsKnown, decided }: User, named: readonly Id[]): readonly Id[] {
  return groupsKnown ? [] : named.filter((group) => !groups.includes(group) && !decided.has(group));
}
