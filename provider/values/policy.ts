import { z } from "zod";
import { deepEqual } from "../core/values";

/** What a policy is to the provider: the elements in order, as the program writes them. */
export interface Element {
  readonly access: "allow" | "deny";
  readonly action?: readonly string[] | undefined;
  readonly condition?: Condition | undefined;
}
interface Condition {
  readonly svcUsers?: readonly number[] | undefined;
  readonly svcGroups?: readonly number[] | undefined;
}
export type Policy = readonly Element[];

const objectActions = ["read", "update", "delete", "manage", "all"] as const;
/** The ones seen in use; the API's manual does not show whether there are others. */
const knownFolderActions = ["read", "write", "all"];

const access = z.enum(["allow", "deny"]).describe("Whether the element allows or denies.");

const ids = z.array(z.int().positive("must be a positive integer"));

const condition = z
  .strictObject({
    svcUsers: ids.optional().describe("Users, by the `id` of `getUsers`, which is not their ordinary user id."),
    svcGroups: ids.optional().describe("Groups, by their ids."),
  })
  .check(({ value, issues }) => {
    if ((value.svcUsers?.length ?? 0) + (value.svcGroups?.length ?? 0) > 0) return;
    const message =
      "names neither users nor groups, so the element would concern nobody; give svcUsers or svcGroups, or leave the condition out for everybody";
    issues.push({ code: "custom", input: value, message });
  })
  .meta({ id: "PolicyCondition", description: "Whom an element concerns: users, groups, or both." });

const noAction = "is empty, so the element would do nothing; name an action, or leave it out for every action";
const concerns = condition.optional().describe("Whom the element concerns. Default: everybody.");

const PolicyElement = z
  .strictObject({
    access,
    action: z
      .array(z.enum(objectActions))
      .min(1, noAction)
      .optional()
      .describe(
        "Actions: `read` (view), `update` (edit), `delete`, `manage` (manage the permissions), `all` (read, edit and delete; the other three go before it). Default: every action.",
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
      .min(1, noAction)
      .optional()
      .describe(
        "Actions. Seen in use are `read`, `write` and `all`; others are sent as they are, with a warning. Default: every action.",
      ),
    condition: concerns,
  })
  .meta({ id: "FolderPolicyElement", description: "One element of a folder's policy: who may, or may not, do what." });

const noElement = "has no element, which means nothing; give at least one";
export const foundPolicy = z.array(PolicyElement);
export const objectPolicyElements = z.array(PolicyElement).min(1, noElement);
export const folderPolicyElements = z.array(FolderPolicyElement).min(1, noElement);

/** As the API wants it: snake case, and JSON encoded once, as a string inside the JSON body. */
export function encodePolicy(policy: Policy): string {
  return JSON.stringify(
    policy.map(({ condition, ...element }) => {
      if (!condition) return element;
      const { svcUsers, svcGroups, ...others } = condition;
      return { ...element, condition: { ...others, svc_users: svcUsers, svc_groups: svcGroups } };
    }),
  );
}

const shownIds = z.array(z.union([z.int(), z.string().regex(/^\d+$/, "is no id").transform(Number)])).nullish();

/** Loose: what the manual does not know is kept, so that a policy that is put back is the one that was found. */
const shownElement = z
  .looseObject({
    access: z.enum(["allow", "deny"]),
    action: z.array(z.string()).nullish(),
    condition: z.looseObject({ svc_users: shownIds, svc_groups: shownIds }).nullish(),
  })
  .transform(({ action, condition, ...others }): ObjectElement => {
    // An action that the manual does not list is let through: it is the platform's to know, and ours to put back.
    const element = { ...others, ...(action && { action: action as ObjectElement["action"] }) };
    if (!condition) return element;
    const { svc_users, svc_groups, ...unknown } = condition;
    const named = { ...(svc_users && { svcUsers: svc_users }), ...(svc_groups && { svcGroups: svc_groups }) };
    return { ...element, condition: { ...unknown, ...named } };
  });

/** The answer of a view, whose form the manual does not show: a policy as array or as JSON text, bare or wrapped. */
export const shownPolicy = z.preprocess(unwrapped, z.array(shownElement));

function unwrapped(answer: unknown): unknown {
  if (typeof answer === "string") return parsed(answer);
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const wrapper = answer as Record<string, unknown>;
  // A policy that is said to be null is one without elements; one that is not mentioned is no answer at all.
  if ("policy" in wrapper) return wrapper["policy"] === null ? [] : unwrapped(wrapper["policy"]);
  return "object_policy" in wrapper ? unwrapped(wrapper["object_policy"]) : answer;
}

function parsed(text: string): unknown {
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

function sameCondition(a: Condition | undefined, b: Condition | undefined): boolean {
  if (!a || !b) return !a && !b;
  const { svcUsers: users, svcGroups: groups, ...others } = a;
  const { svcUsers, svcGroups, ...rest } = b;
  return sameSet(users ?? [], svcUsers ?? []) && sameSet(groups ?? [], svcGroups ?? []) && deepEqual(others, rest);
}

function sameSet<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): boolean {
  if (!a || !b) return !a && !b;
  return covers(a, b) && covers(b, a);
}

function covers<T>(whole: readonly T[], part: readonly T[]): boolean {
  const members = new Set(whole);
  return part.every((item) => members.has(item));
}

/** What is legal but doubtful about a policy of any kind. */
export function policyAdvice(policy: Policy, whose: string): string[] {
  const advice = policy.flatMap((element, index) => {
    const before = policy.findIndex((other) => sameScope(other, element));
    if (before === index) return [];
    const repeats = policy[before]!.access === element.access ? "repeats" : "contradicts";
    return [`${whose}: policy[${index}] ${repeats} policy[${before}], which is about the same actions and people`];
  });
  if (!endsWithDenyAll(policy))
    advice.push(
      `${whose} does not end with a deny-all element for the users and groups it lists, as object policies made in the user interface do; to match them, add { access: "deny", action: ["all"], condition: … } at the end`,
    );
  return advice;
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
  const listed = (key: keyof Condition): number[] => policy.flatMap((element) => element.condition?.[key] ?? []);
  return covers(condition.svcUsers ?? [], listed("svcUsers")) && covers(condition.svcGroups ?? [], listed("svcGroups"));
}
