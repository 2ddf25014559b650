import { keysOf } from "../core/declarations";
import type { Properties } from "../core/properties";
import { groupMembership } from "../resources/group-membership";
import { groupRoleAssignment } from "../resources/group-role-assignment";
import { type Child, childrenIn } from "./children";
import { isInNewAccount, type Part, type Structure } from "./structure";

/** What a resource of an environment declares, such as an address or a package, and where. */
export interface Declared {
  readonly property: string;
  readonly key: string;
}

/** What an environment declares in the caller's account: another one there must not declare it too. */
export function declaredIn(inputs: Properties): Declared[] {
  const children = [...childrenIn(withWayBackIn(inputs)), ...groupPartsIn(inputs)];
  return children
    .filter(({ path }) => !isInNewAccount(inputs as Structure, path.split(".", 1)[0] as Part))
    .flatMap((child) => keysOf(child.definition, child.inputs).map((key) => ({ property: propertyOf(child), key })));
}

function propertyOf({ path, definition }: Child): string {
  return path.includes(".roles") || path.endsWith(".members") ? path : `${path}.${definition.keys!.property}`;
}

function withWayBackIn(inputs: Properties): Properties {
  const { addresses = [], wayBackIn = [], ...others } = (inputs["whitelist"] ?? {}) as Record<string, unknown[]>;
  if (inputs["whitelist"] === undefined) return inputs;
  return { ...inputs, whitelist: { ...others, addresses: [...new Set([...addresses, ...wayBackIn])] } };
}

interface Group {
  readonly id?: unknown;
  readonly roles?: readonly string[];
  readonly members?: unknown;
}

/** Roles and members of groups that exist already are resources of their own. */
function groupPartsIn(inputs: Properties): Child[] {
  const roles = (inputs["roles"] ?? {}) as Record<string, { readonly name?: string }>;
  const groups = Object.entries((inputs["groups"] ?? {}) as Record<string, Group>);
  return groups
    .filter(([, { id }]) => id !== undefined)
    .flatMap(([name, { id, roles: wanted = [], members }]) => [
      ...wanted.map((role) => ({
        path: `groups.${name}.roles`,
        definition: groupRoleAssignment,
        inputs: { groupId: id, role: roles[role]?.name ?? role },
      })),
      ...(members === undefined
        ? []
        : [{ path: `groups.${name}.members`, definition: groupMembership, inputs: { group: id, users: members } }]),
    ]);
}
