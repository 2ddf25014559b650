import { z } from "zod";
import { defineResource } from "../core/define";
import { folders, type PolicyFolder } from "../platform/policies/folders";
import { adoptInput, grantInputs, mergingGrants, sameGrant } from "../platform/policies/grant-inputs";
import { grantsOn } from "../platform/policies/grants";
import { currentLocation, folderName, folderType, locationAdvice } from "../values/folder";
import { folderAction, folderActionAdvice } from "../values/policy";

const members = grantsOn<PolicyFolder, string>(folders);

export const folderGrant = defineResource({
  ...members,
  type: "FolderGrant",
  doc: `What one user or one group may do with a notebook or dashboard folder, without managing the rest of the folder's policy.

The grant is merged into the folder's policy as elements of its own, and taken out again by destroy. All other elements stay as they are, so several resources, stacks and people can grant something on one folder. For this the provider must read the policy, which only the extended API can do. To manage the whole policy, use \`FolderPolicy\`. The two do not go together: in one program that is an error, and in two stacks \`FolderPolicy\` removes the grant when it next sets its policy.

${mergingGrants("folder")}

If the folder is a \`Folder\` resource in the same program, pass its \`currentLocation\` as \`location\`.`,
  extended: { ...members.extended, required: true },
  inputs: z.object({
    type: folderType,
    location: currentLocation,
    ...grantInputs(folderAction, {
      allow:
        "Actions to allow. Known values are `read`, `write` and `all`; others are sent unchanged, with a warning. Set `allow`, `deny` or both.",
      deny: "Actions to deny, as in `allow`. An action that is named in one list is an exception from `all` in the other.",
    }),
    name: folderName,
    adopt: adoptInput,
  }),
  same: sameGrant,
  advise: ({ location, allow = [], deny = [] }) => [
    ...locationAdvice(location),
    ...folderActionAdvice(
      [{ access: "allow", action: [...allow, ...deny] }],
      `the grant on folder ${location ?? ""}`.trimEnd(),
    ),
  ],
});
