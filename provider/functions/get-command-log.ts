import { z } from "zod";
import { extendedOperations } from "../api/extended-operations";
import { defineFunction } from "../core/define-function";
import { lastLines, readLog } from "../platform/commands/results";
import { required } from "../platform/lacking";
import { commandId } from "../values/id";
import { atLeast, flag, secret } from "../values/simple";

export const getCommandLog = defineFunction({
  name: "getCommandLog",
  doc: `Returns the log of a command, as far as it has been written.

A log may quote what the command was given, and the provider cannot tell whether that is confidential: the result of this function is a secret. A log of more than 32 MiB is an error; \`lastLines\` does not change that, because the platform always sends the whole log.`,
  inputs: z.object({
    id: commandId.describe("Id of the command."),
    errorOnly: flag.describe("Return only the error log, which is empty unless the command failed. Default: false."),
    lastLines: atLeast(1)
      .optional()
      .describe("Maximum number of lines to return, from the end of the log. Default: all."),
  }),
  outputs: z.object({ log: z.string().meta(secret).describe("The log as text; empty if there is none yet.") }),
  effect: "reads",
  extended: { required: true },
  async run({ api }, { id, errorOnly, lastLines: count }) {
    const operation = extendedOperations[errorOnly ? "commandErrorLog" : "commandLog"];
    const log = await required(operation, () => readLog(api, id, operation), `command ${id}`);
    return { log: count === undefined ? log : lastLines(log, count) };
  },
});
