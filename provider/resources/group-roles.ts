import { z } from "zod";
import { PlatformError } from "../api/errors";
import { accountIdOutput, defineResource, fromPlainId } from "../core/define";
import { groupRoles as part, segment } from "../platform/group-parts";
import { existingSet, foreseeMissing, lookAtGroup, refuseSharedRoles, rolesAreNotShown } from "../platform/group-sets";
import { groupRoleKey, groups } from "../platform/groups";
import { managing } from "../platform/managed-set";
import { newName } from "../platform/names";
import { roles } from "../platform/roles";
import { compared, type Recorded, removeFromSet, seenIn } from "../platform/sets";
import { enumerate } from "../values/enumerate";
import { asNumber, type Id, isNumeric, numberIdOrName, sameId } from "../values/id";
import { pathSegment } from "../values/path-segment";
import { sameReferences } from "../values/references";
import { flag } from "../values/simple";

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
  adopt: flag.describe(
    "Take over listed roles that the group has already, so that destroy unassigns them too. Use it to move roles here from resources that the program no longer declares. Default: false, destroy leaves them, where the extended API shows which roles these are.",
  ),
});
type Inputs = z.output<typeof inputs>;
type State = Pick<Inputs, "roles"> & { readonly alreadyAssigned?: readonly string[] | undefined };

const managed = managing({
  idOf: (_, { groupId }) => String(groupId),
  look: (context, { groupId }, references) => existingSet(context, part, groupId, references),
  declaredBy: ({ roles, exclusive, adopt }: Inputs) => ({
    wanted: roles,
    isWhole: exclusive,
    adopt: adopt || exclusive,
  }),
  recordedIn: ({ roles, alreadyAssigned }: State): Recorded<Id> => ({ listed: roles, ofOthers: alreadyAssigned }),
  listedAs: (roles) => ({ roles }),
  outputsOf: ({ ofOthers }) => ({ alreadyAssigned: ofOthers?.map(String) }),
  refuse: (context, set, _, { groupId, roles }) => refuseSharedRoles(context, set, groupId, roles),
  blind: ({ exclusive, groupId }) => (exclusive ? rolesAreNotShown(groupId, "changed") : undefined),
});

export const groupRoles = defineResource({
  type: "GroupRoles",
  doc: `The roles of one group, managed as a single resource.

Missing roles are assigned, one after the other, and roles that are no longer listed are unassigned. Roles that others assigned are left alone, unless \`exclusive\` is set. To manage each assignment as a separate resource, use \`GroupRoleAssignment\`; to manage the group itself, the \`roles\` of \`Group\`.

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
    tells(id) {
      throw new PlatformError(
        `the roles of group ${id} cannot be imported: the specified API cannot show them. Set dataplatform:extendedApi to true if this installation of the platform has the extended API, or declare the roles and run "pulumi up", which assigns them again`,
        { code: "config", outcome: "not-sent" },
      );
    },
  },
  replaceOn: ["groupId"],
  keys: {
    deleteFirst: true, // `pulumi up --replace` creates the same assignments again
    property: "roles",
    of: ({ groupId, roles }) => (groupId === undefined ? [] : (roles ?? []).map((role) => groupRoleKey(role, groupId))),
    inNewNames: ({ groupId, roles: listed, alreadyAssigned, ...others }, run) => ({
      ...others,
      groupId: newName(run, groups, groupId),
      // An import may not have read them.
      ...(listed && { roles: listed.map((role) => newName(run, roles, role)) }),
      alreadyAssigned: alreadyAssigned?.map((role) => newName(run, roles, role)),
    }),
    ownedIn: ({ groupId, roles = [], alreadyAssigned = [] }) =>
      roles.filter((role) => !alreadyAssigned.includes(role)).map((role) => groupRoleKey(role, groupId)),
  },
  settledOutputs: ["accountId"],
  limits: {
    thing: "the roles of a group",
    update: "Only the difference is sent: new roles are assigned, and roles that are no longer listed are unassigned.",
    destroy:
      "Unassigns all listed roles, including those that the group had before the resource was created: the API cannot show which these are.",
    undone: ({ roles = [], alreadyAssigned: had }) =>
      `unassigns ${enumerate(roles.filter((role) => !had?.includes(role))) || "nothing"}${had ? "" : ", also what the group had before"}`,
  },
  same: { groupId: sameId, roles: sameReferences(false) },
  rules({ roles = [] }, report) {
    const duplicates = [...new Set(roles.filter((role, index) => roles.indexOf(role) !== index))];
    if (duplicates.length > 0) report("roles", `contains duplicates: ${duplicates.join(", ")}; list each role once`);
  },
  advise: ({ roles, exclusive }) =>
    roles?.length === 0 && !exclusive ? ["roles is empty, so the resource manages nothing"] : [],

  create: managed.create,
  update: managed.update,

  async delete(context, _id, state) {
    const set = await lookAtGroup(context, part, state.groupId, state.roles);
    if (set !== "gone") await removeFromSet(context, set, managed.recordedIn(state));
  },

  extended: {
    importId: {
      note: "An import takes over every role of the group: destroying the resource unassigns them all.",
      tells: fromPlainId("a group id", "204", (id) => ({ groupId: asNumber(id) })),
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
    async foresee(context, { old, inputs: { groupId, roles, adopt, exclusive = false } }) {
      if (groupId === undefined || !roles) return;
      await foreseeMissing(context, part, roles);
      const before = old && sameId(old.groupId, groupId) ? old : undefined;
      await managed.foresee(context, { groupId, roles, adopt, exclusive }, before);
    },

    async read(context, _id, { groupId, roles, exclusive, alreadyAssigned }) {
      if (groupId === undefined) return {};
      const set = await lookAtGroup(context, part, groupId, roles ?? []);
      if (set === "gone") return undefined;
      if (!roles) {
        if (!set.shown) throw rolesAreNotShown(groupId, "read");
        // An import may name the group, and the state has its id.
        const id = segment(set.group);
        const { others } = compared(set, [], set.shown);
        return { id: String(id), groupId: asNumber(id), roles: others.map(String), alreadyAssigned: [] };
      }
      if (!set.shown) return {};
      const recorded = managed.recordedIn({ roles, alreadyAssigned });
      const { listed, ofOthers } = await seenIn(context, set, set.shown, recorded, exclusive);
      return { groupId, roles: listed.map(String), alreadyAssigned: ofOthers?.map(String) };
    },
  },
});
