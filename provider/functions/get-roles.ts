import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { roles } from "../platform/roles";
import { told } from "../values/fields";
import { outputId } from "../values/id";
import { rolePolicyElements } from "../values/role-policy";

const role = z
  .object({
    id: z.int().describe("Id of the role, which is also the import id of a `Role`."),
    name: z.string().optional().describe("Name of the role."),
    source: z
      .string()
      .optional()
      .describe("`system` for a role that every account has, `user-defined` for others, if the platform shows it."),
    policies: rolePolicyElements.optional().describe("What the role allows and denies, if the platform shows it."),
  })
  .meta({ id: "PlatformRole", description: "A role, which groups can have." });

export const getRoles = defineFunction({
  name: "getRoles",
  doc: "Returns the roles of the account.",
  extended: { required: true },
  inputs: z.object({}),
  outputs: z.object({ roles: z.array(role).describe("Roles, in the platform's order.") }),
  effect: "reads",
  async run(context) {
    const records = await roles.all(context);
    return {
      roles: records.map((record) => ({
        ...told(role.shape, record),
        id: outputId(record.id),
        policies: record.policies,
      })),
    };
  },
});
