import { z } from "zod";
import { accountIdOutput, defineResource } from "../core/define";
import { folders, type PolicyFolder } from "../platform/policies/folders";
import { policiesOn } from "../platform/policies/whole";
import { currentLocation, folderName, folderType, locationAdvice } from "../values/folder";
import { folderActionAdvice, folderPolicyElements, type Policy, policyAdvice, samePolicy } from "../values/policy";

const { read, ...members } = policiesOn<PolicyFolder, z.output<typeof folderPolicyElements>[number]>(folders, {
  onDestroy: "keep",
  withoutRestore: 'set onDestroy to "keep", "clear" or "set"',
});

export const folderPolicy = defineResource({
  ...members,
  type: "FolderPolicy",
  doc: `The access policy of a notebook or dashboard folder.

A folder has one policy, and this resource manages all of it: it overwrites what others set. To grant something on a folder without managing the rest of its policy, use \`FolderGrant\`, but not for the same folder: this resource removes the grants of other stacks when it next sets the policy, and in one program the two are an error. The specified API cannot show the policy of a folder, so destroy cannot restore the previous one: choose with \`onDestroy\` what destroy leaves behind. With the extended API (\`dataplatform:extendedApi\`) refresh reads the policy, and \`onDestroy: "restore"\` restores the previous one.

If the folder is a \`Folder\` resource in the same program, pass its \`currentLocation\` as \`location\`.`,
  inputs: z.object({
    type: folderType,
    location: currentLocation,
    policy: folderPolicyElements.describe(
      "Policy elements, in the order they are sent. The order of actions and ids within an element does not matter.",
    ),
    name: folderName,
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
    ...members.importId,
    note: "The API cannot show the policy: the one in the program is assumed to be correct, and nothing is sent until it changes.",
  },
  limits: {
    ...members.limits,
    thing: "the policy of a folder",
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

  extended: {
    ...members.extended,
    read,
    limits: {
      ...members.extended.limits,
      refresh: "The policy. Where the installation cannot show it, refresh keeps the state as it is, with a warning.",
      destroy:
        "Leaves the policy as it is, with a warning (`onDestroy: keep`), sets an empty one (`clear`), sets `destroyPolicy` (`set`), or restores the original policy (`restore`). If somebody else has changed the policy since, `restore` leaves it alone, with a warning. If the folder no longer exists, destroy does nothing.",
    },
    importId: {
      ...members.extended.importId,
      note: "The policy at the time of the import becomes the original policy. Where the installation cannot show it, the one in the program is assumed to be correct, and nothing is sent until it changes.",
    },
    onlyWith: ({ onDestroy }) => (onDestroy === "restore" ? ["onDestroy"] : []),
  },
});

function adviceOn(policy: Policy | undefined, whose: string): string[] {
  return policy ? [...policyAdvice(policy, whose, '["all"]'), ...folderActionAdvice(policy, whose)] : [];
}
