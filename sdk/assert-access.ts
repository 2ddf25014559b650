import { type PlainPolicy, PreparedPolicy } from "./prepared-policy";

const knownActions = ["read", "update", "delete", "manage", "write", "all"] as const;

/** The actions that the API's manual shows: `write` for folders, `update`, `delete` and `manage` for objects. */
export type PolicyAction = (typeof knownActions)[number];

/** What a policy of this type can name: folders may have actions that the manual does not show. */
export type ActionIn<P extends PlainPolicy> = PolicyAction | NonNullable<P[number]["action"]>[number];

/** Who is expected to be allowed or denied what. */
export interface ExpectedAccess<Action extends string = string> {
  /** The id of the user, as policies name it in `svcUsers`. Without one, it is about a member of `groups` whom no element names. */
  readonly user?: number | undefined;
  /** Ids of the user's groups. */
  readonly groups?: readonly number[] | undefined;
  /** The same as `user`, as `explain` calls it. */
  readonly userId?: number | undefined;
  /** The same as `groups`, as `explain` calls it. */
  readonly groupIds?: readonly number[] | undefined;
  /** Such as `read`, `update`, `delete`, `manage` or `all`; for folders `read` and `write`. */
  readonly action: Action;
  /** Undefined: neither allowed nor denied, because the API's manual does not say. */
  readonly allowed: boolean | undefined;
}

/**
 * Throws unless the policy means what is expected, by the rules of `explain`. The message says which element decides.
 *
 * ```typescript
 * assertAccess([{ access: "allow", action: ["read"], condition: { svcGroups: [204] } }], {
 *   user: 104,
 *   groups: [204],
 *   action: "read",
 *   allowed: true,
 * });
 * ```
 */
export function assertAccess<P extends PlainPolicy>(policy: P, expected: ExpectedAccess<ActionIn<P>>): void {
  const { action, allowed, user = expected.userId, groups = expected.groupIds ?? [] } = expected;
  refuseMistakes(policy, action, user, groups);
  // Nobody has this id, so only the groups count.
  const found = new PreparedPolicy(policy).classOf({ userId: user ?? Number.NaN, groupIds: groups }).decide(action);
  if (found.allowed === allowed) return;
  const who = user === undefined ? "a member" : `user ${user}`;
  const members = groups.length > 0 ? ` of group${groups.length > 1 ? "s" : ""} ${groups.join(", ")}` : "";
  const element = found.element ? `. The element: ${JSON.stringify(found.element)}` : "";
  throw new Error(
    `${action} for ${who}${members} is ${wordFor(found.allowed)}, expected ${wordFor(allowed)}: ${found.reason(who)}${element}`,
  );
}

/** What is misspelt is covered by no element, so that an expectation of "not said" would hold for the wrong reason. */
function refuseMistakes(
  policy: PlainPolicy,
  action: string,
  user: number | undefined,
  groups: readonly number[],
): void {
  const named = policy.flatMap((element): readonly string[] => element.action ?? []);
  const actions = [...new Set<string>([...knownActions, ...named])];
  if (!actions.includes(action))
    throw new TypeError(
      `assertAccess: ${JSON.stringify(action)} is not an action; use one of ${actions.join(", ")}, or one that the policy names`,
    );
  if (user === undefined && groups.length === 0)
    throw new TypeError(
      "assertAccess: names neither a user nor a group; set user (the id in svcUsers), groups (ids), or both",
    );
}

function wordFor(allowed: boolean | undefined): string {
  if (allowed === undefined) return "not said by the API's manual";
  return allowed ? "allowed" : "denied";
}
