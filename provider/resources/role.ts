import { z } from "zod";
import { defineResource } from "../core/define";
import { roles } from "../platform/roles";
import { pathSegment } from "../values/path-segment";
import {
  adviseOnRolePolicy,
  encodeRolePolicy,
  isWrittenOut,
  rolePolicyElements,
  sameRolePolicy,
} from "../values/role-policy";
import { flag } from "../values/simple";

const inputs = z.object({
  name: pathSegment.describe("Name of the role, unique in the account."),
  policies: rolePolicyElements.describe("What the role allows and denies. What no element allows is denied."),
  adopt: flag.describe(
    "Take over a role with this name if there is one, instead of failing. Its policies are replaced, and destroying the resource deletes it. Default: false.",
  ),
});

export const role = defineResource({
  type: "Role",
  doc: `A role: what the members of its groups may do.

Assign it to groups with \`GroupRoleAssignment\`, or with the \`roles\` of a \`Group\`. The order of actions has no meaning. The order of elements counts only where one element allows and another denies something about the same resource.`,
  inputs,
  ...roles.life<z.output<typeof inputs>>("309", {
    fieldsOf: ({ policies }) => ({ policies: encodeRolePolicy(policies) }),
    shownIn({ policies: shown }, { policies }) {
      const isSame = shown && policies && isWrittenOut(shown, policies);
      return { policies: isSame ? policies : shown };
    },
  }),
  limits: {},
  same: { policies: sameRolePolicy },
  advise: ({ policies = [] }) => adviseOnRolePolicy(policies),
});
