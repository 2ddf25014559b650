import { z } from "zod";
import { defineResource } from "../core/define";
import { adoptInput, grantInputs, mergingGrants, sameGrant } from "../platform/policies/grant-inputs";
import { grantsOn } from "../platform/policies/grants";
import { objects, onlyWithExtendedApi, type PolicySource, sourceType } from "../platform/policies/objects";
import { sameId, textId } from "../values/id";
import { objectAction, type objectActions } from "../values/policy";

const members = grantsOn<PolicySource, (typeof objectActions)[number]>(objects);

export const objectGrant = defineResource({
  ...members,
  type: "ObjectGrant",
  doc: `What one user or one group may do with a notebook, a cluster, a scheduler or, with the extended API, a package environment, without managing the rest of the object's policy.

The grant is merged into the object's policy as elements of its own, and taken out again by destroy. All other elements stay as they are, so several resources, stacks and people can grant something on one object. To manage the whole policy, use \`ObjectPolicy\`. The two do not go together: in one program that is an error, and in two stacks \`ObjectPolicy\` removes the grant at its next \`up\`.

${mergingGrants("object")}`,
  inputs: z.object({
    sourceType: sourceType.describe(
      "Type of the object: `note` (a notebook), `cluster`, `scheduler` or `environment` (a package environment). An `environment` needs the extended API.",
    ),
    sourceId: textId.describe("Id of the object."),
    ...grantInputs(objectAction, {
      allow:
        "Actions to allow: `read` (view), `update` (edit), `delete`, `manage` (manage permissions), `all` (view, edit and delete, but not `manage`). Set `allow`, `deny` or both.",
      deny: 'Actions to deny, as in `allow`. An action that is named in one list is an exception from `all` in the other: `allow: ["all"]` with `deny: ["delete"]` is written as `read` and `update` allowed, and `delete` denied.',
    }),
    adopt: adoptInput,
  }),
  same: { sourceId: sameId, ...sameGrant },
  extended: { ...members.extended, onlyWith: onlyWithExtendedApi },
});
