import { z } from "zod";
import { leavesOutcomeOpen } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { accountIdOutput, type Context, defineResource, PartialSuccess } from "../core/define";
import { cannotDo } from "../core/extended";
import { members } from "../platform/group-members";
import { groupRoles, type Part, segment } from "../platform/group-parts";
import { lookAt, noSuchGroup } from "../platform/group-sets";
import { groupRoleKey, groups, memberKey, memberListKey } from "../platform/groups";
import { isNumeric, type Named } from "../platform/references";
import { changeSet, compared } from "../platform/sets";
import type { Id } from "../values/id";
import { pathSegment } from "../values/path-segment";
import { nameOrId, sameReferences, userReference } from "../values/references";

const inputs = z.object({
  name: pathSegment.describe("Name of the group, unique in the account."),
  members: z
    .array(userReference)
    .optional()
    .describe(
      "All members of the group: e-mail addresses, or the `id`s that `getUsers` returns. Others are removed from the group. Default: the members are left alone. Order does not matter.",
    ),
  roles: z
    .array(nameOrId)
    .optional()
    .describe(
      "All roles of the group: names or ids. Others are unassigned. Default: the roles are left alone. Order does not matter.",
    ),
  adopt: z
    .boolean()
    .optional()
    .describe(
      "Take over a group with this name if there is one, instead of failing. Destroying the resource then deletes it. Default: false.",
    ),
});
type Inputs = z.output<typeof inputs>;
interface Lists {
  members?: readonly Id[] | undefined;
  roles?: readonly Id[] | undefined;
}

export const group = defineResource({
  type: "Group",
  doc: `A group of users, who may do what the roles of the group allow.

\`members\` and \`roles\` are complete lists if they are set, and left alone if they are not. To add single users to a group that others manage, use \`GroupMembership\`; to assign single roles, \`GroupRoleAssignment\`. Do not combine these with the complete lists of the same group.`,
  needsExtendedApi: true,
  inputs,
  outputs: z.object({
    source: z.string().optional().describe("Who made the group, if the platform shows it."),
    accountId: accountIdOutput,
  }),
  importId: { format: "the group's id, or its name", example: "207" },
  replaceOn: [],
  keys: { property: "name", of: keysOf },
  settledOutputs: ["source", "accountId"],
  secrets: [],
  limits: {
    refresh:
      "The name; `members` and `roles` if they are set, as far as the installation shows them. An import reads all of them.",
    destroy:
      "Deletes the group. Some platforms refuse that while it has members: then set `members: []`, run `pulumi up`, and destroy again.",
  },
  same: { members: sameReferences(true), roles: sameReferences(false) },
  rules: groups.rules,

  create: createWithLists,

  list: groups.list,

  async read(context, id, state) {
    const found = await groups.lookByState(context, id, state.name);
    if (found === "gone") return undefined;
    if (found === "unknown") return {};
    const importing = state.name === undefined;
    const group = { id: found.id, name: found.name ?? state.name };
    return {
      id: String(found.id),
      ...(found.name && { name: found.name }),
      ...(await listIn(context, group, "members", members, importing ? [] : state.members)),
      ...(await listIn(context, group, "roles", groupRoles, importing ? [] : state.roles)),
      ...groups.outputsOf(found),
    };
  },

  async update(context, id, old, given, { redo }) {
    const found = await groups.look(context, groups.targetOf(id, old.name));
    if (found === "gone") {
      if (!redo || isNumeric(id)) throw groups.noLongerThere(old.name);
      // Its creation had an open outcome, and nothing came of it.
      const { id: _, ...outputs } = await createWithLists(context, given);
      return outputs;
    }
    const known = found === "unknown" ? (isNumeric(id) ? id : undefined) : found.id;
    const current = { id: known, name: old.name };
    const isRenamed = given.name !== old.name || (redo && typeof found === "object" && found.name !== given.name);
    if (isRenamed) await rename(context, id, current, old, given);
    const lists: Lists = { members: old.members, roles: old.roles };
    try {
      await changeLists(context, { ...current, name: given.name }, lists, given, redo);
    } catch (error) {
      const isUntouched = lists.members === old.members && lists.roles === old.roles;
      throw isUntouched && !isRenamed ? error : new PartialSuccess(id, { ...lists }, error as Error);
    }
    return {};
  },

  delete: groups.remove,
});

function keysOf({ name, members: users, roles }: Partial<Inputs>): string[] {
  if (name === undefined) return [];
  return [
    groups.keyOf(name),
    ...(users ? [memberListKey(name), ...users.map((user) => memberKey(user, name))] : []),
    ...(roles ?? []).map((role) => groupRoleKey(role, name)),
  ];
}

async function createWithLists(context: Context, given: Inputs) {
  const { name } = given;
  const record =
    (await groups.existing(context, given)) ??
    (await groups.create(context, name, { name }, { members: undefined, roles: undefined }));
  const id = String(record?.id ?? name);
  const lists: Lists = { members: undefined, roles: undefined };
  try {
    await changeLists(context, { id: record?.id, name }, lists, given, false);
  } catch (error) {
    throw new PartialSuccess(id, { ...lists }, error as Error);
  }
  return { id, ...groups.outputsOf(record) };
}

/** `lists`: what the group has, or may have. Kept up to date, so that after a failure the next `up` goes on from there. */
async function changeLists(context: Context, group: Named, lists: Lists, given: Lists, redo: boolean): Promise<void> {
  const bring = async (property: "members" | "roles", part: Part) => {
    const wanted = given[property];
    if (!wanted) return;
    const before = { listed: lists[property] ?? [] };
    const set = await lookAt(context, part, group, [...wanted, ...before.listed], wanted);
    if (set === "gone") throw noSuchGroup(group);
    const { listed, error } = await changeSet(context, set, { wanted, before, isWhole: true, adopt: true, redo });
    lists[property] = listed;
    if (error) throw error;
  };
  await bring("members", members);
  await bring("roles", groupRoles);
}

async function rename(context: Context, id: string, current: Named, old: Inputs, given: Inputs): Promise<void> {
  const notChanged = { members: old.members, roles: old.roles };
  const updated = await groups.update(context, segment(current), { name: given.name }).catch((error: unknown) => {
    throw leavesOutcomeOpen(error) ? new PartialSuccess(id, notChanged, error) : error;
  });
  if (updated === "gone") throw groups.noLongerThere(old.name);
  if (updated === "lacking")
    throw cannotDo(extendedOperations.updateGroup, `group ${old.name} (id ${id}) was not renamed`);
}

/** Absent if the program does not list it, or the platform does not show it. */
async function listIn(
  context: Context,
  group: Named,
  property: "members" | "roles",
  part: Part,
  listed: readonly Id[] | undefined,
): Promise<Partial<Lists>> {
  const set = listed ? await lookAt(context, part, group, listed) : "gone";
  if (!listed || set === "gone" || !set.shown) return {};
  const { present, others } = compared(set, listed, set.shown);
  return { [property]: [...present, ...others] };
}
