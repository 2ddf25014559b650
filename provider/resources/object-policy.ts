import { z } from "zod";
import { accountIdOutput, defineResource } from "../core/define";
import { objects, onlyWithExtendedApi, type PolicySource, sourceType } from "../platform/policies/objects";
import { policiesOn } from "../platform/policies/whole";
import { sameId, textId } from "../values/id";
import { objectPolicyElements, policyAdvice, samePolicy } from "../values/policy";

const members = policiesOn<PolicySource, z.output<typeof objectPolicyElements>[number]>(objects, {
  onDestroy: "restore",
  withoutRestore: 'set onDestroy to "clear" or "keep"',
});

export const objectPolicy = defineResource({
  ...members,
  type: "ObjectPolicy",
  doc: `The access policy of a notebook, a cluster, a scheduler or, with the extended API, a package environment.

An object has one policy, and this resource manages all of it: it overwrites what others set, and two stacks that declare a policy for the same object overwrite each other, so declare it in one of them. To grant something on an object without managing the rest of its policy, use \`ObjectGrant\`, but not for the same object: this resource removes the grants of other stacks at its next \`up\`, and in one program the two are an error. The policy found at the first \`up\` is saved in \`originalPolicy\` and restored by destroy. That needs permission to view the policy; \`onDestroy: "clear"\` and \`"keep"\` do not.

\`all\` has the lowest priority: \`read\`, \`update\` and \`delete\` override it. A user who is explicitly allowed is allowed even if one of the user's groups is denied, and vice versa. Policies created in the user interface end with a deny-all element for the users and groups they list; a policy without one is valid but causes a warning. \`explain\` shows what a policy means for a user.`,
  inputs: z.object({
    sourceType: sourceType.describe(
      "Type of the object: `note` (a notebook), `cluster`, `scheduler` or `environment` (a package environment). The specified API cannot set the policy of an `environment`: that needs the extended API.",
    ),
    sourceId: textId.describe("Id of the object."),
    policy: objectPolicyElements.describe(
      "Policy elements, in the order they are sent. The order of actions and ids within an element does not matter.",
    ),
    onDestroy: z
      .enum(["restore", "clear", "keep"])
      .optional()
      .describe(
        "What destroy does: `restore` restores the original policy, `clear` sets an empty policy, `keep` leaves the policy as it is. Default: `restore`.",
      ),
  }),
  outputs: z.object({
    originalPolicy: objectPolicyElements.describe(
      "Policy of the object before this resource was created, or at import. Empty if the object had none, absent if it was not read.",
    ),
    accountId: accountIdOutput,
  }),
  importId: {
    ...members.importId,
    note: "The policy at the time of the import becomes the original policy, which destroy restores.",
  },
  limits: {
    ...members.limits,
    destroy:
      "Restores the original policy (`onDestroy: restore`), sets an empty one (`clear`), or leaves it as it is (`keep`). If somebody else has changed the policy since, `restore` leaves it alone, with a warning. If the object itself is gone, destroy does nothing.",
  },
  same: { policy: samePolicy, sourceId: sameId },
  advise: ({ sourceType, sourceId, policy }) =>
    policy ? policyAdvice(policy, `the policy of ${sourceType ?? "object"} ${sourceId ?? ""}`.trimEnd()) : [],
  extended: { ...members.extended, onlyWith: onlyWithExtendedApi },
});
