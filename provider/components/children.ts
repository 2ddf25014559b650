import type { AnyResource } from "../core/define";
import { unknownValue } from "../core/engine-values";
import type { Properties } from "../core/properties";
import { account } from "../resources/account";
import { command } from "../resources/command";
import { dataStore } from "../resources/data-store";
import { folderPolicy } from "../resources/folder-policy";
import { group } from "../resources/group";
import { groupMembership } from "../resources/group-membership";
import { groupRoleAssignment } from "../resources/group-role-assignment";
import { ipWhitelist } from "../resources/ip-whitelist";
import { objectPolicy } from "../resources/object-policy";
import { packageSet } from "../resources/package-set";
import { partitionSensor } from "../resources/partition-sensor";
import { role } from "../resources/role";

/** A resource of an environment. */
export interface Child {
  /** The name under which `movedFrom` knows it. */
  readonly path: string;
  readonly definition: AnyResource;
  readonly inputs: Properties;
  /** The argument it is made of, where that is not an object with inputs of its own. */
  readonly madeOf?: string;
}

type Args = Record<string, unknown>;
/** What the class makes of an argument that has a name, and under which path below it. */
type Make = (given: Properties, name: string, args: Args) => (Omit<Child, "path"> & { readonly below?: string })[];

/** All resources that an environment may have, in the order in which the class creates them. */
const table: Readonly<Record<string, Make>> = {
  account: simply(account),
  whitelist: simply(ipWhitelist, withWayBackIn),
  dataStores: simply(dataStore),
  roles: simply(role, named),
  groups: (given, name, args) =>
    given["id"] === undefined ? simply(group, named)(given, name, args) : partsOf(given, args),
  objectPolicies: simply(objectPolicy, (given) => ({ sourceType: "note", ...withPolicy(given) })),
  folderPolicies: simply(folderPolicy, withPolicy),
  packages: simply(packageSet, (given) => ({ sourceType: "python_package", ...given })),
  jobs: ({ waitFor, after: _, ...given }) => [
    { definition: command, inputs: given },
    ...(waitFor === undefined
      ? []
      : [{ below: "waitFor", definition: partitionSensor, inputs: waitFor as Properties }]),
  ],
};

/** The resources of an environment, with their inputs as the class passes them. */
export function childrenIn(args: Args): Child[] {
  return Object.entries(table).flatMap(([part, make]) => {
    const given = args[part] as Properties | undefined;
    if (given === undefined) return [];
    const isMap = part !== "account" && part !== "whitelist";
    return Object.entries(isMap ? (given as Record<string, Properties>) : { "": given }).flatMap(([name, one]) => {
      const path = isMap ? `${part}.${name}` : part;
      return make(one, name, args).map(({ below, madeOf, ...child }) => ({
        ...child,
        path: below === undefined ? path : `${path}.${below}`,
        ...(madeOf !== undefined && { madeOf: `${path}.${madeOf}` }),
      }));
    });
  });
}

function simply(definition: AnyResource, change = (given: Properties, _name: string): Properties => given): Make {
  return (given, name) => [{ definition, inputs: change(given, name) }];
}

function named(given: Properties, name: string): Properties {
  return { name, ...given };
}

/** The way back in is on the list too. */
function withWayBackIn({ wayBackIn, ...given }: Properties): Properties {
  const { addresses = [] } = given;
  if (!Array.isArray(wayBackIn) || !Array.isArray(addresses)) return given;
  return { ...given, addresses: [...new Set([...addresses, ...wayBackIn])] };
}

/** The policy that `teamMay` stands for names groups, whose ids may not be known yet. */
function withPolicy({ teamMay: _, ...given }: Properties): Properties {
  return { policy: unknownValue, ...given };
}

/** Roles and members of a group that exists already are resources of their own. */
function partsOf({ id, roles = [], members }: Properties, args: Args): ReturnType<Make> {
  const own = (args["roles"] ?? {}) as Record<string, { readonly name?: string }>;
  const names = Array.isArray(roles) ? (roles as string[]) : [];
  const assigned = names.map((name) => ({
    below: `roles.${name}`,
    madeOf: "roles",
    definition: groupRoleAssignment,
    inputs: { groupId: id, role: own[name]?.name ?? name },
  }));
  if (members === undefined) return assigned;
  const inputs = { group: id, users: members };
  return [...assigned, { below: "members", madeOf: "members", definition: groupMembership, inputs }];
}
