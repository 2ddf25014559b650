import { z } from "zod";
import { PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, type Context, defineResource, keepIfOpen } from "../core/define";
import { folderPolicyKey, lookAtFolderPolicy, type PolicyFolder, setFolderPolicy } from "../platform/folder-policies";
import { restorePolicy, visiblePolicy, warnIfAlreadySet } from "../platform/managed-policies";
import { folderLocation, folderType, folderTypes, locationAdvice } from "../values/folder";
import {
  allOfFolders,
  folderActionAdvice,
  folderPolicyElements,
  type Policy,
  policyAdvice,
  samePolicy,
} from "../values/policy";

export const folderPolicy = defineResource({
  type: "FolderPolicy",
  doc: `The access policy of a notebook or dashboard folder.

A folder has one policy, and this resource manages all of it: it overwrites what others set. To grant something on a folder without managing the rest of its policy, use \`FolderGrant\`, but not for the same folder: this resource removes the grants of other stacks when it next sets the policy, and in one program the two are an error. The specified API cannot show the policy of a folder, so destroy cannot restore the previous one: choose with \`onDestroy\` what destroy leaves behind. With the extended API (\`dataplatform:extendedApi\`) refresh reads the policy, and \`onDestroy: "restore"\` restores the previous one.

If the folder is a \`Folder\` resource in the same program, pass its \`currentLocation\` as \`location\`.`,
  inputs: z.object({
    type: folderType,
    location: folderLocation.describe("Current location of the folder, such as `Common/reports`."),
    policy: folderPolicyElements.describe(
      "Policy elements, in the order they are sent. The order of actions and ids within an element does not matter.",
    ),
    name: z
      .string()
      .min(1, "is empty; omit it instead")
      .optional()
      .describe("Name of the folder. It is sent with the policy; the API's manual shows it only in examples."),
    onDestroy: z
      .enum(["keep", "clear", "set", "restore"])
      .optional()
      .describe(
        "What destroy does: `keep` leaves the policy as it is, with a warning, `clear` sets an empty policy, `set` sets `destroyPolicy`, `restore` restores the original policy, which needs the extended API. Default: `keep`.",
      ),
    destroyPolicy: folderPolicyElements
      .optional()
      .describe('Policy that destroy sets. Required with `onDestroy: "set"`, and not allowed otherwise.'),
  }),
  outputs: z.object({
    originalPolicy: folderPolicyElements
      .optional()
      .describe(
        'With `onDestroy: "restore"`: policy of the folder before this resource was created, or at import. Empty if the folder had none, absent if it was not read.',
      ),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`type/location`",
    example: "notes/Common/reports",
    note: "The API cannot show the policy: the one in the program is assumed to be correct, and nothing is sent until it changes.",
  },
  replaceOn: ["type", "location"],
  deleteBeforeReplace: true,
  keys: {
    property: "location",
    of: ({ type, location }) =>
      type === undefined || location === undefined ? [] : [folderPolicyKey({ type, location })],
    knowledgeIn: ({ originalPolicy }) => originalPolicy,
  },
  settledOutputs: ["originalPolicy", "accountId"],
  secrets: [],
  limits: {
    unseen: "the API cannot show the policy of a folder",
    destroy:
      "Leaves the policy as it is, with a warning (`onDestroy: keep`), sets an empty one (`clear`), or sets `destroyPolicy` (`set`). If the folder no longer exists, destroy does nothing.",
  },
  same: { policy: samePolicy, destroyPolicy: samePolicy },
  rules({ onDestroy, destroyPolicy }, report, unknown) {
    if (unknown("onDestroy") || unknown("destroyPolicy")) return;
    if (onDestroy === "set" && !destroyPolicy) report("destroyPolicy", 'is required when onDestroy is "set"');
    if (onDestroy !== "set" && destroyPolicy)
      report("destroyPolicy", `is used only when onDestroy is "set", but it is ${JSON.stringify(onDestroy ?? "keep")}`);
  },
  advise: ({ location, policy, destroyPolicy }) => [
    ...locationAdvice(location),
    ...adviceOn(policy, `the policy of folder ${location ?? ""}`.trimEnd()),
    ...adviceOn(destroyPolicy, `the destroyPolicy of folder ${location ?? ""}`.trimEnd()),
  ],

  fromId(id) {
    const [, kind, location] = /^(\w+)\/(.+)$/.exec(id) ?? [];
    const type = folderTypes.find((known) => known === kind);
    if (!type || !location)
      throw new PlatformError(
        `${JSON.stringify(id)} is not a folder policy id; expected type/location, such as notes/Common/reports, with one of ${folderTypes.join(", ")}`,
        { code: "rejected" },
      );
    return { type, location };
  },

  async create({ api }, inputs) {
    const id = `${inputs.type}/${inputs.location}`;
    await keepIfOpen(id, {}, () => setFolderPolicy(api, inputs, inputs.policy));
    return { id };
  },

  async update({ api }, id, _old, inputs) {
    await keepIfOpen(id, {}, () => setFolderPolicy(api, inputs, inputs.policy));
    return {};
  },

  delete: setAtDestroy,

  kept: (id, { onDestroy = "keep" }) => {
    if (onDestroy === "keep") return staysAsSet(id);
    return onDestroy === "restore"
      ? `the policy of folder ${id} stays on the platform as last set: restoring the original one needs the extended API, so set dataplatform:extendedApi to true before destroy`
      : "";
  },

  extended: {
    limits: {
      refresh: "The policy. Where the installation cannot show it, refresh keeps the state as it is, with a warning.",
      destroy:
        "Leaves the policy as it is, with a warning (`onDestroy: keep`), sets an empty one (`clear`), sets `destroyPolicy` (`set`), or restores the original policy (`restore`). If somebody else has changed the policy since, `restore` leaves it alone, with a warning. If the folder no longer exists, destroy does nothing.",
    },
    importNote:
      "The policy at the time of the import becomes the original policy. Where the installation cannot show it, the one in the program is assumed to be correct, and nothing is sent until it changes.",
    onlyWith: ({ onDestroy }) => (onDestroy === "restore" ? ["onDestroy"] : []),

    async create(context, inputs) {
      const { api, log } = context;
      const { policy, onDestroy } = inputs;
      const id = `${inputs.type}/${inputs.location}`;
      const originalPolicy = onDestroy === "restore" ? await readOriginal(context, inputs) : undefined;
      warnIfAlreadySet({ of: `folder ${id}`, log, policy, originalPolicy });
      // Keep the original in the state, or a retry would save our own policy as the original.
      await keepIfOpen(id, { originalPolicy }, () => setFolderPolicy(api, inputs, policy));
      return { id, originalPolicy };
    },

    async read(context, _id, { type, location, name, ...recorded }) {
      const current = await lookAtFolderPolicy(context, { type: type!, location: location!, name });
      if (current === "unknown") return {};
      if (current !== "absent") return visiblePolicy<Elements>(current, recorded, allOfFolders);
      // A platform may show an empty policy as a missing one.
      return recorded.policy?.length === 0 ? {} : undefined;
    },

    async delete(context, id, state) {
      if (state.onDestroy !== "restore") return setAtDestroy(context, id, state);
      if (staysForGrants(context, id, state)) return;
      await ifThere(context, id, () => restore(context, id, state));
    },

    kept: (id, { onDestroy = "keep" }) => (onDestroy === "keep" ? staysAsSet(id) : ""),
  },
});

type Elements = z.output<typeof folderPolicyElements>;

function staysAsSet(id: string): string {
  return `the policy of folder ${id} stays on the platform as last set (onDestroy is "keep")`;
}

type AtDestroy = PolicyFolder & {
  readonly onDestroy?: "keep" | "clear" | "set" | "restore" | undefined;
  readonly destroyPolicy?: Elements | undefined;
};

async function setAtDestroy(context: Context, id: string, state: AtDestroy): Promise<void> {
  const { onDestroy = "keep", destroyPolicy = [] } = state;
  if (onDestroy === "keep" || onDestroy === "restore" || staysForGrants(context, id, state)) return;
  const wanted = onDestroy === "clear" ? [] : destroyPolicy;
  await ifThere(context, id, () => setFolderPolicy(context.api, state, wanted));
}

/** Whether a grant of this run now adds to the policy. */
function staysForGrants({ log, run }: Context, id: string, folder: PolicyFolder): boolean {
  const sharer = run.sharerOf(folderPolicyKey(folder));
  if (sharer) log.warn(`the policy of folder ${id} stays as last set, because ${sharer} now adds to it`);
  return sharer !== undefined;
}

/** If the folder is gone, there is nothing left to do. */
async function ifThere({ api, log }: Context, id: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(await saysItIsGone(api, error))) throw error;
    log.warn(
      `folder ${id} no longer exists, so its policy was not changed; if the folder was moved or renamed, it keeps its policy`,
    );
  }
}

