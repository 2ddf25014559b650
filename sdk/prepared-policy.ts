import type * as types from "./types";

/** A policy as plain values: of an object or of a folder. */
export type PlainPolicy = readonly (types.PolicyElement | types.FolderPolicyElement)[];

/** A user, by the id that policies name in `svcUsers`, and the groups of that user. */
export interface Subject {
  readonly userId: number;
  readonly groupIds?: readonly number[];
}

/** What a policy decides about an action, for every user to whom the same elements apply. */
export interface Decision {
  /** Undefined where the API's manual does not say. */
  readonly allowed: boolean | undefined;
  /** Index of the element that decides. */
  readonly by: number | undefined;
  readonly element: PlainPolicy[number] | undefined;
  /** The group through which that element applies; undefined if it names the user. */
  readonly group: number | undefined;
  /** Why, in a sentence. `who` is how it names the user. */
  reason(who: string): string;
}

/** What `all` covers, in the API's own words: read, edit and delete. It does not cover `manage`. */
const partsOfAll = ["read", "update", "delete"] as const;

type Element = PlainPolicy[number];

/** An element that applies to a user. */
interface Application {
  readonly index: number;
  /** Undefined if the element has no condition. */
  readonly by: "user" | { readonly group: number } | undefined;
}

interface Match extends Application {
  readonly element: Element;
  readonly who: "user" | "group" | undefined;
  readonly what: "named" | "all" | undefined;
  /** What the element lacks, so that whether it applies at all is a guess. */
  readonly missing: string | undefined;
  because(who: string): string;
}

/** All users to whom the same elements apply in the same way. */
export class UserClass {
  readonly #policy: PlainPolicy;
  readonly #applications: readonly Application[];
  readonly #decisions = new Map<string, Decision>();

  constructor(policy: PlainPolicy, applications: readonly Application[]) {
    this.#policy = policy;
    this.#applications = applications;
  }

  decide(action: string): Decision {
    let decision = this.#decisions.get(action);
    if (!decision) {
      decision = this.#decide(action);
      this.#decisions.set(action, decision);
    }
    return decision;
  }

  #decide(action: string): Decision {
    if (action !== "all") return decideOne(this.#policy, this.#applications, action);
    const parts = partsOfAll.map((part) => this.decide(part));
    return (
      parts.find(({ allowed }) => allowed === false) ?? parts.find(({ allowed }) => allowed === undefined) ?? parts[0]!
    );
  }
}

/** A policy made ready for many users: each costs a few lookups, however long the lists of ids are. */
export class PreparedPolicy {
  readonly policy: PlainPolicy;
  readonly #byUser = new Map<number, number[]>();
  /** For each group, the elements that name it, and the place of the group in the element's list. */
  readonly #byGroup = new Map<number, { readonly index: number; readonly place: number }[]>();
  /** Elements without a condition. */
  readonly #open: readonly number[];
  /** By the elements that apply. */
  readonly #classes = new Map<string, UserClass>();
  /** By what the policy knows of a user, which is quicker to tell; a single group stands for itself. */
  readonly #known = new Map<number | string, UserClass>();
  readonly #untouched: UserClass;

