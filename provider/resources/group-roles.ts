import { z } from "zod";
import { PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { accountIdOutput, type Context, defineResource, fromPlainId, PartialSuccess } from "../core/define";
import { cannotDo } from "../core/extended";
import { groupRoles as part, segment } from "../platform/group-parts";
import { existingSet, type GroupSet, lookAtGroup } from "../platform/group-sets";
import { groupRoleKey } from "../platform/groups";
import { isNumeric, spelled } from "../platform/references";
import { changeSet, compared, foreseeSet, ownOf, type Recorded, removeFromSet, seenIn } from "../platform/sets";
import { asNumber, type Id, numberIdOrName, sameId } from "../values/id";
import { pathSegment } from "../values/path-segment";
import { sameReferences } from "../values/references";

const inputs = z.object({
  groupId: numberIdOrName.describe("Id of the group that gets the roles."),
  roles: z
    .array(pathSegment)
    .describe(
      'Roles of the group: names, or ids as strings, such as `"analyst"` or `"301"`. Order does not matter. List each role once, by its id or by its name: without the extended API, the provider cannot tell that both are the same role. An empty list makes sense only with `exclusive`.',
    ),
  exclusive: z
    .boolean()
    .default(false)
    .describe(
      "Also unassign every other role of the group, no matter who assigned it, unless another resource in the same program declares it. Destroy then unassigns all listed roles. Needs the extended API. Default: false, other roles are left alone.",
    ),
  adopt: z
    .boolean()
    .optional()
    .describe(
      "Take over listed roles that the group has already, so that destroy unassigns them too. Use it to move roles here from resources that the program no longer declares. Default: false, destroy leaves them, where the extended API shows which roles these are.",
    ),
});
type Inputs = z.output<typeof inputs>;

export const groupRoles = defineResource({
  type: "GroupRoles",
  doc: `The roles of one group, managed as a single resource.

Missing roles are assigned in parallel, and roles that are no longer listed are unassigned. Roles that others assigned are left alone, unless \`exclusive\` is set. To manage each assignment as a separate resource, use \`GroupRoleAssignment\`; to manage the group itself, the \`roles\` of \`Group\`.

The specified API cannot show the roles of a group. So without the extended API (\`dataplatform:extendedApi\`) every listed role is assigned, whether the group has it or not, and destroying the resource unassigns all of them, **including those that the group had before**. With the extended API, the resource notes in \`alreadyAssigned\` which ones the group had, and destroy leaves these.`,
  inputs,
  outputs: z.object({
    alreadyAssigned: z
      .array(z.string())
      .optional()
      .describe(
        "Those of `roles` that the group had already, so that destroy leaves them. Absent if nothing showed the roles of the group when they were assigned: destroy then unassigns all of `roles`.",
      ),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "the group's id or name",
    example: "204",
    note: "Needs the extended API: the specified API cannot show the roles of a group.",
  },
  replaceOn: ["groupId"],
  keys: {
    deleteFirst: true, // `pulumi up --replace` creates the same assignments again
    property: "roles",
    of: ({ groupId, roles }) => (groupId === undefined ? [] : (roles ?? []).map((role) => groupRoleKey(role, groupId))),
    ownedIn: ({ groupId, roles, alreadyAssigned = [] }) =>
      roles.filter((role) => !alreadyAssigned.includes(role)).map((role) => groupRoleKey(role, groupId)),
  },
  settledOutputs: ["accountId"],
  secrets: [],
  limits: {
    thing: "the roles of a group",
    update: "Only the difference is sent: new roles are assigned, and roles that are no longer listed are unassigned.",
    destroy:
      "Unassigns all listed roles, including those that the group had before the resource was created: the API cannot show which these are.",
  },
  same: { groupId: sameId, roles: sameReferences(false) },
  rules({ roles = [] }, report) {
    const duplicates = [...new Set(roles.filter((role, index) => roles.indexOf(role) !== index))];
    if (duplicates.length > 0) report("roles", `contains duplicates: ${duplicates.join(", ")}; list each role once`);
  },
  advise: ({ roles, exclusive }) =>
    roles?.length === 0 && !exclusive ? ["roles is empty, so the resource manages nothing"] : [],

  fromId(id) {
    throw new PlatformError(
      `the roles of group ${id} cannot be imported: the specified API cannot show them. Set dataplatform:extendedApi to true if this installation of the platform has the extended API, or declare the roles and run "pulumi up", which assigns them again`,
      { code: "config", outcome: "not-sent" },
    );
  },

  async create(context, given) {
    const id = String(given.groupId);
    return { id, ...(await apply(context, id, given)) };
  },

  update: (context, id, old, given, { redo }) => apply(context, id, given, old, redo),

  async delete(context, _id, state) {
    const set = await lookAtGroup(context, part, state.groupId, state.roles);
    if (set !== "gone") await removeFromSet(context, set, ownOf(set, recordedIn(state)));
  },

  extended: {
    importId: {
      note: "An import takes over every role of the group: destroying the resource unassigns them all.",
    },
    limits: {
      refresh:
        "Which of the listed roles the group has, as far as the installation shows it; with `exclusive`, also roles that others assigned, which the next `pulumi up` unassigns.",
      destroy:
        "Unassigns the roles that this resource assigned; those in `alreadyAssigned` stay. If the installation did not show the roles of the group when they were assigned, all listed roles are unassigned.",
    },
    onlyWith: ({ exclusive, groupId = 1 }) => [
      ...(exclusive ? (["exclusive"] as const) : []),
      ...(isNumeric(groupId) ? [] : (["groupId"] as const)),
    ],
    fromId(id) {
      fromPlainId("a group id", "204")(id);
      return { groupId: asNumber(id) };
    },

    async foresee(context, { old, inputs: { groupId, roles, exclusive } }) {
      if (groupId === undefined || !roles) return;
      const before = old && sameId(old.groupId, groupId) ? old : undefined;
      const set = await existingSet(context, part, groupId, [...roles, ...(before?.roles ?? [])]);
      refuseSharedRoles(context, set, groupId, roles);
      foreseeSet(context, set, { wanted: roles, before: before && recordedIn(before), isWhole: exclusive });
    },

    async read(context, _id, { groupId, roles, exclusive = false, alreadyAssigned }) {
      if (groupId === undefined) return {};
      const set = await lookAtGroup(context, part, groupId, roles ?? []);
      if (set === "gone") return undefined;
      if (!set.shown) {
        if (!roles) throw cannotDo(extendedOperations.listGroupRoles, `the roles of group ${groupId} were not read`);
        return {};
      }
      if (!roles) {
        // An import may name the group, and the state has its id.
        const id = segment(set.group);
        const { others } = compared(set, [], set.shown);
        return { id: String(id), groupId: asNumber(id), roles: others.map(String), alreadyAssigned: [] };
      }
      const { listed, ofOthers } = seenIn(set, set.shown, { listed: roles, ofOthers: alreadyAssigned }, exclusive);
      return {
        groupId,
        roles: listed.map(String),
        ...((alreadyAssigned || ofOthers.length > 0) && { alreadyAssigned: ofOthers.map(String) }),
      };
    },
  },
});

interface Known {
  readonly roles: readonly string[];
  readonly alreadyAssigned?: readonly string[] | undefined;
}

function recordedIn({ roles, alreadyAssigned }: Known): Recorded<Id> {
  return { listed: roles, ofOthers: alreadyAssigned };
}

async function apply(context: Context, id: string, given: Inputs, old?: Known, redo?: boolean) {
  const { groupId, roles, exclusive, adopt } = given;
  const set = await existingSet(context, part, groupId, [...roles, ...(old?.roles ?? [])]);
  refuseSharedRoles(context, set, groupId, roles);
  if (exclusive && !set.shown)
    throw cannotDo(extendedOperations.listGroupRoles, `the roles of group ${groupId} were not changed`);
  const before = old && recordedIn(old);
  const declared = { wanted: roles, before, isWhole: exclusive, adopt: adopt || exclusive, redo };
  const { listed, ofOthers, error } = await changeSet(context, set, declared);
  const alreadyAssigned = ofOthers?.map(String);
  if (error) throw new PartialSuccess(id, { roles: listed.map(String), alreadyAssigned }, error);
  return { alreadyAssigned };
}

/** Another resource of the program may declare the same role of the group in other words. */
function refuseSharedRoles({ run }: Context, set: GroupSet, groupId: Id, roles: readonly string[]): void {
  const own = new Set(roles.map((role) => groupRoleKey(role, groupId)));
  for (const role of roles) {
    const keys = set.keysOf(role).filter((key) => !own.has(key));
    const other = keys.map((key) => run.declarerOf(key)).find((found) => found !== undefined);
    if (other !== undefined)
      throw new PlatformError(
        `declares role ${role} of group ${spelled(set.group)}, which ${other} in this program also declares; declare it only once. Nothing was changed`,
        { code: "conflict", outcome: "not-sent" },
      );
  }
}
