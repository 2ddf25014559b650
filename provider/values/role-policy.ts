import { z } from "zod";
import { isFields, jsonOrText } from "./json";
import { access, answeredActions } from "./policy";

const knownResources = [
  "all",
  "account",
  "app",
  "cluster",
  "command",
  "datastore",
  "data_preview",
  "environment",
  "folder",
  "group",
  "note",
  "notebook_dashboard",
  "object_storage",
  "role",
  "saved_query",
  "scheduler",
  "scheduler_instance",
  "template",
  "svc_user",
];

const text = (what: string) => z.string().regex(/\S/, { error: `is empty; expected ${what}` });

const RolePolicyElement = z
  .strictObject({
    resource: text("a resource").describe(
      `Type of the resources that it is about. Known values: ${knownResources.map((name) => `\`${name}\``).join(", ")}; others are sent unchanged, with a warning.`,
    ),
    action: z
      .array(text("an action"))
      .optional()
      .describe(
        "Actions, such as `all`, `create`, `read`, `update` or `delete`. Default: not documented in the API's manual; presumably every action.",
      ),
    access,
  })
  .meta({ id: "RolePolicyElement", description: "An element of a role: what its groups may or may not do." });

/** What a role allows and denies, as the program writes it. */
export const rolePolicyElements = z.array(RolePolicyElement);
export type RoleElement = z.output<typeof RolePolicyElement>;

export function adviseOnRolePolicy(policies: readonly RoleElement[]): string[] {
  const unknown = [...new Set(policies.map(({ resource }) => resource))].filter(
    (resource) => !knownResources.includes(resource),
  );
  return unknown.map(
    (resource) =>
      `resource ${JSON.stringify(resource)} is not in the API's manual and is sent unchanged; known are ${knownResources.join(", ")}`,
  );
}

/** The API takes the policies as a JSON string inside the JSON body. */
export function encodeRolePolicy(policies: readonly RoleElement[]): string {
  return JSON.stringify(policies.map(({ resource, action, access }) => ({ resource, action, access })));
}

const answeredElement = z
  .object({
    resource: z.string(),
    action: answeredActions.nullish(),
    access: z
      .string()
      .transform((access) => access.toLowerCase())
      .pipe(z.enum(["allow", "deny"])),
  })
  .transform(({ resource, action, access }): RoleElement => {
    const named = (action ?? []).filter((one) => one !== "");
    return { resource, ...(named.length > 0 && { action: named }), access };
  });

/** The policies in a record: JSON text, or the array itself. Undefined if it is absent or of another shape. */
export const answeredRolePolicy = z
  .unknown()
  .transform((value): RoleElement[] | undefined => z.array(answeredElement).safeParse(decoded(value)).data);

/** Some platforms encode it twice, or return a single element or elements by number. */
function decoded(value: unknown): unknown {
  if (typeof value === "string") {
    const inner = jsonOrText(value);
    return inner === value ? value : decoded(inner);
  }
  if (!isFields(value)) return value;
  if ("resource" in value) return [value];
  return Object.keys(value).length > 0 ? Object.values(value) : undefined;
}

/**
 * Whether two policies mean the same. The order of actions has no meaning. The order of elements might, where one
 * allows and another denies something about the same resource: the API's manual does not say which of them wins.
 */
export function sameRolePolicy(a: readonly RoleElement[], b: readonly RoleElement[]): boolean {
  const isOrdered = contradicts(a) || contradicts(b);
  const meaningOf = (policies: readonly RoleElement[]) =>
    JSON.stringify(isOrdered ? policies.map((element) => saidIn([element])) : saidIn(policies));
  return meaningOf(a) === meaningOf(b);
}

const everyAction = ["create", "read", "update", "delete"];

/** Whether a platform returns the policies it was sent, with the actions written out that `all`, or none, stands for. */
export function isWrittenOut(returned: readonly RoleElement[], sent: readonly RoleElement[]): boolean {
  const collapsed = returned.map(({ action = [], ...one }): RoleElement => {
    const isAll = action.includes("all") || everyAction.every((name) => action.includes(name));
    const meant = sent.find(
      ({ resource, access, action: given = ["all"] }) =>
        resource === one.resource && access === one.access && given.includes("all"),
    );
    if (!isAll || !meant) return { ...one, action };
    return meant.action ? { ...one, action: ["all"] } : one;
  });
  return sameRolePolicy(collapsed, sent);
}

/** One entry for each action, so that it does not matter how they are spread over elements. */
function saidIn(policies: readonly RoleElement[]): string[] {
  const said = policies.flatMap(({ resource, action = [], access }) =>
    (action.length > 0 ? action : [null]).map((one) => JSON.stringify([access, resource, one])),
  );
  return [...new Set(said)].sort();
}

function contradicts(policies: readonly RoleElement[]): boolean {
  const [allowed, denied] = (["allow", "deny"] as const).map((access) =>
    policies.filter((element) => element.access === access).map(({ resource }) => resource),
  );
  const overlap = (one: string, other: string) => one === other || one === "all" || other === "all";
  return allowed!.some((one) => denied!.some((other) => overlap(one, other)));
}
