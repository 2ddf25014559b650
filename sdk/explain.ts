import type * as types from "./types";

/** A policy as plain values: of an object or of a folder. */
export type PlainPolicy = readonly (types.PolicyElement | types.FolderPolicyElement)[];

/** A user, by the `id` of `getUsers`, and the groups of that user. */
export interface Subject {
  readonly userId: number;
  readonly groupIds?: readonly number[];
}

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

/** What `all` covers, in the API's own words: read, edit and delete. It does not cover `manage`. */
const partsOfAll = ["read", "update", "delete"] as const;

type Element = PlainPolicy[number];

interface Match {
  readonly index: number;
  readonly element: Element;
  readonly who: "user" | "group" | undefined;
  readonly what: "named" | "all" | undefined;
  /** What the element lacks, so that whether it applies at all is a guess. */
  readonly missing: string | undefined;
  readonly because: string;
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
  const best = (who: Match["who"], what: Match["what"]) => {
    const equals = matches.filter((match) => match.who === who && match.what === what);
    return equals.find(({ element }) => element.access === "deny") ?? equals[0];
  };
  const userNamed = best("user", "named");
  const groupNamed = best("group", "named");
  const userAll = best("user", "all");
  if (!userNamed && groupNamed && userAll && groupNamed.element.access !== userAll.element.access)
    return notSaid(
      `${sentence(userAll, action)}, but ${sentence(groupNamed, action)}; the API's manual does not say which of the two takes precedence`,
    );
  const winner = userNamed ?? groupNamed ?? userAll ?? best("group", "all");
  if (!winner) return notSaid(whyUndecided(matches, subject, action));
  return {
    allowed: winner.element.access === "allow",
    by: winner.index,
    element: winner.element,
    reason: [sentence(winner, action), ...remarks(winner, matches, policy, action)].join("; "),
  };
}

function notSaid(reason: string): Explanation {
  return { allowed: undefined, by: undefined, element: undefined, reason };
}

function whyUndecided([first]: Match[], { userId }: Subject, action: string): string {
  if (!first)
    return `no element covers ${action} for user ${userId}, and the API's manual does not say what applies then`;
  return `element ${first.index} has ${first.missing}: whether it ${verbOf(first.element)} ${action} to user ${userId} would be a guess, because the API's manual does not say`;
}

function sentence({ index, element, because }: Match, action: string): string {
  return `element ${index} ${verbOf(element)} ${action}: it ${because}`;
}

function verbOf({ access }: Element): string {
  return access === "allow" ? "allows" : "denies";
}

/** What it takes precedence over, and which of that is a guess. */
function remarks(winner: Match, matches: readonly Match[], policy: PlainPolicy, action: string): string[] {
  const others = matches.filter(({ element }) => element.access !== winner.element.access);
  const list = (found: readonly Match[]) => found.map(({ index }) => index).join(", ");
  const guessed = others.filter(({ missing }) => missing !== undefined);
  const equal = others.filter(({ who, what }) => who === winner.who && what === winner.what);
  const lower = others.filter((match) => !guessed.includes(match) && !equal.includes(match));
  const isFolder =
    action === "write" || policy.some((element) => (element.action as string[] | undefined)?.includes("write"));
  return [
    lower.length > 0 ? `it takes precedence over element ${list(lower)}` : "",
    equal.length > 0 ? `that a denial overrides element ${list(equal)} is a guess` : "",
    guessed.length > 0
      ? `that it takes precedence over element ${list(guessed)}, which has ${guessed[0]!.missing}, is a guess`
      : "",
    winner.what === "all" && !partsOfAll.some((part) => part === action) ? `that all covers ${action} is a guess` : "",
    isFolder && winner.who === "user" ? "that svcUsers of a folder are ids of getUsers is a guess" : "",
  ].filter((remark) => remark !== "");
}

function matchOf(element: Element, index: number, subject: Subject, action: string): Match | undefined {
  const who = whoOf(element, subject);
  const what = whatOf(element, action);
  if (!who || !what) return undefined;
  const missing = [element.condition ? "" : "no condition", element.action ? "" : "no action"].filter(Boolean);
  return {
    index,
    element,
    who: missing.length > 0 ? undefined : who.rank,
    what: missing.length > 0 ? undefined : what.rank,
    missing: missing.length > 0 ? missing.join(" and ") : undefined,
    because: `${who.because} and ${what.because}`,
  };
}

interface Fit<R> {
  readonly rank: R | undefined;
  readonly because: string;
}

function whoOf({ condition }: Element, { userId, groupIds = [] }: Subject): Fit<"user" | "group"> | undefined {
  if (!condition) return { rank: undefined, because: "names no user or group" };
  if (condition.svcUsers?.includes(userId)) return { rank: "user", because: `names user ${userId}` };
  const group = condition.svcGroups?.find((id) => groupIds.includes(id));
  return group === undefined ? undefined : { rank: "group", because: `names group ${group} of user ${userId}` };
}

function whatOf({ action: actions }: Element, action: string): Fit<"named" | "all"> | undefined {
  if (!actions) return { rank: undefined, because: "names no action" };
  const named: readonly string[] = actions;
  if (named.includes(action)) return { rank: "named", because: "names the action" };
  return named.includes("all") && action !== "manage" ? { rank: "all", because: "says all" } : undefined;
}
