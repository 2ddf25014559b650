import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { groups } from "../platform/groups";
import { told } from "../values/fields";
import { outputId } from "../values/id";

const group = z
  .object({
    id: z.int().describe("Id of the group, which is also the import id of a `Group`."),
    name: z.string().optional().describe("Name of the group."),
    source: z.string().optional().describe("`system` for a group that every account has, if the platform shows it."),
  })
  .meta({ id: "PlatformGroup", description: "A group of users." });

export const getGroups = defineFunction({
  name: "getGroups",
  doc: "Returns the groups of the account.",
  extended: { required: true },
  inputs: z.object({}),
  outputs: z.object({ groups: z.array(group).describe("Groups, in the platform's order.") }),
  effect: "reads",
  async run(context) {
    const records = await groups.all(context);
    return { groups: records.map((record) => ({ ...told(group.shape, record), id: outputId(record.id) })) };
  },
});
