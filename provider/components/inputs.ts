import { z } from "zod";
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
import { numberId } from "../values/id";
import { ipAddress } from "../values/ip-address";
import { pathSegment } from "../values/path-segment";
import { objectAction } from "../values/policy";

/** The parts that go into the caller's account, or into the new one if `inNewAccount` names them. */
export const parts = [
  "whitelist",
  "dataStores",
  "roles",
  "groups",
  "objectPolicies",
  "folderPolicies",
  "packages",
  "jobs",
] as const;
export type Part = (typeof parts)[number];

/** The part that a program most likely wants in the new account: it says who may log in there. */
export const defaultInNewAccount: readonly Part[] = ["whitelist"];

/** What must not be an output: it decides which resources there are, or what they are called. */
const plain = { plain: true };

const text = z.string().min(1, { error: "is empty" });

const part = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.strictObject(shape).meta({ id, description });

const TeamAccount = part("TeamAccount", "The team's own account: the inputs of `Account`.", account.inputs.shape);

const TeamWhitelist = part(
  "TeamWhitelist",
  "From where people may log in: the inputs of `IpWhitelist`, and a way back in.",
  {
    ...ipWhitelist.inputs.shape,
    exclusive: ipWhitelist.inputs.shape.exclusive.describe(
      "Also remove every other entry, no matter who created it, unless it is in `wayBackIn` or `keep`, or another resource in the same program declares it. Default: false, other entries are left alone.",
    ),
    wayBackIn: z
      .array(ipAddress)
      .optional()
      .describe(
        "Addresses that are always yours, such as the VPN's. They are added to `addresses` and to `keep`, so that no later change, and no destroy, locks you out. Required with `exclusive`.",
      ),
  },
);

const TeamDataStore = part("TeamDataStore", "A data store: the inputs of `DataStore`.", {
  ...dataStore.inputs.shape,
  name: text.optional().describe("Name of the data store. Default: its name in the map."),
});

const TeamRole = part("TeamRole", "A role that the environment creates, with the extended API.", {
  ...role.inputs.shape,
  name: pathSegment.optional().describe("Name of the role. Default: its name in the map."),
});

const TeamGroup = part(
  "TeamGroup",
  "A group of the team, with its roles: one that exists (`id`), or one that the environment creates.",
  {
    id: numberId
      .optional()
      .describe("Id of a group that exists. Default: the environment creates the group, which needs the extended API."),
    name: group.inputs.shape.name.optional().describe("Name of a group to create. Default: its name in the map."),
    members: groupMembership.inputs.shape.users
      .optional()
      .describe(
        "Users: e-mail addresses, or the `id`s that `getUsers` returns. A group that exists gets them in addition to its other members; a group that is created has no others. Needs the extended API.",
      ),
    roles: z
      .array(pathSegment)
      .optional()
      .meta(plain)
      .describe(
        'Roles of the group: names in `roles`, names of other roles, or ids as strings, such as `"analyst"` or `"301"`.',
      ),
    adopt: group.inputs.shape.adopt,
  },
);

const eitherPolicy = "Either this or `teamMay`.";
const TeamObjectPolicy = part(
  "TeamObjectPolicy",
  "Who may do what with a notebook or another object: the inputs of `ObjectPolicy`.",
  {
    ...objectPolicy.inputs.shape,
    sourceType: objectPolicy.inputs.shape.sourceType
      .optional()
      .describe("Type of the object: `note` (a notebook), `cluster`, `scheduler` or `environment`. Default: `note`."),
    policy: objectPolicy.inputs.shape.policy.optional().describe(`Policy elements, in order. ${eitherPolicy}`),
    teamMay: z
      .array(objectAction)
      .min(1, "is empty; list at least one action")
      .optional()
      .describe(
        "The usual policy: the groups of the environment may do this, and nothing else. The last element denies them `all` and, unless it is listed here, `manage`, which `all` does not cover. Either this or `policy`.",
      ),
  },
);

