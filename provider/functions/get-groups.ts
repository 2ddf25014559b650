import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { groups } from "../platform/groups";
import { asNumber } from "../values/id";

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
  needsExtendedApi: true,
  inputs: z.object({}),
  outputs: z.object({ groups: z.array(group).describe("Groups, in the platform's order.") }),
  secrets: [],
  effect: "reads",
  async run({ api }) {
    const records = await groups.all(api);
    return {
      groups: records.map(({ id, name, source }) => ({
        // The schema promises a number, which holds on platforms with numeric ids.
        id: asNumber(id) as number,
        name: name ?? undefined,
        source: source ?? undefined,
      })),
    };
  },
});
