import type { Resource } from "../resource";
import { groupOf, type NamedRole, namedRoles, roleHolders, roleViews } from "../roles";
import { defineRule, type Violation } from "../rule";
import { listOf, objectOf, textOf, textsOf, unknownYet } from "../values";

type Names = readonly (string | number)[];
interface Options {
  readonly commandRoles: Names;
  readonly userRoles: Names;
}

const names = { type: "array", items: { type: ["string", "integer"] }, default: [] } as const;

export const separateDuties = defineRule<Options>({
  name: "separate-duties",
  description: "Nobody may both submit commands and enable users.",
  why: "Somebody with both can let in an account of their own and read all data with it, and nobody else has to agree.",
  fix: "Use two roles for two groups: one for those who run jobs, one for those who admit users.",
  types: ["Role", ...roleHolders],
  options: {
    commandRoles: {
      ...names,
      description: "Names or ids of further roles that may submit commands, which the stack does not declare.",
    },
    userRoles: {
      ...names,
      description: "Names or ids of further roles that may enable users, which the stack does not declare.",
    },
  },

  checkResource(resource) {
    if (resource.type !== "Role" || !allows(resource, commands) || !allows(resource, users)) return [];
    return [{ resource, property: "policies", problem: "allow submitting commands and enabling users" }];
  },

  checkStack(resources, { options }) {
    const declared = resources.filter(({ type }) => type === "Role");
    const keyOf = (text: string) => declared.find(({ properties }) => textOf(properties["name"]) === text)?.urn ?? text;
    const may = (duty: Duty, listed: Names): ReadonlySet<string> =>
      new Set([
        ...declared.filter((role) => allows(role, duty)).map(({ urn }) => urn),
        ...listed.map((name) => keyOf(String(name))),
      ]);
    const [runners, admitters] = [may(commands, options.commandRoles), may(users, options.userRoles)];
    return groupsIn(resources, declared).flatMap((roles) => {
      const runner = roles.find(({ role, urn }) => runners.has(urn ?? keyOf(role)));
      const admitter = roles.find(({ role, urn }) => admitters.has(urn ?? keyOf(role)));
      // A single role that may do both is reported where it is declared.
      const isOne = runner && admitter && (runner.urn ?? keyOf(runner.role)) === (admitter.urn ?? keyOf(admitter.role));
      return runner && admitter && !isOne ? [both(runner, admitter)] : [];
    });
  },
});

/** `urn`: of a role of the stack that is assigned by its id. */
type Assigned = NamedRole & { readonly urn?: string };

function both(runner: Assigned, admitter: Assigned): Violation {
  const [first, second] = [runner, admitter].map(({ role }) => role);
  const elsewhere = runner.resource === admitter.resource ? "" : ` (${runner.resource.name})`;
  const problem = `gives the group role ${second}, which may enable users, beside ${first}${elsewhere}, which may submit commands`;
  return { resource: admitter.resource, property: admitter.path, problem };
}

/** The roles of each group of the stack, whichever resources assign them. */
function groupsIn(resources: readonly Resource[], declared: readonly Resource[]): Assigned[][] {
  const groups = new Map<string, Assigned[]>();
  const named = (name: string | undefined) =>
    resources.find(
      ({ type, properties }) => type === "Group" && name !== undefined && textOf(properties["name"]) === name,
    );
  for (const resource of resources) {
    // An id that comes from a Group of the stack means that group, and is unknown until it exists.
    const source = resource.dependenciesOf("groupId").find((urn) => resources.some((one) => one.urn === urn));
    const group = groupOf(resource);
    const key = resource.type === "Group" ? resource.urn : (source ?? named(group)?.urn ?? group);
    if (key !== undefined)
      groups.set(key, [...(groups.get(key) ?? []), ...namedRoles(resource), ...rolesById(resource, declared)]);
  }
  return [...groups.values()];
}

/** An id of a role of the stack is unknown until the role exists, and no name afterwards: what it comes from tells. */
function rolesById(resource: Resource, declared: readonly Resource[]): Assigned[] {
  const isId = (value: unknown) => value === unknownYet || /^\d+$/.test(textOf(value) ?? "");
  return (roleViews[resource.type]?.inputs ?? []).flatMap((path) => {
    const value = resource.properties[path];
    if (!(Array.isArray(value) ? value : [value]).some(isId)) return [];
    const sources = resource.dependenciesOf(path);
    return declared
      .filter(({ urn }) => sources.includes(urn))
      .map(({ urn, name, properties }) => ({ resource, path, role: textOf(properties["name"]) ?? name, urn }));
  });
}

interface Duty {
  readonly resource: string;
  readonly actions: readonly string[];
}
const commands: Duty = { resource: "command", actions: ["all", "create", "submit"] };
const users: Duty = { resource: "svc_user", actions: ["all", "create", "update", "enable", "manage"] };

/** Whether a role allows it and does not deny all of it. Without actions, an element presumably covers every action. */
function allows({ properties }: Resource, { resource, actions }: Duty): boolean {
  const elements = listOf(properties["policies"]).map(objectOf);
  const about = elements.filter((element) => ["all", resource].includes(textOf(element["resource"]) ?? ""));
  const covers = (element: { readonly action?: unknown }, wanted: readonly string[]) =>
    element.action === undefined || textsOf(element.action).some((action) => wanted.includes(action));
  const isDenied = about.some((element) => textOf(element["access"]) === "deny" && covers(element, ["all"]));
  return !isDenied && about.some((element) => textOf(element["access"]) === "allow" && covers(element, actions));
}