  constructor(policy: PlainPolicy) {
    this.policy = policy;
    for (const [index, { condition }] of policy.entries()) {
      for (const user of new Set(condition?.svcUsers?.map(plainId))) pushTo(this.#byUser, user, index);
      for (const [place, group] of (condition?.svcGroups ?? []).entries())
        pushTo(this.#byGroup, plainId(group), { index, place });
    }
    this.#open = [...policy.keys()].filter((index) => !policy[index]!.condition);
    this.#untouched = new UserClass(
      policy,
      this.#open.map((index) => ({ index, by: undefined })),
    );
  }

  /** Ids that the policy names, once each. */
  get userIds(): readonly number[] {
    return [...this.#byUser.keys()];
  }
  get groupIds(): readonly number[] {
    return [...this.#byGroup.keys()];
  }

  /** Users of one class get the same object. */
  classOf({ userId, groupIds = [] }: Subject): UserClass {
    const named = this.#byUser.get(plainId(userId));
    const groups = groupIds.map(plainId).filter((group) => this.#byGroup.has(group));
    if (!named && groups.length === 0) return this.#untouched;
    const key = !named && groups.length === 1 ? groups[0]! : `${named?.join() ?? ""} ${groups.join()}`;
    let found = this.#known.get(key);
    if (!found) {
      found = this.#shared(this.#applications(named ?? [], groups));
      this.#known.set(key, found);
    }
    return found;
  }

  #applications(named: readonly number[], groups: readonly number[]): Application[] {
    const applications = new Map<number, Application>(this.#open.map((index) => [index, { index, by: undefined }]));
    const places = new Map<number, number>();
    for (const group of groups)
      for (const { index, place } of this.#byGroup.get(group) ?? []) {
        // The first group in the element's order is the one that the reason names.
        if (place >= (places.get(index) ?? Number.POSITIVE_INFINITY)) continue;
        places.set(index, place);
        applications.set(index, { index, by: { group } });
      }
    for (const index of named) applications.set(index, { index, by: "user" });
    return [...applications.values()].sort((a, b) => a.index - b.index);
  }

  #shared(applications: readonly Application[]): UserClass {
    const key = applications
      .map(({ index, by }) => `${index}${by === "user" ? "u" : by ? `g${by.group}` : ""}`)
      .join(" ");
    const known = this.#classes.get(key) ?? new UserClass(this.policy, applications);
    this.#classes.set(key, known);
    return known;
  }
}

/** An id is a number or text, also the same one in a policy and in a list of users: `104` and `"104"` are one user. */
function plainId(id: number | string): number {
  return (/^(0|[1-9]\d{0,14})$/.test(String(id)) ? Number(id) : id) as number;
}

function pushTo<V>(map: Map<number, V[]>, key: number, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function decideOne(policy: PlainPolicy, applications: readonly Application[], action: string): Decision {
  const matches = applications
    .map((application) => matchOf(policy[application.index]!, application, action))
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
      (who) =>
        `${sentence(userAll, action, who)}, but ${sentence(groupNamed, action, who)}; the API's manual does not say which of the two takes precedence`,
    );
  const winner = userNamed ?? groupNamed ?? userAll ?? best("group", "all");
  if (!winner) return notSaid((who) => whyUndecided(matches, who, action));
  return {
    allowed: winner.element.access === "allow",
    by: winner.index,
    element: winner.element,
    group: typeof winner.by === "object" ? winner.by.group : undefined,
    reason: (who) => [sentence(winner, action, who), ...remarks(winner, matches, action)].join("; "),
  };
}

function notSaid(reason: Decision["reason"]): Decision {
  return { allowed: undefined, by: undefined, element: undefined, group: undefined, reason };
}

function whyUndecided([first]: Match[], who: string, action: string): string {
  if (!first) return `no element covers ${action} for ${who}, and the API's manual does not say what applies then`;
  return `element ${first.index} has ${first.missing}: whether it ${verbOf(first.element)} ${action} to ${who} would be a guess, because the API's manual does not say`;
}

function sentence({ index, element, because }: Match, action: string, who: string): string {
  return `element ${index} ${verbOf(element)} ${action}: it ${because(who)}`;
}

function verbOf({ access }: Element): string {
  return access === "allow" ? "allows" : "denies";
}

/** What it takes precedence over, and which of that is a guess. */
function remarks(winner: Match, matches: readonly Match[], action: string): string[] {
  const others = matches.filter(({ element }) => element.access !== winner.element.access);
  const list = (found: readonly Match[]) => found.map(({ index }) => index).join(", ");
  const guessed = others.filter(({ missing }) => missing !== undefined);
  const equal = others.filter(({ who, what }) => who === winner.who && what === winner.what);
  const lower = others.filter((match) => !guessed.includes(match) && !equal.includes(match));
  return [
    lower.length > 0 ? `it takes precedence over element ${list(lower)}` : "",
    equal.length > 0 ? `that a denial overrides element ${list(equal)} is a guess` : "",
    guessed.length > 0
      ? `that it takes precedence over element ${list(guessed)}, which has ${guessed[0]!.missing}, is a guess`
      : "",
    winner.what === "all" && !partsOfAll.some((part) => part === action) ? `that all covers ${action} is a guess` : "",
  ].filter((remark) => remark !== "");
}

function matchOf(element: Element, application: Application, action: string): Match | undefined {
  const what = whatOf(element, action);
  if (!what) return undefined;
  const { by } = application;
  const missing = [element.condition ? "" : "no condition", element.action ? "" : "no action"].filter(Boolean);
  const rank = by === "user" ? "user" : by && "group";
  return {
    ...application,
    element,
    who: missing.length > 0 ? undefined : rank,
    what: missing.length > 0 ? undefined : what.rank,
    missing: missing.length > 0 ? missing.join(" and ") : undefined,
    because: (who) => `${becauseOf(by, who)} and ${what.because}`,
  };
}

function becauseOf(by: Application["by"], who: string): string {
  if (!by) return "names no user or group";
  return by === "user" ? `names ${who}` : `names group ${by.group} of ${who}`;
}

function whatOf(
  { action: actions }: Element,
  action: string,
): { readonly rank: Match["what"]; readonly because: string } | undefined {
  if (!actions) return { rank: undefined, because: "names no action" };
  const named: readonly string[] = actions;
  if (named.includes(action)) return { rank: "named", because: "names the action" };
  return named.includes("all") && action !== "manage" ? { rank: "all", because: "says all" } : undefined;
}