/** Empty for a folder without a policy. Setting the policy then tells whether there is such a folder. */
async function readOriginal(context: Context, folder: PolicyFolder): Promise<Elements> {
  // If another resource gives up the folder in this run, the current policy is its own, and it knows the original one.
  const inherited = context.run.knowledgeOf(folderPolicyKey(folder)) as Elements | undefined;
  const found = inherited ?? (await lookAtFolderPolicy(context, folder));
  if (found === "absent") return [];
  if (found !== "unknown") return found;
  throw new PlatformError(
    `could not save the policy of folder ${folder.type}/${folder.location}, which onDestroy "restore" restores: this installation of the platform does not allow viewing it. Nothing was changed; set onDestroy to "keep", "clear" or "set"`,
    { code: "rejected", outcome: "not-sent", operation: extendedOperations.viewFolderPolicy.does },
  );
}

type Restorable = PolicyFolder & { readonly policy: Elements; readonly originalPolicy?: Elements | undefined };

async function restore(context: Context, id: string, state: Restorable): Promise<void> {
  const { api, log } = context;
  const { policy, originalPolicy } = state;
  const current = originalPolicy && (await lookAtFolderPolicy(context, state));
  if (current === "unknown")
    return log.warn(
      `the policy of folder ${id} stays: it cannot be viewed, so it is unclear whether somebody else has changed it since it was set here`,
    );
  if (current === "absent" && policy.length > 0)
    return log.warn(
      `folder ${id} no longer exists, or somebody else has removed its policy, so the original one was not restored`,
    );
  const set = (wanted: Policy) => setFolderPolicy(api, state, wanted);
  const managed = { of: `folder ${id}`, log, policy, originalPolicy, set, all: allOfFolders };
  await restorePolicy(managed, async () => (Array.isArray(current) ? current : []));
}

function adviceOn(policy: Policy | undefined, whose: string): string[] {
  return policy ? [...policyAdvice(policy, whose), ...folderActionAdvice(policy, whose)] : [];
}
