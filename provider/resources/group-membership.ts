import { z } from "zod";
import { PlatformError } from "../api/errors";
import { accountIdOutput, type Context, defineResource, keepIfOpen } from "../core/define";
import { bringTo, noSuchGroup, removeFrom, visibleList } from "../platform/group-changes";
import { members } from "../platform/group-parts";
import { memberKey, memberListKey, namesOfGroup } from "../platform/groups";
import { isNumeric, type Named, spelled, spellings } from "../platform/references";
import { type Id, sameId } from "../values/id";
import { nameOrId, sameReferences, userReference } from "../values/references";

const inputs = z.object({
  group: nameOrId.describe("The group: its id or its name."),
  users: z
    .array(userReference)
    .min(1, "is empty; list at least one user, or remove the resource")
    .describe(
      "Users who are members of the group: e-mail addresses, or the `id`s that `getUsers` returns. Order does not matter.",
    ),
});

export const groupMembership = defineResource({
  type: "GroupMembership",
  doc: `The membership of some users in a group.

Only the listed users are managed: other members are left alone, so several resources and several stacks can add users to one group. It also works for system groups. A user who is a member already is taken over: removing the user from the list, or destroying the resource, removes the user from the group. To manage all members of a group, use the \`members\` of \`Group\`; do not combine the two.`,
  needsExtendedApi: true,
  inputs,
  outputs: z.object({ accountId: accountIdOutput }),
  importId: {
    format: "the group's id or name",
    example: "204",
    note: "The resource lists some of the members, and only the program knows which: the users in the program are assumed to be members. The next `pulumi refresh` checks that.",
  },
  importShowsPart: true,
  replaceOn: ["group"],
  deleteBeforeReplace: true, // the new name or id may mean the same group as the old one
  keys: {
    property: "users",
    of: ({ group, users }) => (group === undefined ? [] : (users ?? []).map((user) => memberKey(user, group))),
  },
  settledOutputs: ["accountId"],
  secrets: [],
  limits: {
    refresh: "Which of the listed users are members, as far as the installation shows it.",
    update: "Only the difference is sent: new users are added, and users who are no longer listed are removed.",
    destroy:
      "Removes the listed users from the group, including any who were members before the resource was created. Other members stay.",
  },
  same: { group: sameId, users: sameReferences(true) },

  fromId: (id) => ({ group: id }),

  async create(context, { group, users }) {
    const id = String(group);
    await keepIfOpen(id, {}, async () => {
      await bringTo(context, members, await targetOf(context, group), { wanted: users, previous: [], isWhole: false });
    });
    return { id };
  },

  async read(context, id, { group = id, users }) {
    const named = await namesOfGroup(context, group);
    if (!named) return undefined;
    const actual = await members.read(context, named);
    if (actual === "gone") return undefined;
    if (!users || actual === "unknown") return {};
    const { directory } = await members.directory(context, users);
    const visible = visibleList(directory, users, actual);
    return visible ? { users: visible.present } : {};
  },

  async update(context, id, old, { group, users }, { redo }) {
    const unfinished = { users: old.users };
    const plan = { wanted: users, previous: old.users, isWhole: false, redo };
    await keepIfOpen(id, unfinished, async () => bringTo(context, members, await targetOf(context, group), plan));
    return {};
  },

  async delete(context, _id, { group, users }) {
    const named = await namesOfGroup(context, group);
    if (named) await removeFrom(context, members, named, users);
  },
});

/** The group, which must not be managed as a whole elsewhere. */
async function targetOf(context: Context, group: Id): Promise<Named> {
  const named = await namesOfGroup(context, group);
  if (!named) throw noSuchGroup(isNumeric(group) ? { id: group } : { name: String(group) });
  const owner = spellings(named)
    .map((one) => context.run.declarerOf(memberListKey(one)))
    .find((found) => found !== undefined);
  if (owner === undefined) return named;
  throw new PlatformError(
    `${owner} manages all members of group ${spelled(named)}; list the users there, or remove members from it. Nothing was changed`,
    { code: "conflict", outcome: "not-sent" },
  );
}
