import { z } from "zod";
import { asNumber, type Id, numberId } from "./id";

/** What a policy is to the provider: the elements in order, as the program writes them. */
export interface Element {
  readonly access: "allow" | "deny";
  readonly action?: readonly string[] | undefined;
  readonly condition?: Condition | undefined;
}
interface Condition {
  readonly svcUsers?: readonly Id[] | undefined;
  readonly svcGroups?: readonly Id[] | undefined;
}
export type Policy = readonly Element[];

const objectActions = ["read", "update", "delete", "manage", "all"] as const;
/** The ones seen in use; the API's manual does not show whether there are others. */
const knownFolderActions = ["read", "write", "all"];

const access = z.enum(["allow", "deny"]).describe("Whether the element allows or denies.");

const ids = z.array(numberId);

const condition = z
  .strictObject({
    svcUsers: ids.optional().describe("Users, by the `id` of `getUsers`, which is not their ordinary user id."),
    svcGroups: ids.optional().describe("Groups, by their ids."),
  })
  .meta({ id: "PolicyCondition", description: "Whom an element concerns: users, groups, or both." });

const concerns = condition
  .optional()
  .describe(
    "Whom the element concerns. What the platform does without one, the API's manual does not say; presumably it concerns everybody.",
  );

const PolicyElement = z
  .strictObject({
    access,
    action: z
      .array(z.enum(objectActions))
      .optional()
      .describe(
        "Actions: `read` (view), `update` (edit), `delete`, `manage` (manage the permissions), `all` (read, edit and delete; the other three go before it). What the platform does without any, the API's manual does not say; presumably it means every action.",
      ),
    condition: concerns,
  })
  .meta({ id: "PolicyElement", description: "One element of an object's policy: who may, or may not, do what." });

type ObjectElement = z.output<typeof PolicyElement>;

const FolderPolicyElement = z
  .strictObject({
    access,
    action: z
      .array(z.string().min(1, "is empty; name an action"))
      .optional()
      .describe(
        "Actions. Seen in use are `read`, `write` and `all`; others are sent as they are, with a warning. What the platform does without any, the API's manual does not say; presumably it means every action.",
      ),
    condition: concerns,
  })
  .meta({ id: "FolderPolicyElement", description: "One element of a folder's policy: who may, or may not, do what." });

export const foundPolicy = z.array(PolicyElement);
export const objectPolicyElements = z.array(PolicyElement);
export const folderPolicyElements = z.array(FolderPolicyElement);

/** As the API wants it: snake case, and JSON encoded once, as a string inside the JSON body. */
export function encodePolicy(policy: Policy): string {
  return JSON.stringify(
    policy.map(({ condition, ...element }) => {
      if (!condition) return element;
      const { svcUsers, svcGroups, ...others } = condition;
      const named = { svc_users: svcUsers?.map(asNumber), svc_groups: svcGroups?.map(asNumber) };
      return { ...element, condition: { ...others, ...named } };
    }),
  );
}

const shownId = z.union([z.number(), z.string().transform(asNumber)]);
/** Ids, or the records that they belong to. */
const shownIds = orEmptyText(z.array(z.union([shownId, z.looseObject({ id: shownId }).transform(({ id }) => id)])));

/** Some platforms write an empty text for what is not there. */
function orEmptyText<T extends z.ZodType>(shown: T) {
  return z.preprocess((value) => (value === "" ? undefined : value), shown.nullish());
}

/** The actions as the manual spells them; others stay as they are, for they are the platform's to know. */
function shownActions(actions: readonly string[]): string[] {
  return actions.map((action) => {
    const name = action.trim();
    const known = [...objectActions, ...knownFolderActions].find((one) => one === name.toLowerCase());
    return known ?? name;
  });
}

/** Loose: what the manual does not know is kept, so that a policy that is put back is the one that was found. */
const shownElement = z
  .looseObject({
    access: z.string(),
    action: orEmptyText(
      z.union([z.array(z.string()), z.string().transform((actions) => actions.split(","))]).transform(shownActions),
    ),
    condition: orEmptyText(z.looseObject({ svc_users: shownIds, svc_groups: shownIds })),
  })
  .transform(({ access, action, condition, ...others }): ObjectElement => {
    // What the manual does not list is let through: it is the platform's to know, and ours to put back.
    const known = { access: access.toLowerCase() as ObjectElement["access"] };
    const element = { ...others, ...known, ...(action && { action: action as ObjectElement["action"] }) };
    if (!condition) return element;
    const { svc_users, svc_groups, ...unknown } = condition;
    const named = { ...(svc_users && { svcUsers: svc_users }), ...(svc_groups && { svcGroups: svc_groups }) };
    return { ...element, condition: { ...unknown, ...(named as ObjectElement["condition"]) } };
  });

/**
 * The answer of a view, whose form the manual does not show: a policy as array or as JSON text, bare or wrapped; nothing,
 * in one of its forms, for an object that has no policy yet.
 */
export const shownPolicy = z.preprocess(unwrapped, z.array(shownElement));

function unwrapped(answer: unknown): unknown {
  if (typeof answer === "string") return parsed(answer);
  if (answer === null || answer === undefined) return [];
  if (Array.isArray(answer)) return answer.length === 1 && isWrapper(answer[0]) ? unwrapped(answer[0]) : answer;
  if (typeof answer !== "object") return answer;
  const wrapper = answer as Record<string, unknown>;
  for (const name of wrappers) if (name in wrapper) return unwrapped(wrapper[name]);
  return Object.keys(wrapper).length === 0 ? [] : answer;
}

