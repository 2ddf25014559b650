import type { Resource } from "./resource";
import { holdsUnknown, isMissing, listOf, objectOf, textOf, textsOf, unknownYet } from "./values";

/** One element of a policy, as far as it is known. A grant is one for what it allows and one for what it denies. */
export interface PolicyElement {
  /** `policy[0]`, or `allow` of a grant. */
  readonly path: string;
  readonly allows: boolean;
  /** Whether it names one of these actions, or none, which presumably means every action. */
  names(...actions: readonly string[]): boolean;
  /** The actions that it names, as far as they are known. `all`, and no action at all, stand for what `all` means. */
  readonly actions: readonly string[];
  /** Whether it applies to everybody: no condition, or one without users and groups. */
  readonly isForEverybody: boolean;
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** How resources of one type say who may do what with an object or a folder. */
interface View {
  /** The inputs that say it. */
  readonly inputs: readonly string[];
  /** What `all` means there. */
  readonly all: readonly string[];
  elements(resource: Pick<Resource, "properties">): PolicyElement[];
}

const [allOfObjects, allOfFolders] = [
  ["read", "update", "delete"],
  ["read", "write"],
] as const;

/** The policy that a resource sets, and the one that it sets when it is destroyed. */
export const policyProperties = ["policy", "destroyPolicy"] as const;

const wholePolicy = (all: readonly string[]): View => ({
  inputs: policyProperties,
  all,
  elements: ({ properties }) =>
    policyProperties.flatMap((property) =>
      listOf(properties[property]).map((element, index) => elementOf(element, `${property}[${index}]`, all)),
    ),
});

const grant = (all: readonly string[]): View => ({
  inputs: ["allow", "deny"],
  all,
  elements: ({ properties }) =>
    (["allow", "deny"] as const).flatMap((access) => {
      const { [access]: action, user, group } = properties;
      return isMissing(action) ? [] : [grantElement(access, action, { user, group }, all)];
    }),
});

/** Every type that sets all or a part of an access policy: a test compares this with the definitions. */
export const policyViews: Readonly<Record<string, View>> = {
  ObjectPolicy: wholePolicy(allOfObjects),
  FolderPolicy: wholePolicy(allOfFolders),
  ObjectGrant: grant(allOfObjects),
  FolderGrant: grant(allOfFolders),
};

/** Resources that say who may do what with something, in a whole policy or in a grant. */
export const accessTypes: readonly string[] = Object.keys(policyViews);
/** Those that set a policy as a whole. */
export const policyTypes: readonly string[] = accessTypes.filter(
  (type) => policyViews[type]!.inputs === policyProperties,
);

export function elementsOf(resource: Pick<Resource, "type" | "properties">): PolicyElement[] {
  return policyViews[resource.type]?.elements(resource) ?? [];
}

/** What `all` means for a type. */
export function allOf({ type }: Resource): readonly string[] {
  return policyViews[type]?.all ?? [];
}

function actionsIn(action: unknown, all: readonly string[]): string[] {
  return textsOf(action).flatMap((name) => (name === "all" ? all : [name]));
}

function elementOf(element: unknown, path: string, all: readonly string[]): PolicyElement {
  const { access, action, condition } = objectOf(element);
  const { svcUsers, svcGroups } = objectOf(condition);
  const [users, groups] = [textsOf(svcUsers), textsOf(svcGroups)];
  const isForSome = users.length > 0 || groups.length > 0 || holdsUnknown(condition);
  const isForEvery = action === undefined && element !== unknownYet;
  return {
    path,
    allows: textOf(access) === "allow",
    names: (...actions) => isForEvery || textsOf(action).some((name) => actions.includes(name)),
    actions: isForEvery ? all : actionsIn(action, all),
    isForEverybody: element !== unknownYet && !isForSome,
    users,
    groups,
  };
}

/** A grant always names its actions, and one user or one group. */
function grantElement(
  access: "allow" | "deny",
  action: unknown,
  { user, group }: { readonly user: unknown; readonly group: unknown },
  all: readonly string[],
): PolicyElement {
  return {
    path: access,
    allows: access === "allow",
    names: (...actions) => textsOf(action).some((name) => actions.includes(name)),
    actions: actionsIn(action, all),
    isForEverybody: false,
    users: textsOf([user]),
    groups: textsOf([group]),
  };
}
