import { z } from "zod";
import { commandInputs, commandRules } from "../commands/inputs";
import { commandOutputs, shownOutputs } from "../commands/record";
import { submit } from "../commands/submit";
import { waitForEnd, waitInput } from "../commands/wait";
import { defineFunction } from "../core/define-function";

export const submitCommand = defineFunction({
  name: "submitCommand",
  doc: `Submits a Spark, S3DistCp or table-refresh command to the platform.

**It is sent at every \`pulumi up\`**, changed or not. What is to run once, or only when something changes, is a \`Command\` resource.

Give exactly one of \`spark\`, \`s3DistCp\` and \`tableRefresh\`. A lost answer never submits twice: every submission carries a tag of its own, by which it is looked for in the history before anything is repeated.`,
  inputs: z.object({ ...commandInputs, wait: waitInput }),
  outputs: z.object({ id: z.string().describe("Id of the command."), ...commandOutputs }),
  secrets: ["s3DistCp.encryptionKey"],
  effect: "submits",
  rules: commandRules,
  async run(context, { wait, ...inputs }) {
    const submitted = await submit(context, inputs);
    const command = wait ? await waitForEnd(context, submitted, wait, inputs.timeout) : submitted;
    return { id: String(command.id), ...shownOutputs(command) };
  },
});
