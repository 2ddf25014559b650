import type { z } from "zod";
import { type CheckFailure, checkInputs } from "../core/check";
import type { AnyResource } from "../core/define";
import { unknownValue } from "../core/unknowns";
import type { Properties } from "../core/values";
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
import { plainProblems } from "./plain";
import { problemsIn, type Structure } from "./structure";

/** The shape, the rules across parts, and the rules of each resource: what a preview would find, without one. */
export function checkTeamEnvironment(schema: z.ZodObject, inputs: Properties): CheckFailure[] {
  const shape = [...plainProblems(inputs), ...checkInputs({ inputs: schema }, inputs)];
  // The other rules rely on the shape, so they see only parts that have it.
  const broken = new Set(shape.map(({ property }) => property.split(/[.[]/, 1)[0]!));
  const sound = Object.fromEntries(Object.entries(inputs).filter(([part]) => !broken.has(part)));
  const across = problemsIn(sound as Structure).filter(({ property }) => !dependsOn(property, broken));
  return [...shape, ...across, ...childrenIn(sound).flatMap(problemsOfChild)];
}

/** Whether a rule looks at other parts than its own, and one of these is broken. */
function dependsOn(property: string, broken: ReadonlySet<string>): boolean {
  if (property === "movedFrom") return broken.size > 0;
  const others = property === "inNewAccount" ? ["account"] : ["account", "inNewAccount", "groups"];
  return (property === "inNewAccount" || property.endsWith(".teamMay")) && others.some((part) => broken.has(part));
}

interface Child {
  readonly path: string;
  readonly definition: AnyResource;
  readonly inputs: Properties;
}

function problemsOfChild({ path, definition, inputs }: Child): CheckFailure[] {
  return checkInputs(definition, inputs).map(({ property, reason }) => ({ property: `${path}.${property}`, reason }));
}

/** The inputs as the class passes them to each resource. */
function childrenIn(inputs: Properties): Child[] {
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
