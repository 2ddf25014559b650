import { z } from "zod";
import { coversAll, type Element, endsWithDenyAll, expanded, type Policy, principalsIn } from "./element";
import { asNumber, numberId } from "./id";
import { isFields, jsonOrText } from "./json";

export type { Element, Policy } from "./element";

export const objectActions = ["read", "update", "delete", "manage", "all"] as const;
/** The API's manual does not list the actions for folders, so there may be others. */
const knownFolderActions = ["read", "write", "all"];

/** Also of the elements of a role. */
export const access = z
  .enum(["allow", "deny"])
  .meta({ schemaName: "PolicyAccess" })
  .describe("Whether the element allows or denies.");

export const objectAction = z.enum(objectActions).meta({ schemaName: "PolicyAction" });
export const folderAction = z.string().min(1, "is empty; expected an action");

const ids = z.array(numberId);

const condition = z
  .strictObject({
    svcUsers: ids
      .optional()
      .describe(
        "Ids of users, which are not the ordinary user ids. The API's manual does not say where to find them; the provider takes the `id` of `getUsers`.",
      ),
    svcGroups: ids.optional().describe("Ids of groups."),
  })
  .meta({ id: "PolicyCondition", description: "Who an element applies to: users, groups, or both." });

/** `action`: one action, and what a user must know about actions. */
function elementsOf<A extends z.ZodType<string>>(
  id: string,
  thing: "an object" | "a folder",
  action: A,
  about: string,
) {
  const silence = "Default: not documented in the API's manual; presumably";
  const element = z.strictObject({
    access,
    action: z.array(action).optional().describe(`${about} ${silence} every action.`),
    condition: condition.optional().describe(`Who the element applies to. ${silence} everybody.`),
  });
  return z.array(element.meta({ id, description: `An element of ${thing}'s policy: who may or may not do what.` }));
}

export const objectPolicyElements = elementsOf(
  "PolicyElement",
  "an object",
  objectAction,
  "Actions: `read` (view), `update` (edit), `delete`, `manage` (manage permissions), `all` (view, edit and delete, but not `manage`; `read`, `update` and `delete` override it).",
);
type ObjectElement = z.output<typeof objectPolicyElements>[number];

export const folderPolicyElements = elementsOf(
  "FolderPolicyElement",
  "a folder",
  folderAction,
  "Actions. Known values are `read`, `write` and `all`; others are sent unchanged, with a warning.",
);

/** The API takes the policy in snake case, as a JSON string inside the JSON body; the ids in it are numbers. */
export function encodePolicy(policy: Policy): string {
  const text = JSON.stringify(
    policy.map(({ condition, ...element }) => {
      if (!condition) return element;
      const { svcUsers, svcGroups, ...others } = condition;
      return { ...element, condition: { ...others, svc_users: svcUsers, svc_groups: svcGroups } };
    }),
  );
  // Also those that a number of JavaScript cannot hold.
  return text.replace(/"svc_(?:users|groups)":\[[^\]]*\]/g, (ids) => ids.replace(/"([1-9]\d*)"/g, "$1"));
}

const elementId = z.union([z.number(), z.string().transform(asNumber)]);
/** Ids, or whole records with ids. */
const elementIds = orEmptyText(
  z.array(z.union([elementId, z.looseObject({ id: elementId }).transform(({ id }) => id)])),
);

/** Some platforms return an empty string for a missing value. */
function orEmptyText<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === "" ? undefined : value), schema.nullish());
}

/** A list, or a text with commas. Also of the elements of a role. */
export const answeredActions = z
  .union([z.array(z.string()), z.string().transform((actions) => actions.split(","))])
  .transform((actions) => actions.map((action) => action.trim()));

/** A known action in the manual's spelling; an unknown one unchanged. */
function spelled(name: string): string {
  return [...objectActions, ...knownFolderActions].find((known) => known === name.toLowerCase()) ?? name;
}

/** Loose, because a restored policy must keep whatever the platform returned, documented or not. */
const answeredElement = z
  .looseObject({
    access: z.string(),
    action: orEmptyText(answeredActions.transform((actions) => actions.map(spelled))),
    condition: orEmptyText(z.looseObject({ svc_users: elementIds, svc_groups: elementIds })),
  })
  .transform(({ access, action, condition, ...others }): ObjectElement => {
    const known = { access: access.toLowerCase() as ObjectElement["access"] };
    const element = { ...others, ...known, ...(action && { action: action as ObjectElement["action"] }) };
    if (!condition) return element;
    const { svc_users, svc_groups, ...unknown } = condition;
    const named = { ...(svc_users && { svcUsers: svc_users }), ...(svc_groups && { svcGroups: svc_groups }) };
    return { ...element, condition: { ...unknown, ...(named as ObjectElement["condition"]) } };
  });

/**
 * The manual does not show the response to a view. Accepts an array or a JSON string, bare or wrapped. Undefined for any
 * empty value, by which a platform may show that there is no policy yet.
 */
export const answeredPolicy = z.preprocess(unwrap, z.array(answeredElement).optional());

function unwrap(answer: unknown): unknown {
  if (answer === null || answer === undefined || (typeof answer === "string" && answer.trim() === "")) return undefined;
  if (typeof answer === "string") {
    const value = jsonOrText(answer);
    return typeof value === "string" ? value : unwrap(value);
  }
  if (Array.isArray(answer)) return answer.length === 1 && isWrapper(answer[0]) ? unwrap(answer[0]) : answer;
  if (!isFields(answer)) return answer;
  for (const name of wrappers) if (name in answer) return unwrap(answer[name]);
  // One level down: `{folder: {…, policy: […]}}`.
  const inner = Object.values(answer).find(isWrapper);
  if (inner) return unwrap(inner);
  return Object.keys(answer).length === 0 ? undefined : answer;
}

