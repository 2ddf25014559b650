import { z } from "zod";
import { leavesOutcomeOpen, PlatformError } from "../api/errors";
import { accountIdOutput, type Context, defineResource, keepIfOpen, PartialSuccess } from "../core/define";
import { changeTo, noSuchGroup, type Plan, removeFrom, visibleList } from "../platform/group-changes";
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
    await keepAdded(context, id, { group, wanted: users, previous: [] });
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
    await keepAdded(context, id, { group, wanted: users, previous: old.users, redo });
    return {};
  },

  async delete(context, _id, { group, users }) {
    const named = await namesOfGroup(context, group);
    if (named) await removeFrom(context, members, named, users);
  },
});

interface Change extends Pick<Plan, "wanted" | "previous" | "redo"> {
  readonly group: Id;
}

/** If only some are added, the state lists them beside those of before: a destroy removes them, and the next `up` adds the rest. */
async function keepAdded(context: Context, id: string, { group, ...plan }: Change): Promise<void> {
  const { wanted, previous } = plan;
  const added: Id[] = [];
  const onAdded = (users: readonly Id[]) => void added.push(...users);
  const listed = (more: readonly Id[]) => ({ users: [...new Set([...previous, ...more])] });
  await keepIfOpen(id, listed(wanted), async () => {
    const target = await targetOf(context, group);
    await changeTo(context, members, target, { ...plan, isWhole: false, onAdded }).catch((error: Error) => {
      throw added.length > 0 && !leavesOutcomeOpen(error) ? new PartialSuccess(id, listed(added), error) : error;
    });
  });
}

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
