import { z } from "zod";
import { accountIdOutput, defineResource } from "../core/define";
import {
  actionList,
  adoptInput,
  mergingGrants,
  namedBeforeOutput,
  principalInputs,
  sameActions,
} from "../platform/policies/grant-inputs";
import { grantsOn } from "../platform/policies/grants";
import { objects, onlyWithExtendedApi, type PolicySource, sourceTypes } from "../platform/policies/objects";
import { sameId, textId } from "../values/id";
import { objectAction, type objectActions } from "../values/policy";

const members = grantsOn<PolicySource, (typeof objectActions)[number]>(objects);
const actions = actionList(objectAction);

export const objectGrant = defineResource({
  ...members,
  type: "ObjectGrant",
  doc: `What one user or one group may do with a notebook, a cluster, a scheduler or, with the extended API, a package environment, without managing the rest of the object's policy.

The grant is merged into the object's policy as elements of its own, and taken out again by destroy. All other elements stay as they are, so several resources, stacks and people can grant something on one object. To manage the whole policy, use \`ObjectPolicy\`. The two do not go together: in one program that is an error, and in two stacks \`ObjectPolicy\` removes the grant at its next \`up\`.

The grant stands before elements that may deny what it allows, or allow what it denies. It is not added to the deny-all element with which policies from the user interface end; to deny everything else, add \`deny: ["all"]\`. An element that names the same user or group together with others is left alone; if it contradicts the grant, there is a warning.

${mergingGrants("object")}`,
  inputs: z.object({
    sourceType: z
      .enum(sourceTypes)
      .meta({ schemaName: "ObjectSourceType" })
      .describe(
        "Type of the object: `note` (a notebook), `cluster`, `scheduler` or `environment` (a package environment). An `environment` needs the extended API.",
      ),
    sourceId: textId.describe("Id of the object."),
    ...principalInputs,
    allow: actions.describe(
      "Actions to allow: `read` (view), `update` (edit), `delete`, `manage` (manage permissions), `all` (view, edit and delete, but not `manage`). Set `allow`, `deny` or both.",
    ),
    deny: actions.describe(
      'Actions to deny, as in `allow`. An action that is named in one list is an exception from `all` in the other: `allow: ["all"]` with `deny: ["delete"]` is written as `read` and `update` allowed, and `delete` denied.',
    ),
    adopt: adoptInput,
  }),
  outputs: z.object({
    namedBefore: namedBeforeOutput,
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`sourceType/sourceId/user:ID` or `sourceType/sourceId/group:ID`",
    example: "note/501/user:104",
    note: "Takes over the elements that name this user or group alone, and that list their actions.",
  },
  replaceOn: ["sourceType", "sourceId", "user", "group"],
  limits: {
    refresh:
      "What the policy says about this user or group alone. A grant that the platform has rewritten, or merged with others of the same actions, is not drift. If the whole policy is empty, the next `up` adds the grant again. If the token may not view the policy, the state is kept, with a warning.",
    destroy:
      "Takes the grant out of the policy. What somebody else has granted the same user or group since stays, with a warning. If the object itself is gone, destroy does nothing.",
  },
  same: { sourceId: sameId, user: sameId, group: sameId, allow: sameActions, deny: sameActions },
  extended: {
    ...members.extended,
    onlyWith: onlyWithExtendedApi,
  },
});