const wrappers = ["policy", "object_policy", "folder_policy", "policies"];

/** A record with the policy in it, which a list of one may hold; an element has `access` and contains no policy. */
function isWrapper(value: unknown): boolean {
  return isFields(value) && !("access" in value) && wrappers.some((name) => name in value);
}

/** The same elements in the same order; the order of actions and ids within an element does not matter. */
export function samePolicy(a: Policy, b: Policy): boolean {
  return a.length === b.length && a.every((element, index) => meaning(element) === meaning(b[index]!));
}

/**
 * Whether the platform returns the policy it was sent, possibly rewritten: in another order, which has no meaning in the
 * manual; with elements split or joined; with `all` expanded; or with the deny-all element at the end that policies from
 * the user interface have.
 */
export function isRewritten(returned: Policy, sent: Policy, all: readonly string[] = allOfObjects): boolean {
  return saysTheSame(returned, sent, all) || saysTheSame(returned, filledIn(sent, returned, all), all);
}

function saysTheSame(returned: Policy, sent: Policy, all: readonly string[]): boolean {
  const [theirs, ours] = [statementsOf(returned, all), statementsOf(sent, all)];
  const named = orAll(sent.flatMap(principalsIn));
  const closing = new Set(sent.length > 0 ? named.flatMap((who) => all.map((what) => `deny ${what} ${who}`)) : []);
  const isClosed = [...closing].every((one) => theirs.has(one));
  return (
    [...ours].every((one) => theirs.has(one)) &&
    [...theirs].every((one) => ours.has(one) || (isClosed && closing.has(one)))
  );
}

/** What names no actions is about all of them, which the platform may fill in. */
function filledIn(sent: Policy, returned: Policy, all: readonly string[]): Policy {
  return sent.map((element) => {
    if (element.action?.length) return element;
    const isFilledIn = (one: Element) =>
      coversAll(one.action ?? [], all) && meaning({ ...one, action: [] }) === meaning(element);
    const shown = returned.find(isFilledIn);
    return shown ? { ...element, action: shown.action } : element;
  });
}

/** What a policy says about each action and each user or group. Without actions or principals: about all of them. */
function statementsOf(policy: Policy, all: readonly string[]): Set<string> {
  const statements = policy.flatMap((element) =>
    orAll(principalsIn(element)).flatMap((who) =>
      orAll(expanded(element.action ?? [], all)).map((what) => `${element.access} ${what} ${who}`),
    ),
  );
  return new Set(statements);
}

const orAll = (names: readonly string[]): readonly string[] => (names.length > 0 ? names : ["all"]);

/** What `all` stands for. */
export const allOfObjects = ["read", "update", "delete"];
export const allOfFolders = ["read", "write"];

/** Users, groups and actions only: ignores fields that a platform adds, and treats an empty list as a missing one. */
function meaning(element: Element): string {
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  return JSON.stringify([element.access, sorted(element.action ?? []), sorted(principalsIn(element))]);
}

/** Warnings about a policy that is valid but questionable. `whose`: `the policy of note 501`; `everything`: all actions. */
export function policyAdvice(policy: Policy, whose: string, everything = '["all", "manage"]'): string[] {
  if (policy.length === 0) return [`${whose} is empty: if there is another one, it is cleared`];
  const repetitions = policy.flatMap((element, index) => {
    const scope = meaning({ ...element, access: "allow" });
    const before = policy.findIndex((other) => meaning({ ...other, access: "allow" }) === scope);
    if (before === index) return [];
    const repeats = policy[before]!.access === element.access ? "repeats" : "contradicts";
    return [`${whose}: policy[${index}] ${repeats} policy[${before}], which has the same actions, users and groups`];
  });
  const open = `${whose} does not end with a deny-all element for the users and groups it lists, so they may have more rights than it allows; to deny the rest, add { access: "deny", action: ${everything}, condition: … } at the end`;
  return [...emptinessAdvice(policy, whose), ...repetitions, ...(endsWithDenyAll(policy) ? [] : [open])];
}

/** Valid according to the manual, but probably a mistake. */
function emptinessAdvice(policy: Policy, whose: string): string[] {
  return policy.flatMap(({ action, condition }, index) => {
    const noActions = "action is empty; list an action, or omit action to cover every action";
    const nobody =
      "condition has neither users nor groups; set svcUsers or svcGroups, or omit condition to cover everybody";
    const isForNobody = condition && !condition.svcUsers?.length && !condition.svcGroups?.length;
    const problems = [...(action?.length === 0 ? [noActions] : []), ...(isForNobody ? [nobody] : [])];
    return problems.map((problem) => `${whose}: policy[${index}].${problem}`);
  });
}

export function folderActionAdvice(policy: Policy, whose: string): string[] {
  const named = new Set(policy.flatMap(({ action }) => action ?? []));
  const unknown = [...named].filter((name) => !knownFolderActions.includes(name));
  return unknown.map(
    (name) =>
      `${whose} uses the action ${JSON.stringify(name)}, which the platform may refuse; known actions for folders are ${knownFolderActions.join(", ")}`,
  );
}
