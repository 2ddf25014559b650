import { type PlainPolicy, PreparedPolicy } from "./prepared-policy";

/** Who is expected to be allowed or denied what. */
export interface ExpectedAccess {
  /** The `id` of the user, as `getUsers` returns it. */
  readonly user: number;
  /** Ids of the user's groups. */
  readonly groups?: readonly number[];
  /** Such as `read`, `update`, `delete`, `manage` or `all`; for folders `read` and `write`. */
  readonly action: string;
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
export function assertAccess(policy: PlainPolicy, { user, groups = [], action, allowed }: ExpectedAccess): void {
  const found = new PreparedPolicy(policy).classOf({ userId: user, groupIds: groups }).decide(action);
  if (found.allowed === allowed) return;
  const members = groups.length > 0 ? ` of group${groups.length > 1 ? "s" : ""} ${groups.join(", ")}` : "";
  const element = found.element ? `. The element: ${JSON.stringify(found.element)}` : "";
  throw new Error(
    `${action} for user ${user}${members} is ${wordFor(found.allowed)}, expected ${wordFor(allowed)}: ${found.reason(`user ${user}`)}${element}`,
  );
}

function wordFor(allowed: boolean | undefined): string {
  if (allowed === undefined) return "not said by the API's manual";
  return allowed ? "allowed" : "denied";
}
