import type { Resource } from "./resource";
import { holdsUnknown, isMissing, listOf, objectOf, textOf, textsOf, unknownYet } from "./values";

/** One element of a policy, as far as it is known. A grant is one for what it allows and one for what it denies. */
export interface PolicyElement {
  /** `policy[0]`, or `allow` of a grant. */
  readonly path: string;
  readonly allows: boolean;
  /** Whether it names one of these actions, or none, which presumably means every action. */
  names(...actions: readonly string[]): boolean;
  /** Whether it applies to everybody: no condition, or one without users and groups. */
  readonly isForEverybody: boolean;
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** How resources of one type say who may do what with an object or a folder. */
interface View {
  /** The inputs that say it. */
  readonly inputs: readonly string[];
  elements(resource: Resource): PolicyElement[];
}

/** The policy that a resource sets, and the one that it sets when it is destroyed. */
export const policyProperties = ["policy", "destroyPolicy"] as const;

const wholePolicy: View = {
  inputs: policyProperties,
  elements: ({ properties }) =>
    policyProperties.flatMap((property) =>
      listOf(properties[property]).map((element, index) => elementOf(element, `${property}[${index}]`)),
    ),
};

const grant: View = {
  inputs: ["allow", "deny"],
  elements: ({ properties }) =>
    (["allow", "deny"] as const).flatMap((access) => {
      const { [access]: action, user, group } = properties;
      return isMissing(action) ? [] : [grantElement(access, action, { user, group })];
    }),
};

/** Every type that sets all or a part of an access policy: a test compares this with the definitions. */
export const policyViews: Readonly<Record<string, View>> = {
  ObjectPolicy: wholePolicy,
  FolderPolicy: wholePolicy,
  ObjectGrant: grant,
  FolderGrant: grant,
};

/** Resources that say who may do what with something, in a whole policy or in a grant. */
export const accessTypes: readonly string[] = Object.keys(policyViews);
/** Those that set a policy as a whole. */
export const policyTypes: readonly string[] = accessTypes.filter((type) => policyViews[type] === wholePolicy);

export function elementsOf(resource: Resource): PolicyElement[] {
  return policyViews[resource.type]?.elements(resource) ?? [];
}

function elementOf(element: unknown, path: string): PolicyElement {
  const { access, action, condition } = objectOf(element);
  const { svcUsers, svcGroups } = objectOf(condition);
  const [users, groups] = [textsOf(svcUsers), textsOf(svcGroups)];
  const isForSome = users.length > 0 || groups.length > 0 || holdsUnknown(condition);
  return {
    path,
    allows: textOf(access) === "allow",
    names: (...actions) =>
      action === undefined ? element !== unknownYet : textsOf(action).some((name) => actions.includes(name)),
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
): PolicyElement {
  return {
    path: access,
    allows: access === "allow",
    names: (...actions) => textsOf(action).some((name) => actions.includes(name)),
    isForEverybody: false,
    users: textsOf([user]),
    groups: textsOf([group]),
  };
}