const wrappers = ["policy", "object_policy", "policies"];

/** A record of the policy, in a list of one: an element has its access, and no policy within. */
function isWrapper(value: unknown): boolean {
  return typeof value === "object" && value !== null && !("access" in value) && wrappers.some((name) => name in value);
}

function parsed(text: string): unknown {
  if (text.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : unwrapped(value);
  } catch {
    return text;
  }
}

/** Equal in meaning: the same elements in the same order, their actions and ids taken as sets. */
export function samePolicy(a: Policy, b: Policy): boolean {
  return a.length === b.length && a.every((element, index) => sameElement(element, b[index]!));
}

function sameElement(a: Element, b: Element): boolean {
  return a.access === b.access && sameScope(a, b);
}

function sameScope(a: Element, b: Element): boolean {
  return sameSet(a.action, b.action) && sameCondition(a.condition, b.condition);
}

/** By users and groups alone: what a platform adds that no program can write is no difference, nor is an empty list. */
function sameCondition(a: Condition | undefined, b: Condition | undefined): boolean {
  return sameSet(a?.svcUsers, b?.svcUsers) && sameSet(a?.svcGroups, b?.svcGroups);
}

function sameSet(a: readonly Id[] | undefined, b: readonly Id[] | undefined): boolean {
  return covers(a ?? [], b ?? []) && covers(b ?? [], a ?? []);
}

function covers(whole: readonly Id[], part: readonly Id[]): boolean {
  const members = new Set(whole.map(String));
  return part.every((item) => members.has(String(item)));
}

/**
 * Whether what a platform shows is what it was sent, in its own writing: in another order, which the manual gives no
 * meaning; with `all` spelled out; or with the deny-all element at the end that policies of the user interface have.
 */
export function isRewritten(shown: Policy, sent: Policy): boolean {
  const [found, ours] = [new Set(shown.map(meaningOf)), new Set(sent.map(meaningOf))];
  const condition = { svcUsers: listedIn(sent, "svcUsers"), svcGroups: listedIn(sent, "svcGroups") };
  const denyAll = sent.length > 0 ? meaningOf({ access: "deny", action: ["all"], condition }) : undefined;
  return [...ours].every((one) => found.has(one)) && [...found].every((one) => ours.has(one) || one === denyAll);
}

const spelledOut = ["read", "update", "delete"];

function meaningOf({ access, action, condition }: Element): string {
  const actions = action?.flatMap((one) => (one === "all" ? spelledOut : [one]));
  const sorted = (values: readonly Id[] | undefined): string[] => [...new Set((values ?? []).map(String))].sort();
  return JSON.stringify([access, sorted(actions), sorted(condition?.svcUsers), sorted(condition?.svcGroups)]);
}

function listedIn(policy: Policy, key: keyof Condition): Id[] {
  return policy.flatMap((element) => element.condition?.[key] ?? []);
}

/** What is legal but doubtful about a policy of any kind. */
export function policyAdvice(policy: Policy, whose: string): string[] {
  if (policy.length === 0) return [`${whose} has no element: it clears whatever policy is there`];
  const advice = emptinessAdvice(policy, whose);
  const repetitions = policy.flatMap((element, index) => {
    const before = policy.findIndex((other) => sameScope(other, element));
    if (before === index) return [];
    const repeats = policy[before]!.access === element.access ? "repeats" : "contradicts";
    return [`${whose}: policy[${index}] ${repeats} policy[${before}], which is about the same actions and people`];
  });
  advice.push(...repetitions);
  if (!endsWithDenyAll(policy))
    advice.push(
      `${whose} does not end with a deny-all element for the users and groups it lists, as object policies made in the user interface do; to match them, add { access: "deny", action: ["all"], condition: … } at the end`,
    );
  return advice;
}

/** Legal as far as the manual says, and probably not what was meant. */
function emptinessAdvice(policy: Policy, whose: string): string[] {
  return policy.flatMap(({ action, condition }, index) => [
    ...(action?.length === 0
      ? [`${whose}: policy[${index}].action is empty; name an action, or leave it out if every action is meant`]
      : []),
    ...(condition && !condition.svcUsers?.length && !condition.svcGroups?.length
      ? [
          `${whose}: policy[${index}].condition names neither users nor groups; give svcUsers or svcGroups, or leave the condition out if everybody is meant`,
        ]
      : []),
  ]);
}

export function folderActionAdvice(policy: Policy, whose: string): string[] {
  const unknown = new Set(
    policy.flatMap(({ action }) => action ?? []).filter((name) => !knownFolderActions.includes(name)),
  );
  return [...unknown].map(
    (name) =>
      `${whose} uses the action ${JSON.stringify(name)}; known for folders are ${knownFolderActions.join(", ")}, and the platform may refuse others`,
  );
}

export function endsWithDenyAll(policy: Policy): boolean {
  const last = policy.at(-1);
  if (last?.access !== "deny" || (last.action && !last.action.includes("all"))) return false;
  const { condition } = last;
  if (!condition) return true;
  return (["svcUsers", "svcGroups"] as const).every((key) => covers(condition[key] ?? [], listedIn(policy, key)));
}