const TeamFolderPolicy = part("TeamFolderPolicy", "Who may do what with a folder: the inputs of `FolderPolicy`.", {
  ...folderPolicy.inputs.shape,
  policy: folderPolicy.inputs.shape.policy.optional().describe(`Policy elements, in order. ${eitherPolicy}`),
  teamMay: z
    .array(text)
    .min(1, "is empty; list at least one action")
    .optional()
    .describe(
      "The usual policy: the groups of the environment may do this (`read`, `write`), and the last element denies them `all`. The API's manual does not say what `all` covers on folders: to be sure that the groups may not manage the folder, set `policy`, and deny `manage` there. Either this or `policy`.",
    ),
});

const TeamPackages = part("TeamPackages", "Packages in a package environment: the inputs of `PackageSet`.", {
  ...packageSet.inputs.shape,
  sourceType: packageSet.inputs.shape.sourceType
    .optional()
    .describe("Type of the packages: Python or R. Default: `python_package`."),
});

const TeamSensor = part("TeamSensor", "Partitions that a job waits for: the inputs of `PartitionSensor`.", {
  ...partitionSensor.inputs.shape,
  wait: partitionSensor.inputs.shape.wait.describe(
    "Whether to wait until the partitions exist, and how long. Default: true.",
  ),
});

const TeamJob = part(
  "TeamJob",
  "A job that runs once: the inputs of `Command`. It starts after the data stores, groups, roles and packages are there.",
  {
    ...command.inputs.shape,
    waitFor: TeamSensor.optional().meta(plain).describe("Partitions that must exist before the job starts."),
    after: z
      .array(z.string())
      .optional()
      .meta(plain)
      .describe("Other jobs of the environment that come first. They end first only if they have `wait`."),
  },
);

function byName<Part extends z.ZodType>(schema: Part, description: string) {
  return z.record(z.string(), schema).optional().meta(plain).describe(description);
}

export const inputs = z.object({
  account: TeamAccount.optional()
    .meta(plain)
    .describe("The team's own account. Default: none, and everything goes into the caller's account."),
  inNewAccount: z
    .array(z.enum(parts).meta({ schemaName: "TeamEnvironmentPart" }))
    .optional()
    .meta(plain)
    .describe(
      `Which parts go into the new account, through its token. The others go into the account of the caller. Default: ${defaultInNewAccount.join(", ")}.`,
    ),
  whitelist: TeamWhitelist.optional().meta(plain).describe("From where people may log in."),
  dataStores: byName(TeamDataStore, "Data stores, by name."),
  roles: byName(TeamRole, "Roles that the environment creates, by name. Needs the extended API."),
  groups: byName(TeamGroup, "The team's groups, by name."),
  objectPolicies: byName(TeamObjectPolicy, "Policies of notebooks and other objects, by a name of your choice."),
  folderPolicies: byName(TeamFolderPolicy, "Policies of folders, by a name of your choice."),
  packages: byName(TeamPackages, "Sets of packages, by a name of your choice."),
  jobs: byName(TeamJob, "First jobs, by a name of your choice."),
  renamedFrom: text
    .optional()
    .meta(plain)
    .describe(
      "Name that the environment had before, such as that of its file without the extension, so that its resources are kept under the new name. Remove it after the next `pulumi up`.",
    ),
  movedFrom: z
    .record(z.string(), z.string())
    .optional()
    .meta(plain)
    .describe(
      'Names that resources had before, by themselves or in an environment, so that they move here and nothing is replaced: `{ account: "account", "dataStores.orders": "blue-sales" }`.',
    ),
});

/** At preview, values may be unknown, whatever their type. */
export type TeamEnvironmentInputs = z.output<typeof inputs>;

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
  roles: simply(role, nameAsKey),
  groups: (given, name, args) =>
    given["id"] === undefined ? simply(group, nameAsKey)(given, name, args) : partsOf(given, args),
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

function nameAsKey(given: Properties, name: string): Properties {
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
