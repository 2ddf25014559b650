import { z } from "zod";
import { PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { accountIdOutput, type Context, defineResource, keepIfOpen } from "../core/define";
import { attempt, cannotDo } from "../core/extended";
import { importable } from "../platform/listing";
import { afterCreate, outputsOf, targetOf } from "../platform/named-things";
import { isNumeric } from "../platform/references";
import {
  createRole,
  deleteRole,
  isSystemRole,
  lookForRole,
  type RoleRecord,
  rolesOf,
  systemRoles,
  updateRole,
} from "../platform/roles";
import { pathSegment } from "../values/path-segment";
import {
  adviseOnRolePolicy,
  encodeRolePolicy,
  isWrittenOut,
  rolePolicyElements,
  sameRolePolicy,
} from "../values/role-policy";

const inputs = z.object({
  name: pathSegment.describe("Name of the role, which no other role of the account has."),
  policies: rolePolicyElements.describe("What the role allows and denies. What no element allows is denied."),
  adopt: z
    .boolean()
    .optional()
    .describe(
      "Take over a role with this name if there is one, instead of failing. Its policies are replaced, and destroying the resource deletes it. Default: false.",
    ),
});
type Inputs = z.output<typeof inputs>;

export const role = defineResource({
  type: "Role",
  doc: `A role: what the members of its groups may do.

Assign it to groups with \`GroupRoleAssignment\`, or with the \`roles\` of a \`Group\`. The order of actions has no meaning. The order of elements counts only where one element allows and another denies something about the same resource.`,
  needsExtendedApi: true,
  inputs,
  outputs: z.object({
    source: z.string().optional().describe("Who made the role: `user-defined`, if the platform shows it."),
    accountId: accountIdOutput,
  }),
  importId: { format: "the role's id, or its name", example: "309" },
  replaceOn: [],
  keys: { property: "name", of: ({ name }) => (name === undefined ? [] : [roleKey(name)]) },
  settledOutputs: ["source", "accountId"],
  secrets: [],
  limits: {},
  same: { policies: sameRolePolicy },
  rules({ name }, report) {
    if (name === undefined) return;
    if (isNumeric(name)) report("name", `is "${name}", which the API reads as an id; use a name with a letter in it`);
    if (systemRoles.includes(name)) report("name", `is "${name}", a system role, which cannot be changed`);
  },
  advise: ({ policies = [] }) => adviseOnRolePolicy(policies),

  async create(context, given) {
    const { name, policies } = given;
    const listed = await attempt(context, extendedOperations.listRoles, () => rolesOf(context.api).fresh());
    const existing = listed?.result.find((one) => one.name === name);
    if (existing) return takeOver(context, existing, given);
    try {
      const record = await createRole(context, name, encodeRolePolicy(policies));
      return { id: String(record?.id ?? name), ...outputsOf(record) };
    } catch (error) {
      throw afterCreate("Role", error, name);
    }
  },

  /** Without the system roles, which no program can declare. */
  list: ({ api }) => importable(extendedOperations.listRoles, rolesOf(api), isSystemRole),

  async read(context, id, { name, policies: recorded }) {
    const found = await lookForRole(context, targetOf(id, name));
    if (found === "gone") return undefined;
    if (found === "unknown") return {};
    if (isSystemRole(found)) throw isSystem(found);
    return { id: String(found.id), ...visibleInputs(found, recorded), ...outputsOf(found) };
  },

  async update(context, id, old, given, { redo }) {
    const target = await currentId(context, id, old.name);
    if (target === undefined) {
      if (!redo || isNumeric(id)) throw noLongerThere(old.name);
      // Its creation had an open outcome, and nothing came of it.
      return outputsOf(await createRole(context, given.name, encodeRolePolicy(given.policies)));
    }
    const body = {
      ...((redo || given.name !== old.name) && { name: given.name }),
      ...((redo || !sameRolePolicy(given.policies, old.policies)) && { policies: encodeRolePolicy(given.policies) }),
    };
    if (Object.keys(body).length > 0) await keepIfOpen(id, {}, () => change(context, target, given.name, body));
    return {};
  },

  async delete(context, id, { name }) {
    const target = (await currentId(context, id, name)) ?? id;
    if ((await deleteRole(context, target)) === "lacking")
      context.log.warn(
        `role ${name} (id ${id}) stays on the platform: this installation cannot delete a role. Delete it in the platform's user interface if it is no longer needed.`,
      );
  },
});

function roleKey(name: string): string {
  return `role ${name}`;
}

/** Undefined if there is no such role. */
async function currentId(context: Context, id: string, name: string): Promise<string | undefined> {
  if (isNumeric(id)) return id;
  const found = await lookForRole(context, name);
  if (found === "gone") return undefined;
  return found === "unknown" ? name : String(found.id);
}

async function takeOver(context: Context, existing: RoleRecord, { name, policies, adopt }: Inputs) {
  if (isSystemRole(existing)) throw isSystem(existing);
  const id = String(existing.id);
  if (!adopt && !context.run.isOwned(roleKey(name)))
    throw new PlatformError(
      `role ${name} already exists (id ${id}). If this resource was renamed or moved, give it an alias with its old name (docs/moving.md). To take over the role, set adopt: true, or import it: pulumi import dataplatform:index:Role <name> ${id}`,
      { code: "conflict" },
    );
  const visible = policiesOf(existing);
  if (!visible || !sameRolePolicy(visible, policies))
    await keepIfOpen(id, {}, () => change(context, id, name, { policies: encodeRolePolicy(policies) }));
  return { id, ...outputsOf(existing) };
}

async function change(context: Context, id: string, name: string, body: Parameters<typeof updateRole>[2]) {
  const updated = await updateRole(context, id, body);
  if (updated === "gone") throw noLongerThere(name);
  if (updated === "lacking") throw cannotDo(extendedOperations.updateRole, `role ${name} (id ${id}) was not changed`);
}

function isSystem({ id, name }: RoleRecord): PlatformError {
  return new PlatformError(
    `role ${name ?? id} is a system role, which cannot be changed or deleted; create a role of your own instead`,
    { code: "rejected" },
  );
}

function noLongerThere(name: string): PlatformError {
  return new PlatformError(
    `role ${name} no longer exists; run "pulumi refresh", then "pulumi up" to create it again. Groups that had it must get it again`,
    { code: "not-found", operation: extendedOperations.updateRole.does },
  );
}

function policiesOf({ policy, policies }: RoleRecord) {
  return policy ?? policies;
}

/** What the platform shows, in terms of the inputs. */
function visibleInputs(record: RoleRecord, recorded: Inputs["policies"] | undefined): Partial<Inputs> {
  const shown = policiesOf(record);
  const policies = shown && recorded && isWrittenOut(shown, recorded) ? recorded : shown;
  return { ...(record.name && { name: record.name }), ...(policies && { policies: policies as Inputs["policies"] }) };
}
