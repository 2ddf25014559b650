import type { Resource } from "../resource";
import { groupOf, namedRoles, roleHolders } from "../roles";
import { defineRule, type Violation } from "../rule";
import { listOf, objectOf, textOf, textsOf } from "../values";

type Names = readonly (string | number)[];
interface Options {
  readonly commandRoles: Names;
  readonly userRoles: Names;
}

const names = { type: "array", items: { type: ["string", "integer"] }, default: [] } as const;

export const separateDuties = defineRule<Options>({
  name: "separate-duties",
  description: "Who may submit commands may not enable users.",
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
    const may = (duty: Duty, listed: Names): ReadonlySet<string> => {
      const declared = resources.filter((resource) => resource.type === "Role" && allows(resource, duty));
      return new Set([
        ...declared.flatMap(({ properties }) => textOf(properties["name"]) ?? []),
        ...listed.map(String),
      ]);
    };
    const [runners, admitters] = [may(commands, options.commandRoles), may(users, options.userRoles)];
    return groupsIn(resources).flatMap((roles) => {
      const runner = roles.find(({ role }) => runners.has(role));
      const admitter = roles.find(({ role }) => admitters.has(role));
      // A single role that may do both is reported where it is declared.
      return runner && admitter && runner.role !== admitter.role ? [both(runner, admitter)] : [];
    });
  },
});

type Assigned = ReturnType<typeof namedRoles>[number];

function both(runner: Assigned, admitter: Assigned): Violation {
  const [first, second] = [runner, admitter].map(({ role }) => role);
  const elsewhere = runner.resource === admitter.resource ? "" : ` (${runner.resource.name})`;
  const problem = `gives the group role ${second}, which may enable users, beside ${first}${elsewhere}, which may submit commands`;
  return { resource: admitter.resource, property: admitter.path, problem };
}

/** The roles of each group of the stack, whichever resources assign them. */
function groupsIn(resources: readonly Resource[]): Assigned[][] {
  const groups = new Map<string, Assigned[]>();
  for (const resource of resources) {
    // An id that comes from a Group of the stack means that group, and is unknown until it exists.
    const declared = resource.dependenciesOf("groupId").find((urn) => resources.some((one) => one.urn === urn));
    const key = resource.type === "Group" ? resource.urn : (declared ?? groupOf(resource));
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), ...namedRoles(resource)]);
  }
  return [...groups.values()];
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
