import { type Id, sameId } from "./id";
import { allOfObjects, type Element, expanded, type Policy } from "./policy";

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
  return grantOf(
    principal,
    policy.filter((element) => isOwn(element, principal)),
  );
}

/** What the principal's own elements say, beside the closing element: a grant replaces all of that. */
export function replacedBy(policy: Policy, grant: Grant, all: Actions = allOfObjects): Grant | undefined {
  return grantOf(grant, ownElements(policy, grant, all));
}

/** Whether the policy holds the grant, possibly rewritten: split, reordered, merged with others, with `all` written out. */
export function hasGrant(policy: Policy, grant: Grant, all: Actions = allOfObjects): boolean {
  const own = ownElements(policy, grant, all);
  return saysExactly([...own, ...mergedElements(policy, grant, own, all)], grant, all);
}

/**
 * What the policy holds of a grant that was set before: what the principal's own elements say, and what the platform may
 * have merged into elements of others. The closing element of the user interface is not part of a grant that does not
 * deny `all` itself.
 */
export function visibleGrant(policy: Policy, grant: Grant, all: Actions = allOfObjects): Grant | undefined {
  const own = ownElements(policy, grant, all);
  return grantOf(grant, [...own, ...mergedElements(policy, grant, own, all)]);
}

/**
 * The policy with the grant as the only elements that name the principal alone. All other elements stay as they are, also
 * those that name the principal together with others. The same policy if it holds such elements already.
 */
export function withGrant(policy: Policy, grant: Grant, all: Actions = allOfObjects): Policy {
  const own = ownElements(policy, grant, all);
  if (saysExactly(own, grant, all)) return policy;
  const others = policy.filter((element) => !own.includes(element));
  const place = placeFor(grant, others, all);
  return [...others.slice(0, place), ...elementsOf(grant, others, all), ...others.slice(place)];
}

/**
 * The policy without the grant: without these actions in elements that name the principal alone. If the platform or the
 * user interface has listed the principal in elements of several since, it is taken out of those too: where the grant was
 * merged into one, and of the closing deny-all. `namedBefore`: such elements named it before the grant, so they stay.
 * The same policy if nothing of the grant is there.
 */
export function withoutGrant(
  policy: Policy,
  grant: Grant,
  { all = allOfObjects, namedBefore = false }: { readonly all?: Actions; readonly namedBefore?: boolean } = {},
): Policy {
  const own = ownElements(policy, grant, all);
  const isWhole = saysExactly(own, grant, all);
  const merged = mergedElements(policy, grant, own, all);
  const listsIt = (element: Element) =>
    merged.includes(element) ||
    (names(element, grant) && !hasOtherConditions(element) && isClosing(policy, element, grant, all));
  const left = policy.flatMap((element) => {
    if (own.includes(element)) return isWhole ? [] : withoutActions(element, grant, all);
    return !namedBefore && listsIt(element) ? withoutPrincipal(element, grant) : [element];
  });
  return left.length === policy.length && left.every((element, index) => element === policy[index]) ? policy : left;
}

/** Whether elements that are not part of the grant name its principal. */
export function isNamedBeside(policy: Policy, grant: Grant, all: Actions = allOfObjects): boolean {
  const own = ownElements(policy, grant, all);
  return policy.some((element) => names(element, grant) && !own.includes(element));
}

