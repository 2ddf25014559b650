import { type PlainPolicy, PreparedPolicy, type Subject } from "./prepared-policy";

export type { PlainPolicy, Subject } from "./prepared-policy";

export interface Explanation {
  /** Undefined where the API's manual does not say: no element applies, or two do and neither takes precedence. */
  readonly allowed: boolean | undefined;
  /** Index of the element that decides. */
  readonly by: number | undefined;
  /** The element that decides. */
  readonly element: PlainPolicy[number] | undefined;
  /** Why, in a sentence. */
  readonly reason: string;
}

/**
 * What a policy means for a user: whether an action is allowed, and by which element.
 *
 * An element that names the action takes precedence over one that says `all`, and one that names the user over one that
 * names a group; where these two rules contradict each other, the answer is `undefined`. Among equals, a denial wins. An
 * element without a condition or an action decides nothing, because it does not say whom or what it covers. The action
 * `all` asks for read, update and delete together.
 *
 * ```typescript
 * explain([{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }], { userId: 104, groupIds: [203] }, "read");
 * // { allowed: true, by: 0, … }
 * ```
 */
export function explain(policy: PlainPolicy, subject: Subject, action: string): Explanation {
  const { allowed, by, element, reason } = new PreparedPolicy(policy).classOf(subject).decide(action);
  return { allowed, by, element, reason: reason(`user ${subject.userId}`) };
}
