import { z } from "zod";
import { accountIdOutput, defineResource, keepIfOpen } from "../core/define";
import { isNumeric } from "../platform/references";
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
  extended: { required: true },
  inputs,
  outputs: z.object({
    source: z.string().optional().describe("Who made the role: `user-defined`, if the platform shows it."),
    accountId: accountIdOutput,
  }),
  importId: { format: "the role's id, or its name", example: "309" },
  replaceOn: [],
  keys: { property: "name", of: ({ name }) => (name === undefined ? [] : [roles.keyOf(name)]) },
  settledOutputs: ["source", "accountId"],
  limits: {},
  same: { policies: sameRolePolicy },
  rules: roles.rules,
  foresee: roles.foresee,
  advise: ({ policies = [] }) => adviseOnRolePolicy(policies),

  async create(context, given) {
    const { name } = given;
    const policies = encodeRolePolicy(given.policies);
    const existing = await roles.existing(context, given);
    const visible = existing?.policies;
    const id = String(existing?.id);
    if (existing && !(visible && sameRolePolicy(visible, given.policies)))
      await keepIfOpen(id, {}, () => roles.change(context, id, name, { policies }));
    const record = existing ?? (await roles.create(context, name, { name, policies }));
    return { id: String(record?.id ?? name), ...roles.outputsOf(record) };
  },

  list: roles.list,

  async read(context, id, { name, policies: recorded }) {
    const found = await roles.lookByState(context, id, name);
    if (found === "gone") return undefined;
    if (found === "unknown") return {};
    const { id: ownId, name: shown, policies } = found;
    const isSame = policies && recorded && isWrittenOut(policies, recorded);
    const visible = { name: shown || undefined, policies: isSame ? recorded : policies };
    return { id: String(ownId), ...visible, ...roles.outputsOf(found) };
  },

  async update(context, id, old, given, { redo }) {
    const target = await roles.currentId(context, id, old.name);
    if (target === undefined) {
      if (!redo || isNumeric(id)) throw roles.noLongerThere(old.name);
      // Its creation had an open outcome, and nothing came of it.
      const body = { name: given.name, policies: encodeRolePolicy(given.policies) };
      return roles.outputsOf(await roles.create(context, given.name, body));
    }
    const body = {
      ...((redo || given.name !== old.name) && { name: given.name }),
      ...((redo || !sameRolePolicy(given.policies, old.policies)) && { policies: encodeRolePolicy(given.policies) }),
    };
    if (Object.keys(body).length > 0) await keepIfOpen(id, {}, () => roles.change(context, target, given.name, body));
    return {};
  },

  delete: roles.remove,
});
