import type { Resource } from "./resource";
import { holdsUnknown, listOf, objectOf, textOf, textsOf, unknownYet } from "./values";

/** Resources that set the access policy of something. */
export const policyTypes = ["ObjectPolicy", "FolderPolicy"] as const;

/** One element of a policy, as far as it is known. */
export interface PolicyElement {
  /** `policy[0]` */
  readonly path: string;
  readonly allows: boolean;
  /** Whether it names one of these actions, or none, which presumably means every action. */
  names(...actions: readonly string[]): boolean;
  /** Whether it applies to everybody: no condition, or one without users and groups. */
  readonly isForEverybody: boolean;
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** The policy that a resource sets, and the one that it sets when it is destroyed. */
export const policyProperties = ["policy", "destroyPolicy"] as const;

export function elementsOf({ properties }: Resource): PolicyElement[] {
  return policyProperties.flatMap((property) =>
    listOf(properties[property]).map((element, index) => elementOf(element, `${property}[${index}]`)),
  );
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