/** Indexes of elements of others that name the principal, and say the opposite of the grant about one of its actions. */
export function contradictionsOf(policy: Policy, grant: Grant, all: Actions = allOfObjects): number[] {
  const own = ownElements(policy, grant, all);
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
export function grantText({ allow = [], deny = [] }: Grant): string {
  const text = (access: Access, actions: Actions) => (actions.length > 0 ? [`${access} ${actions.join(", ")}`] : []);
  return [...text("allow", allow), ...text("deny", deny)].join("; ");
}

/** The principal's own elements, without the closing one, which stands there because the policy lists the principal. */
function ownElements(policy: Policy, grant: Grant, all: Actions): Element[] {
  const own = policy.filter((element) => isOwn(element, grant));
  const deniesAll = all.every((name) => verdictsOf({ deny: grant.deny }, all).has(name));
  return deniesAll ? own : own.filter((element) => !isClosing(policy, element, grant, all));
}

/**
 * Elements of several principals that the platform may have merged ours into: they say nothing but what the grant says
 * and our own elements do not.
 */
function mergedElements(policy: Policy, grant: Grant, own: readonly Element[], all: Actions): Element[] {
  const present = verdictsOf(grantOf(grant, own) ?? {}, all);
  const wanted = verdictsOf(grant, all);
  return policy.filter((element) => {
    if (!names(element, grant) || isAlone(element, grant) || hasOtherConditions(element)) return false;
    const actions = expanded(element.action ?? [], all);
    return actions.length > 0 && actions.every((name) => wanted.get(name) === element.access && !present.has(name));
  });
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
  const verdicts = new Map<string, Access>();
  const set = (names: Actions, access: Access) => {
    for (const name of names) verdicts.set(name, access);
  };
  if (allow.includes("all")) set(all, "allow");
  if (deny.includes("all")) set(all, "deny");
  set(allow, "allow");
  set(deny, "deny");
  verdicts.delete("all");
  return verdicts;
}

function saysExactly(elements: readonly Element[], grant: Grant, all: Actions): boolean {
  const said = verdictsOf(grantOf(grant, elements) ?? {}, all);
  const wanted = verdictsOf(grant, all);
  return said.size === wanted.size && [...said].every(([name, access]) => wanted.get(name) === access);
}

/** An element that may decide otherwise for the principal. A user may be in any group. */
function isRival(element: Element, access: Access, principal: Principal): boolean {
  if (element.access === access) return false;
  const { condition } = element;
  return (
    !condition || names(element, principal) || (principal.user !== undefined && (condition.svcGroups ?? []).length > 0)
  );
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
  const { user, group } = grant;
  const condition = user !== undefined ? { svcUsers: [user] } : { svcGroups: [group!] };
  const named = [...(grant.allow ?? []), ...(grant.deny ?? [])];
  return accessesOf(grant).flatMap((access) => {
    const actions = [...new Set(grant[access])];
    const hasException = all.some((name) => named.includes(name) && !actions.includes(name));
    const isContested = hasException || others.some((element) => isRival(element, access, grant));
    const parts = isContested && actions.includes("all") ? all.filter((name) => !named.includes(name)) : [];
    const action = [...actions.filter((name) => name !== "all" || !hasException), ...parts];
    return action.length > 0 ? [{ access, action, condition }] : [];
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
  const names = before.some((name) => name === "all") && !gone.has("all") ? expanded(before, all) : before;
  const isTouched = names.some((name) => gone.has(name));
  if (!isTouched) return [element];
  const action = [...new Set(names)].filter((name) => !gone.has(name));
  return action.length > 0 ? [{ ...element, action }] : [];
}

/** Nothing is left of an element that named only this principal: without a condition it would cover everybody. */
function withoutPrincipal(element: Element, principal: Principal): Element[] {
  if (isAlone(element, principal)) return [];
  const key = keyOf(principal);
  const ids = (element.condition?.[key] ?? []).filter((id) => !sameId(id, idOf(principal)));
  const { [key]: _, ...others } = element.condition ?? {};
  return [{ ...element, condition: ids.length > 0 ? { ...element.condition, [key]: ids } : others }];
}

/** Names this principal alone, and says about what. */
function isOwn(element: Element, principal: Principal): boolean {
  return isAlone(element, principal) && (element.action ?? []).length > 0;
}

function isAlone(element: Element, principal: Principal): boolean {
  if (!names(element, principal) || hasOtherConditions(element)) return false;
  const { svcUsers = [], svcGroups = [] } = element.condition ?? {};
  const [ids, rest] = principal.user !== undefined ? [svcUsers, svcGroups] : [svcGroups, svcUsers];
  return (rest ?? []).length === 0 && (ids ?? []).every((id) => sameId(id, idOf(principal)));
}

function names(element: Element, principal: Principal): boolean {
  return (element.condition?.[keyOf(principal)] ?? []).some((id) => sameId(id, idOf(principal)));
}

/** A condition that the manual does not know may narrow the element down, so it is not ours. Empty ones say nothing. */
function hasOtherConditions({ condition }: Element): boolean {
  const { svcUsers: _, svcGroups: __, ...others } = condition ?? {};
  return Object.values(others).some((value) => !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/**
 * The deny-all element that the user interface adds "for the listed users and groups": it names only those that other
 * elements name too, and the principal is not named just to be denied everything.
 */
function isClosing(policy: Policy, element: Element, principal: Principal, all: Actions): boolean {
  if (!isDenyAll(element, all)) return false;
  const others = policy.filter((other) => other !== element);
  const { svcUsers, svcGroups } = element.condition ?? {};
  const listed = [...(svcUsers ?? []).map((user) => ({ user })), ...(svcGroups ?? []).map((group) => ({ group }))];
  return (
    listed.every((one) => others.some((other) => names(other, one))) &&
    others.some((other) => names(other, principal) && !isDenyAll(other, all))
  );
}

function isDenyAll({ access, action = [] }: Element, all: Actions): boolean {
  if (access !== "deny") return false;
  const denied = expanded(action, all);
  return all.every((name) => denied.includes(name)) && denied.every((name) => all.includes(name));
}

function keyOf({ user }: Principal): "svcUsers" | "svcGroups" {
  return user !== undefined ? "svcUsers" : "svcGroups";
}

function idOf({ user, group }: Principal): Id {
  return user ?? group!;
}
