import type * as types from "./types";

/** A policy as plain values: of an object or of a folder. */
export type PlainPolicy = readonly (types.PolicyElement | types.FolderPolicyElement)[];

/** Who asks: a user, by the `id` of `getUsers`, and the groups of that user. */
export interface Subject {
  readonly userId: number;
  readonly groupIds?: readonly number[];
}

export interface Explanation {
  /** Undefined when no element applies: the API's manual does not say what the platform does then. */
  readonly allowed: boolean | undefined;
  /** Index of the element that decides. */
  readonly by: number | undefined;
  /** The element that decides. */
  readonly element: PlainPolicy[number] | undefined;
  /** Why, in a sentence. */
  readonly reason: string;
}

/** What `all` stands for, in the API's own words: read, edit and delete. It does not stand for `manage`. */
const partsOfAll = ["read", "update", "delete"] as const;

interface Match {
  readonly index: number;
  readonly element: PlainPolicy[number];
  /** Smaller goes before larger. */
  readonly rank: number;
  readonly because: string;
}

/**
 * What a policy means for a user: whether an action is allowed, and by which element.
 *
 * An element that names the action goes before one that says `all` or no action. Among equals, what names the user
 * goes before what names a group, and that before what names nobody. Among equals again, a denial wins. The action
 * `all` asks for read, update and delete together.
 *
 * ```typescript
 * explain([{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }], { userId: 104, groupIds: [203] }, "read");
 * // { allowed: true, by: 0, … }
 * ```
 */
export function explain(policy: PlainPolicy, subject: Subject, action: string): Explanation {
  if (action !== "all") return explainOne(policy, subject, action);
  const parts = partsOfAll.map((part) => explainOne(policy, subject, part));
  return (
    parts.find(({ allowed }) => allowed === false) ?? parts.find(({ allowed }) => allowed === undefined) ?? parts[0]!
  );
}

function explainOne(policy: PlainPolicy, subject: Subject, action: string): Explanation {
  const matches = policy
    .map((element, index) => matchOf(element, index, subject, action))
    .filter((match) => match !== undefined);
  const best = Math.min(...matches.map(({ rank }) => rank));
  const decisive = matches.filter(({ rank }) => rank === best);
  const winner = decisive.find(({ element }) => element.access === "deny") ?? decisive[0];
  if (!winner)
    return {
      allowed: undefined,
      by: undefined,
      element: undefined,
      reason: `no element concerns ${action} by user ${subject.userId}, and the API's manual does not say what holds then`,
    };
  const { index, element } = winner;
  const allowed = element.access === "allow";
  const verb = allowed ? "allows" : "denies";
  const overruled = matches.filter((match) => match.element.access !== element.access).map((match) => match.index);
  const before = overruled.length > 0 ? `; that goes before element ${overruled.join(", ")}` : "";
  return { allowed, by: index, element, reason: `element ${index} ${verb} ${action}: ${winner.because}${before}` };
}

function matchOf(element: PlainPolicy[number], index: number, subject: Subject, action: string): Match | undefined {
  const who = whoRank(element, subject);
  const what = whatRank(element, action);
  if (who === undefined || what === undefined) return undefined;
  return { index, element, rank: what.rank * 3 + who.rank, because: `it ${who.because} and ${what.because}` };
}

interface Rank {
  readonly rank: number;
  readonly because: string;
}

function whoRank({ condition }: PlainPolicy[number], { userId, groupIds = [] }: Subject): Rank | undefined {
  if (!condition) return { rank: 2, because: "concerns everybody" };
  if (condition.svcUsers?.includes(userId)) return { rank: 0, because: `names user ${userId}` };
  const group = condition.svcGroups?.find((id) => groupIds.includes(id));
  return group === undefined ? undefined : { rank: 1, because: `names group ${group} of user ${userId}` };
}

function whatRank({ action: actions }: PlainPolicy[number], action: string): Rank | undefined {
  if (!actions) return { rank: 1, because: "concerns every action" };
  const named: readonly string[] = actions;
  if (named.includes(action)) return { rank: 0, because: "names the action" };
  return named.includes("all") && action !== "manage" ? { rank: 1, because: "says all" } : undefined;
}
