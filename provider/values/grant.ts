import { coversAll, type Element, expanded, type Policy, principalsIn, saysWho, unknownConditionsOf } from "./element";
import { type Id, sameId } from "./id";
import { allOfObjects } from "./policy";

/** One user or one group: exactly one of the two is set. */
export interface Principal {
  readonly user?: Id | undefined;
  readonly group?: Id | undefined;
}

/** What a policy says about one principal alone. */
export interface Grant extends Principal {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

type Access = Element["access"];
type Actions = readonly string[];

/** What the elements that name this principal alone say, or undefined if there are none. */
export function grantIn(policy: Policy, principal: Principal): Grant | undefined {
  const own = naming(policy, principal).filter((element) => isOwn(element, principal));
  return grantOf(principal, own);
}

/** What the principal's own elements say, beside the closing element: a grant replaces all of that. */
export function replacedBy(policy: Policy, grant: Grant, all: Actions = allOfObjects): Grant | undefined {
  return grantOf(grant, partsOf(policy, grant, all).own);
}

/**
 * What the policy holds of a grant that was set before: what the principal's own elements say, and what the platform may
 * have merged into elements of others. The closing element of the user interface is not part of a grant that does not
 * deny `all` itself.
 */
export function visibleGrant(policy: Policy, grant: Grant, all: Actions = allOfObjects): Grant | undefined {
  const { own, merged } = partsOf(policy, grant, all);
  return grantOf(grant, [...own, ...merged]);
}

/** Whether the policy holds the grant, possibly rewritten: split, reordered, merged with others, with `all` written out. */
export function hasGrant(policy: Policy, grant: Grant, all: Actions = allOfObjects): boolean {
  return meansTheSame(visibleGrant(policy, grant, all), grant, all);
}

/**
 * The policy with the grant as the only elements that name the principal alone, in place of an `old` one. All other elements
 * stay as they are, also those that name the principal together with others, unless the platform has merged the old grant
 * into them. The same policy if it holds such elements already.
 */
export function withGrant(
  policy: Policy,
  grant: Grant,
  all: Actions = allOfObjects,
  old?: Grant & { readonly namedBefore?: boolean },
): Policy {
  const { own } = partsOf(policy, grant, all);
  if (meansTheSame(grantOf(grant, own), grant, all)) return policy;
  const before = old && partsOf(policy, old, all);
  const gone = [...own, ...(before?.own ?? [])];
  const listing = old?.namedBefore ? [] : (before?.merged ?? []);
  const others = policy
    .filter((element) => !gone.includes(element))
    .flatMap((element) => (listing.includes(element) ? withoutPrincipal(element, old!) : [element]));
  const place = placeFor(grant, others, all);
  return [...others.slice(0, place), ...elementsOf(grant, others, all), ...others.slice(place)];
}

/**
 * The policy without the grant: without these actions in elements that name the principal alone. If the platform or the
 * user interface has listed the principal in elements of several since, it is taken out of those too: where the grant was
 * merged into one, and of the closing deny-all. `namedBefore`: such elements named it before the grant, so they stay.
 * `wasClosed`: there was one before part of this was done. The same policy if nothing of the grant is there.
 */
export function withoutGrant(
  policy: Policy,
  grant: Grant,
  {
    all = allOfObjects,
    namedBefore = false,
    wasClosed = false,
  }: { readonly all?: Actions; readonly namedBefore?: boolean; readonly wasClosed?: boolean } = {},
): Policy {
  const { own, merged, closing } = partsOf(policy, grant, all, wasClosed);
  const isWhole = meansTheSame(grantOf(grant, own), grant, all);
  const listing = namedBefore ? [] : [...merged, ...closing];
  const left = policy.flatMap((element) => {
    if (own.includes(element)) return isWhole ? [] : withoutActions(element, grant, all);
    return listing.includes(element) ? withoutPrincipal(element, grant) : [element];
  });
  return left.length === policy.length && left.every((element, index) => element === policy[index]) ? policy : left;
}

/** The closing deny-all for the principal alone, beside the grant. */
export function closingFor(policy: Policy, grant: Grant, all: Actions): Policy {
  const { own, closing } = partsOf(policy, grant, all);
  return closing.filter((element) => isAlone(element, grant) && !own.includes(element));
}

/** Whether elements that are not part of the grant name its principal. */
export function isNamedBeside(policy: Policy, grant: Grant, all: Actions = allOfObjects): boolean {
  const { own } = partsOf(policy, grant, all);
  return policy.some((element) => names(element, grant) && !own.includes(element));
}

/** Indexes of elements of others that name the principal, and say the opposite of the grant about one of its actions. */
export function contradictionsOf(policy: Policy, grant: Grant, all: Actions = allOfObjects): number[] {
  const { own } = partsOf(policy, grant, all);
  const wanted = verdictsOf(grant, all);
  return policy.flatMap((element, index) => {
    if (own.includes(element) || !names(element, grant)) return [];
    const says = (name: string) => wanted.has(name) && wanted.get(name) !== element.access;
    return element.action?.some(says) ? [index] : [];
  });
}

/** `user 104`, `group 203`. */
export function principalName({ user, group }: Principal): string {
  return user !== undefined ? `user ${user}` : `group ${group}`;
}

/** `allow read, update; deny delete`. */
export function grantText(grant: Grant): string {
  return accessesOf(grant)
    .map((access) => `${access} ${grant[access]!.join(", ")}`)
    .join("; ");
}

/** The elements of a policy that a grant is about. */
interface Parts {
  /** They name the principal alone. The closing element is one only if the grant denies `all` itself. */
  readonly own: readonly Element[];
  /** The platform may have merged ours into these: they say nothing but what the grant says and `own` does not. */
  readonly merged: readonly Element[];
  /** The deny-all of the user interface, which names the principal because other elements do. */
  readonly closing: readonly Element[];
}

function partsOf(policy: Policy, grant: Grant, all: Actions, wasClosed = false): Parts {
  const named = naming(policy, grant);
  const stillCloses = (element: Element) => wasClosed && isAlone(element, grant) && isDenyAll(element, all);
  const closing = named.filter((element) => isClosing(policy, element, grant, all) || stillCloses(element));
  const deniesAll = coversAll(grant.deny ?? [], all);
  const own = named.filter((element) => isOwn(element, grant) && (deniesAll || !closing.includes(element)));
  const present = verdictsOf(grantOf(grant, own) ?? {}, all);
  const wanted = verdictsOf(grant, all);
  const merged = named.filter((element) => {
    const actions = expanded(element.action ?? [], all);
    const isMissing = (name: string) => wanted.get(name) === element.access && !present.has(name);
    return !isAlone(element, grant) && actions.length > 0 && actions.every(isMissing);
  });
  return { own, merged, closing };
}

function grantOf({ user, group }: Principal, elements: readonly Element[]): Grant | undefined {
  if (elements.length === 0) return undefined;
  const said = (access: Access) => [
    ...new Set(elements.filter((one) => one.access === access).flatMap(({ action }) => action ?? [])),
  ];
  const deny = said("deny");
  // The same action in both: a denial wins.
  const allow = said("allow").filter((name) => !deny.includes(name));
  return {
    ...(user !== undefined ? { user } : { group }),
    ...(allow.length > 0 && { allow }),
    ...(deny.length > 0 && { deny }),
  };
}

/** The meaning of a grant: whether it allows or denies an action. Named actions override `all`. */
function verdictsOf({ allow = [], deny = [] }: Grant, all: Actions): Map<string, Access> {
  const meantBy = (names: Actions) => (names.includes("all") ? all : []);
  const said: [Actions, Access][] = [
    [meantBy(allow), "allow"],
    [meantBy(deny), "deny"],
    [allow, "allow"],
    [deny, "deny"],
  ];
  const verdicts = said.flatMap(([names, access]) => names.map((name) => [name, access] as const));
  return new Map(verdicts.filter(([name]) => name !== "all"));
}

function meansTheSame(found: Grant | undefined, grant: Grant, all: Actions): boolean {
  const [said, wanted] = [verdictsOf(found ?? {}, all), verdictsOf(grant, all)];
  return said.size === wanted.size && [...said].every(([name, access]) => wanted.get(name) === access);
}

/** An element that may decide otherwise for the principal. A user may be in any group. */
function isRival(element: Element, access: Access, principal: Principal): boolean {
  if (element.access === access) return false;
  const mayBeIn = principal.user !== undefined && (element.condition?.svcGroups ?? []).length > 0;
  return !element.condition || names(element, principal) || mayBeIn;
}

/** Before the first element that may decide otherwise, in case the platform takes the first that fits; else at the end, where the closing element stays last. */
function placeFor(grant: Grant, others: Policy, all: Actions): number {
  const accesses = accessesOf(grant);
  const rival = others.findIndex((element) => accesses.some((access) => isRival(element, access, grant)));
  if (rival >= 0) return rival;
  const last = others.at(-1);
  return last && isDenyAll(last, all) ? others.length - 1 : others.length;
}

/**
 * Named actions override `all`. So where another element may decide otherwise, the actions that `all` stands for are named
 * too; and where the grant makes an exception from `all`, only the others are named, since a platform may write `all` out.
 */
function elementsOf(grant: Grant, others: Policy, all: Actions): Element[] {
  const [key, id] = listedAs(grant);
  const named = [...(grant.allow ?? []), ...(grant.deny ?? [])];
  return accessesOf(grant).flatMap((access) => {
    const actions = [...new Set(grant[access])];
    const hasException = all.some((name) => named.includes(name) && !actions.includes(name));
    const isContested = hasException || others.some((element) => isRival(element, access, grant));
    const parts = isContested && actions.includes("all") ? all.filter((name) => !named.includes(name)) : [];
    const action = [...actions.filter((name) => name !== "all" || !hasException), ...parts];
    return action.length > 0 ? [{ access, action, condition: { [key]: [id] } }] : [];
  });
}

function accessesOf(grant: Grant): Access[] {
  return (["allow", "deny"] as const).filter((access) => (grant[access] ?? []).length > 0);
}

function withoutActions(element: Element, grant: Grant, all: Actions): Element[] {
  const taken = grant[element.access] ?? [];
  const gone = new Set([...taken, ...expanded(taken, all)]);
  const before = element.action ?? [];
  // What is left of `all` is written out.
  const names = gone.has("all") ? before : expanded(before, all);
  if (!names.some((name) => gone.has(name))) return [element];
  const action = [...new Set(names)].filter((name) => !gone.has(name));
  return action.length > 0 ? [{ ...element, action }] : [];
}

/** Nothing is left of an element that named only this principal: without a condition it would cover everybody. */
function withoutPrincipal(element: Element, principal: Principal): Element[] {
  if (isAlone(element, principal)) return [];
  const [key, ours] = listedAs(principal);
  const { condition = {} } = element;
  const left = (condition[key] ?? []).filter((id) => !sameId(id, ours));
  // Without the names of before, of which one is no longer true.
  const others = Object.entries(condition).filter(([name, value]) => name !== key && !saysWho(name, value, condition));
  return [{ ...element, condition: { ...Object.fromEntries(others), ...(left.length > 0 && { [key]: left }) } }];
}

/** Where a condition lists the principal, and as what. */
function listedAs({ user, group }: Principal) {
  return user !== undefined ? (["svcUsers", user] as const) : (["svcGroups", group!] as const);
}

/** Names this principal alone, and says about what. */
function isOwn(element: Element, principal: Principal): boolean {
  return isAlone(element, principal) && (element.action ?? []).length > 0;
}

function isAlone(element: Element, principal: Principal): boolean {
  return principalsIn(element).every((name) => name === principalName(principal));
}

/** The elements that name the principal. A condition that the manual does not know may narrow one down: it is not ours. */
function naming(policy: Policy, principal: Principal): Element[] {
  return policy.filter((element) => names(element, principal) && unknownConditionsOf(element).length === 0);
}

function names(element: Element, principal: Principal): boolean {
  return principalsIn(element).includes(principalName(principal));
}

/**
 * The deny-all element that the user interface adds "for the listed users and groups": it names only those that other
 * elements name too, and the principal is not named just to be denied everything.
 */
function isClosing(policy: Policy, element: Element, principal: Principal, all: Actions): boolean {
  if (!isDenyAll(element, all)) return false;
  const others = policy.filter((other) => other !== element);
  const named = others.flatMap(principalsIn);
  return (
    principalsIn(element).every((one) => named.includes(one)) &&
    others.some((other) => names(other, principal) && !isDenyAll(other, all))
  );
}

function isDenyAll({ access, action = [] }: Element, all: Actions): boolean {
  return access === "deny" && coversAll(action, all) && expanded(action, all).every((name) => all.includes(name));
}
