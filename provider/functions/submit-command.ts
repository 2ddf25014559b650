import { randomUUID } from "node:crypto";
import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { commandInputs, commandRules } from "../platform/commands/inputs";
import { commandOutputs, shownOutputs } from "../platform/commands/record";
import { submit, tagOf } from "../platform/commands/submit";
import { waitForEnd, waitInput } from "../platform/commands/wait";

export const submitCommand = defineFunction({
  name: "submitCommand",
  doc: `Submits a Spark, S3DistCp or table-refresh command to the platform.

**It is sent at every \`pulumi up\`**, changed or not. What is to run once, or only when something changes, is a \`Command\` resource.

Give exactly one of \`spark\`, \`s3DistCp\` and \`tableRefresh\`. A lost answer never submits twice: every submission carries a tag of its own, by which it is looked for in the history; what is not found there is an error that names the tag, and is never sent again by itself.`,
  inputs: z.object({ ...commandInputs, wait: waitInput }),
  outputs: z.object({ id: z.string().describe("Id of the command."), ...commandOutputs }),
  secrets: ["s3DistCp.encryptionKey"],
  effect: "submits",
  rules: commandRules,
  async run(context, { wait, ...inputs }) {
    const submitted = await submit(context, inputs, tagOf(randomUUID()));
    const command = wait ? await waitForEnd(context, submitted, wait, inputs.timeout) : submitted;
    return { id: String(command.id), ...shownOutputs(command) };
  },
});
