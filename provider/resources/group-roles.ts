import { z } from "zod";
import { PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { accountIdOutput, type Context, defineResource, fromPlainId, PartialSuccess } from "../core/define";
import { cannotDo } from "../core/extended";
import { noSuchGroup, notDeclared } from "../platform/group-changes";
import { groupRoles as part, segment } from "../platform/group-parts";
import {
  assignedByOthers,
  type DeclaredRoles,
  has,
  type KnownRoles,
  type Look,
  lookAtRoles,
  othersIn,
  ownRoles,
  planOf,
  type RoleView,
  refuseSharedRoles,
  withoutLooking,
} from "../platform/group-role-set";
import { groupRoleKey } from "../platform/groups";
import { isNumeric, type Named, spelled } from "../platform/references";
import { changeRoles, type RoleChanges } from "../platform/role-assignments";
import { asNumber, type Id, numberId, sameId } from "../values/id";
import { pathSegment } from "../values/path-segment";
import { sameReferences } from "../values/references";

const inputs = z.object({
  groupId: numberId.describe("Id of the group that gets the roles. With the extended API, also its name."),
  roles: z
    .array(pathSegment)
    .describe(
      'Roles of the group: names, or ids as strings, such as `"analyst"` or `"301"`. Order does not matter. List each role once, by its id or by its name: without the extended API, nothing tells that both mean the same role. An empty list makes sense only with `exclusive`.',
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
      "Take over listed roles that the group has already, so that destroy unassigns them too. Use it to move roles here from resources that the program no longer declares. Default: false, destroy leaves them where the extended API shows which these are.",
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
  deleteBeforeReplace: true, // `pulumi up --replace` creates the same assignments again
  keys: {
    property: "roles",
    of: ({ groupId, roles }) => (groupId === undefined ? [] : (roles ?? []).map((role) => groupRoleKey(role, groupId))),
    ownedIn: (state) => ownRoles(state).map((role) => groupRoleKey(role, state.groupId)),
  },
  settledOutputs: ["accountId"],
  secrets: [],
  limits: {
    unseen: "the API cannot show the roles of a group",
    update: "Only the difference is sent: new roles are assigned, and roles that are no longer listed are unassigned.",
    destroy:
      "Unassigns all listed roles, including those that the group had before the resource was created: the API cannot show which these are.",
  },
  same: { groupId: sameId, roles: sameReferences(false) },
  rules({ roles = [] }, report) {
    const duplicates = [...new Set(roles.filter((role, index) => roles.indexOf(role) !== index))];
    if (duplicates.length > 0) report("roles", `contains duplicates: ${duplicates.join(", ")}; list each role once`);
  },
  advise: (known) => [...adviseOnRoles(known), ...adviseOnGroup(known)],

  fromId(id) {
    throw new PlatformError(
      `the roles of group ${id} cannot be imported: the specified API cannot show them. Set dataplatform:extendedApi to true if this installation of the platform has the extended API, or declare the roles and run "pulumi up", which assigns them again`,
      { code: "config", outcome: "not-sent" },
    );
  },

  create: (context, given) => create(withoutLooking, context, given),
  update: (context, id, old, given, { redo }) => apply(withoutLooking, context, id, given, old, redo),
  delete: (context, _id, state) => unassignOwn(withoutLooking, context, state),

  extended: {
    importNote: "An import takes over every role of the group: destroying the resource unassigns them all.",
    limits: {
      refresh:
        "Which of the listed roles the group has, as far as the installation shows it; with `exclusive`, also roles that others assigned, which the next `pulumi up` unassigns.",
      destroy:
        "Unassigns the roles that this resource assigned; those in `alreadyAssigned` stay. If the installation did not show the roles of the group when they were assigned, all listed roles are unassigned.",
    },
    onlyWith: ({ exclusive }) => (exclusive ? ["exclusive"] : []),
    advise: adviseOnRoles,
    fromId(id) {
      fromPlainId("a group id", "204")(id);
      return { groupId: asNumber(id) };
    },

    async foresee(context, { old, inputs: { groupId, roles, exclusive } }) {
      if (groupId === undefined || !roles) return;
      const before = old && sameId(old.groupId, groupId) ? old : undefined;
      const view = await lookAtRoles(context, groupId, [...roles, ...(before?.roles ?? [])]);
      if (view === "gone") throw noSuchGroup({ id: groupId });
      refuseSharedRoles(context, view, groupId, roles);
      const { assign, unassign } = planOf(view, { roles, exclusive }, before);
      const leaving = notDeclared(context, part, view.group, unassign, (key) => context.run.declarerOf(key));
      if (assign.length > 0) context.log.info(`will assign ${count(assign)}: ${assign.join(", ")}`);
      if (leaving.length > 0) context.log.warn(`will unassign ${count(leaving)}: ${leaving.map(spelled).join(", ")}`);
    },

    create: (context, given) => create(lookAtRoles, context, given),
    update: (context, id, old, given, { redo }) => apply(lookAtRoles, context, id, given, old, redo),
    delete: (context, _id, state) => unassignOwn(lookAtRoles, context, state),

    async read(context, _id, { groupId, roles, exclusive, alreadyAssigned }) {
      if (groupId === undefined) return {};
      const view = await lookAtRoles(context, groupId, roles ?? []);
      if (view === "gone") return undefined;
      const isImport = roles === undefined;
      if (!view.shown) {
        if (isImport) throw cannotDo(extendedOperations.listGroupRoles, `the roles of group ${groupId} were not read`);
        return {};
      }
      const others = isImport || exclusive ? othersIn(view, roles ?? []).map(spelled) : [];
      const isThere = (role: string) => has(view, role);
      return {
        // An import may name the group, and the state has its id.
        ...(isImport && view.group.id !== undefined
          ? { id: String(view.group.id), groupId: asNumber(view.group.id) }
          : { groupId }),
        roles: [...(roles ?? []).filter(isThere), ...others],
        // What others assigned is not ours, even if `exclusive` is turned off before the next `up`.
        ...(isImport ? { alreadyAssigned: [] } : whatOthersAssigned(alreadyAssigned, isThere, others)),
      };
    },
  },
});

function adviseOnRoles({ roles, exclusive }: Partial<Inputs>): string[] {
  return roles?.length === 0 && !exclusive ? ["roles is empty, so the resource manages nothing"] : [];
}

function adviseOnGroup({ groupId = "1" }: Partial<Inputs>): string[] {
  if (isNumeric(groupId)) return [];
  return [
    `groupId is ${JSON.stringify(groupId)}; expected the id of a group, such as 205. Only the extended API can find a group by its name`,
  ];
}

function whatOthersAssigned(
  before: readonly string[] | undefined,
  isThere: (role: string) => boolean,
  others: readonly string[],
): { alreadyAssigned?: string[] } {
  if (!before && others.length === 0) return {};
  return { alreadyAssigned: [...new Set([...(before ?? []).filter(isThere), ...others])] };
}

async function create(look: Look, context: Context, given: Inputs) {
  const id = String(given.groupId);
  return { id, ...(await apply(look, context, id, given)) };
}

async function apply(look: Look, context: Context, id: string, given: Inputs, old?: KnownRoles, redo = false) {
  const { groupId, roles } = given;
  const { run } = context;
  const view = await look(context, groupId, [...roles, ...(old?.roles ?? [])]);
  if (view === "gone") throw noSuchGroup({ id: groupId });
  refuseSharedRoles(context, view, groupId, roles);
  if (given.exclusive && !view.shown)
    throw cannotDo(extendedOperations.listGroupRoles, `the roles of group ${groupId} were not changed`);
  const { assign, unassign } = planOf(view, given, old, redo);
  if (unassign.length > 0 || assign.length < roles.length) await run.othersAreDeclared();
  const leaving = notDeclared(context, part, view.group, unassign, (key) => run.declarerOf(key));
  const alreadyAssigned = assignedByOthers(context, view, given, old);
  const changes = await carryOut(context, segment(view.group), assign, leaving, view.shown !== undefined);
  if (changes.error) throw unfinished(id, changes, given, { view, assign, leaving, alreadyAssigned, old });
  const found = (alreadyAssigned ?? []).filter((role) => !old?.alreadyAssigned?.includes(role));
  if (found.length > 0)
    context.log.warn(
      `group ${groupId} has ${count(found)} already, assigned by others or by an interrupted run, which destroy will leave: ${found.join(", ")}. To have destroy unassign such roles too, set adopt: true`,
    );
  return { alreadyAssigned };
}

interface Changes {
  readonly assigned: RoleChanges;
  readonly unassigned: RoleChanges;
  readonly error?: PlatformError | undefined;
}

/** Nothing is taken away until the rest is there, unless an old spelling may mean the same role as a new one. */
async function carryOut(
  context: Context,
  groupId: Id,
  assign: readonly string[],
  leaving: readonly Named[],
  assignFirst: boolean,
): Promise<Changes> {
  const nothing: RoleChanges = { done: [], open: [] };
  const remove = () => changeRoles(context, "unassign", groupId, leaving.map(segment).map(String));
  const add = () => changeRoles(context, "assign", groupId, assign);
  const first = await (assignFirst ? add() : remove());
  const second = first.error ? nothing : await (assignFirst ? remove() : add());
  const [assigned, unassigned] = assignFirst ? [first, second] : [second, first];
  return { assigned, unassigned, error: first.error ?? second.error };
}

interface Before {
  readonly view: RoleView;
  readonly assign: readonly string[];
  readonly leaving: readonly Named[];
  readonly alreadyAssigned: readonly string[] | undefined;
  readonly old: KnownRoles | undefined;
}

/** The error of a change that was carried out in part: the state keeps what the group has now, or may have. */
function unfinished(id: string, changes: Changes, given: DeclaredRoles, before: Before): Error {
  const { assigned, unassigned } = changes;
  const { view, assign, leaving, alreadyAssigned, old = { roles: [] } } = before;
  const touched = [assigned, unassigned].flatMap(({ done, open }) => [...done, ...open]);
  const error = changes.error as PlatformError;
  if (touched.length === 0) return error;
  const { directory } = view;
  // The last change had an open outcome, and these were not tried again.
  const wasThere = (role: string) => !view.shown && directory.includes(old.roles, directory.of(role));
  const uncertain = assign.filter((role) => !touched.includes(role) && wasThere(role));
  const mayHave = (role: string) => !assign.includes(role) || touched.includes(role) || uncertain.includes(role);
  const left = leaving.filter((one) => !directory.includes(unassigned.done, one));
  // With `exclusive`, the next `up` must notice the roles of others that are left, but they are not ours.
  const ofOthers = left.filter((one) => !directory.includes(ownRoles(old), one)).map(spelled);
  const known = alreadyAssigned || ofOthers.length > 0;
  return new PartialSuccess(
    id,
    {
      roles: [...given.roles.filter(mayHave), ...left.map(spelled)],
      alreadyAssigned: known ? [...(alreadyAssigned ?? []), ...ofOthers] : undefined,
    },
    uncertain.length > 0 ? error.with(error.message, { outcome: "open" }) : error,
  );
}

async function unassignOwn(look: Look, context: Context, state: KnownRoles & { readonly groupId: Id }): Promise<void> {
  const { groupId } = state;
  const own = ownRoles(state);
  const view = await look(context, groupId, own);
  if (view === "gone") return;
  const present = view.shown ? own.filter((role) => has(view, role)) : own;
  const named = present.map((role) => view.directory.of(role));
  const leaving = notDeclared(context, part, view.group, named, (key) => context.run.keeperOf(key));
  const { error } = await changeRoles(context, "unassign", segment(view.group), leaving.map(segment).map(String));
  if (error) throw error;
}

function count({ length }: readonly unknown[]): string {
  return length === 1 ? "1 role" : `${length} roles`;
}
