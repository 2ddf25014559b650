import { z } from "zod";
import { accountIdOutput, defineResource } from "../core/define";
import { folders, type PolicyFolder } from "../platform/policies/folders";
import {
  actionList,
  adoptInput,
  mergingGrants,
  namedBeforeOutput,
  principalInputs,
  sameActions,
} from "../platform/policies/grant-inputs";
import { grantsOn } from "../platform/policies/grants";
import { folderLocation, folderType, locationAdvice } from "../values/folder";
import { sameId } from "../values/id";
import { folderActionAdvice } from "../values/policy";

const actions = actionList(z.string().min(1, "is empty; expected an action"));

export const folderGrant = defineResource({
  ...grantsOn<PolicyFolder, string>(folders),
  type: "FolderGrant",
  doc: `What one user or one group may do with a notebook or dashboard folder, without managing the rest of the folder's policy.

The grant is merged into the folder's policy as elements of its own, and taken out again by destroy. All other elements stay as they are, so several resources, stacks and people can grant something on one folder. For this the provider must read the policy, which only the extended API can do. To manage the whole policy, use \`FolderPolicy\`. The two do not go together: in one program that is an error, and in two stacks \`FolderPolicy\` removes the grant when it next sets its policy.

The grant stands before elements that may deny what it allows, or allow what it denies. It is not added to a deny-all element at the end of the policy; to deny everything else, add \`deny: ["all"]\`. An element that names the same user or group together with others is left alone; if it contradicts the grant, there is a warning.

${mergingGrants("folder")}

If the folder is a \`Folder\` resource in the same program, pass its \`currentLocation\` as \`location\`.`,
  needsExtendedApi: true,
  inputs: z.object({
    type: folderType,
    location: folderLocation.describe("Current location of the folder, such as `Common/reports`."),
    ...principalInputs,
    allow: actions.describe(
      "Actions to allow. Known values are `read`, `write` and `all`; others are sent unchanged, with a warning. Set `allow`, `deny` or both.",
    ),
    deny: actions.describe(
      "Actions to deny, as in `allow`. An action that is named in one list is an exception from `all` in the other.",
    ),
    name: z
      .string()
      .min(1, "is empty; omit it instead")
      .optional()
      .describe("Name of the folder. It is sent with the policy; the API's manual shows it only in examples."),
    adopt: adoptInput,
  }),
  outputs: z.object({
    namedBefore: namedBeforeOutput,
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`type/location/user:ID` or `type/location/group:ID`",
    example: "notes/Common/reports/group:204",
    note: "Takes over the elements that name this user or group alone, and that list their actions.",
  },
  replaceOn: ["type", "location", "user", "group"],
  limits: {
    refresh:
      "What the policy says about this user or group alone. A grant that the platform has rewritten, or merged with others of the same actions, is not drift. If the whole policy is empty, the next `up` adds the grant again. Where the installation cannot show the policy, the state is kept, with a warning.",
    destroy:
      "Takes the grant out of the policy. What somebody else has granted the same user or group since stays, with a warning. If the folder no longer exists, destroy does nothing.",
  },
  same: { user: sameId, group: sameId, allow: sameActions, deny: sameActions },
  advise: ({ location, allow = [], deny = [] }) => [
    ...locationAdvice(location),
    ...folderActionAdvice(
      [{ access: "allow", action: [...allow, ...deny] }],
      `the grant on folder ${location ?? ""}`.trimEnd(),
    ),
  ],
});
