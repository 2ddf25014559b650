import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { readResults } from "../platform/commands/results";
import { commandId } from "../values/id";
import { flag, secret } from "../values/simple";

export const getCommandResults = defineFunction({
  name: "getCommandResults",
  doc: `Returns the results of a command that is done.

The platform returns results of less than 20 MB and less than 700 files in its answer; for larger ones it returns their storage locations. A command that is not done has no results: that is an error, which names its status.

Results may hold personal data or credentials, and the provider cannot tell: the result of this function is a secret.`,
  inputs: z.object({
    id: commandId.describe("Id of the command."),
    raw: flag.describe(
      "Keep the separator ^A between columns instead of tabs, so that values may contain tabs. Hive results of less than 1000 rows have tabs anyway. Default: false.",
    ),
    includeHeaders: flag.describe("Return the names of the columns as the first row. Default: false."),
    inline: flag.describe(
      "Set to false to get the storage locations of small results too. Default: the platform decides by size.",
    ),
  }),
  outputs: z.object({
    inline: z.boolean().describe("Whether the results themselves are returned."),
    results: z.string().optional().meta(secret).describe("Results as text, as the platform returns them, if `inline`."),
    rows: z
      .array(z.array(z.string()))
      .optional()
      .meta(secret)
      .describe("Rows of the results, each with its columns as text, if `inline`."),
    locations: z.array(z.string()).optional().describe("Where the results are stored, if not `inline`."),
  }),
  effect: "reads",
  extended: { required: true },
  run: (context, { id, ...query }) => readResults(context, id, query),
});
