import { z } from "zod";
import { accountIdOutput, defineResource } from "../core/define";
import { members } from "../platform/group-members";
import { existingSet, foreseeMissing, lookAtGroup, refuseIfManagedAsAWhole } from "../platform/group-sets";
import { groups, memberKey } from "../platform/groups";
import { managing } from "../platform/managed-set";
import { newName } from "../platform/names";
import { compared, removeFromSet } from "../platform/sets";
import { sameId } from "../values/id";
import { nameOrId, sameReferences, userReference } from "../values/references";

const inputs = z.object({
  group: nameOrId.describe("The group: its id or its name."),
  users: z
    .array(userReference)
    .describe(
      "Users who are members of the group: e-mail addresses, or the `id`s that `getUsers` returns. Order does not matter.",
    ),
});
type Inputs = z.output<typeof inputs>;

const managed = managing({
  idOf: (_, { group }) => String(group),
  look: (context, { group }, references) => existingSet(context, members, group, references),
  declaredBy: ({ users }: Inputs) => ({ wanted: users, adopt: true }),
  recordedIn: ({ users }: Inputs) => ({ listed: users }),
  listedAs: (users) => ({ users }),
  outputsOf: () => ({}),
  refuse: refuseIfManagedAsAWhole,
});

export const groupMembership = defineResource({
  type: "GroupMembership",
  doc: `The membership of some users in a group.

Only the listed users are managed: other members are left alone, so several resources and several stacks can add users to one group. It also works for system groups. A user who is a member already is taken over: removing the user from the list, or destroying the resource, removes the user from the group. To manage all members of a group, use the \`members\` of \`Group\`; do not combine the two.`,
  extended: { required: true },
  inputs,
  outputs: z.object({ accountId: accountIdOutput }),
  importId: {
    format: "the group's id or name",
    example: "204",
    note: "The resource lists some of the members, and only the program knows which: the users in the program are assumed to be members. The next `pulumi refresh` checks that.",
    showsPart: true,
    tells: (id) => ({ group: id }),
  },
  replaceOn: ["group"],
  keys: {
    deleteFirst: "if same",
    property: "users",
    of: ({ group, users }) => (group === undefined ? [] : (users ?? []).map((user) => memberKey(user, group))),
    inNewNames: ({ group, ...others }, run) => ({ ...others, group: newName(run, groups, group) }),
  },
  settledOutputs: ["accountId"],
  limits: {
    refresh: "Which of the listed users are members, as far as the installation shows it.",
    update: "Only the difference is sent: new users are added, and users who are no longer listed are removed.",
    destroy:
      "Removes the listed users from the group, including any who were members before the resource was created. Other members stay.",
  },
  same: { group: sameId, users: sameReferences(true) },
  advise: ({ users }) => (users?.length === 0 ? ["users is empty, so the resource manages nothing"] : []),

  async foresee(context, { old, inputs: { group, users } }) {
    await foreseeMissing(context, members, users);
    const before = old && sameId(old.group, group) ? old : undefined;
    if (group !== undefined && users) await managed.foresee(context, { group, users }, before);
  },

  create: managed.create,
  update: managed.update,

  async read(context, id, { group = id, users }) {
    const set = await lookAtGroup(context, members, group, users ?? []);
    if (set === "gone") return undefined;
    return users && set.shown ? { users: compared(set, users, set.shown).present } : {};
  },

  async delete(context, _id, { group, users }) {
    const set = await lookAtGroup(context, members, group, users);
    if (set !== "gone") await removeFromSet(context, set, { listed: users });
  },
});
