import type { AnyResource } from "../core/define";
import { unknownValue } from "../core/engine-values";
import type { Properties } from "../core/properties";
import { account } from "../resources/account";
import { command } from "../resources/command";
import { dataStore } from "../resources/data-store";
import { folderPolicy } from "../resources/folder-policy";
import { group } from "../resources/group";
import { ipWhitelist } from "../resources/ip-whitelist";
import { objectPolicy } from "../resources/object-policy";
import { packageSet } from "../resources/package-set";
import { partitionSensor } from "../resources/partition-sensor";
import { role } from "../resources/role";

/** A resource of an environment. */
export interface Child {
  readonly path: string;
  readonly definition: AnyResource;
  readonly inputs: Properties;
}

/** The resources with inputs of their own, as the class passes them. */
export function childrenIn(inputs: Properties): Child[] {
  const one = (path: string, definition: AnyResource, change = same): Child[] =>
    inputs[path] === undefined ? [] : [{ path, definition, inputs: change(inputs[path] as Properties, path) }];
  const each = (part: string, definition: AnyResource, change = same): Child[] =>
    Object.entries((inputs[part] ?? {}) as Record<string, Properties>).map(([name, given]) => ({
      path: `${part}.${name}`,
      definition,
      inputs: change(given, name),
    }));
  const sensors = Object.entries((inputs["jobs"] ?? {}) as Record<string, Properties>)
    .filter(([, { waitFor }]) => waitFor !== undefined)
    .map(([name, { waitFor }]) => ({
      path: `jobs.${name}.waitFor`,
      definition: partitionSensor,
      inputs: waitFor as Properties,
    }));
  return [
    ...one("account", account),
    ...one("whitelist", ipWhitelist, ({ wayBackIn: _, ...given }) => given),
    ...each("dataStores", dataStore),
    ...each("roles", role, named),
    ...each("groups", group, named).filter((child) => child.inputs["id"] === undefined),
    ...each("objectPolicies", objectPolicy, (given) => ({ sourceType: "note", ...withPolicy(given) })),
    ...each("folderPolicies", folderPolicy, withPolicy),
    ...each("packages", packageSet, (given) => ({ sourceType: "python_package", ...given })),
    ...each("jobs", command, ({ waitFor: _, after: __, ...given }) => given),
    ...sensors,
  ];
}

function same(given: Properties, _name: string): Properties {
  return given;
}

function named(given: Properties, name: string): Properties {
  return { name, ...given };
}

/** The policy that `teamMay` stands for names groups, whose ids may not be known yet. */
function withPolicy({ teamMay: _, ...given }: Properties): Properties {
  return { policy: unknownValue, ...given };
}
