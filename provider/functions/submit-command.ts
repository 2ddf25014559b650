import { randomUUID } from "node:crypto";
import { z } from "zod";
import { submitVariable } from "../api/settings";
import { defineFunction } from "../core/define-function";
import { tagOf } from "../platform/commands/history";
import { commandAdvice, commandInputs, commandRules } from "../platform/commands/inputs";
import { commandOutputs, outputsFrom } from "../platform/commands/record";
import { submit } from "../platform/commands/submit";
import { extendedWaitOptions, waitForEnd, waitInput } from "../platform/commands/wait";

export const submitCommand = defineFunction({
  name: "submitCommand",
  doc: `Submits a Spark, S3DistCp or table-refresh command to the platform.

**It submits the command on every \`pulumi up\`**, whether or not anything changed, and also on \`pulumi refresh\` and \`pulumi destroy\` with \`--run-program\`, which run the program too. To run a command once, or only when something changes, use a \`Command\` resource.

Set exactly one of \`spark\`, \`s3DistCp\` and \`tableRefresh\`. A lost response never submits a command twice: each submission carries a unique tag, and the provider searches the command history for it. If it is not found, the error names the tag, and nothing is resent.

With the extended API (\`dataplatform:extendedApi\`) the wait reads the command itself instead of the history, the error of a failed command contains the end of its log, and the wait can kill the command when it ends early.`,
  inputs: z.object({ ...commandInputs, wait: waitInput }),
  outputs: z.object({ id: z.string().describe("Id of the command."), ...commandOutputs }),
  effect: "submits",
  extended: { onlyWith: ({ wait }) => extendedWaitOptions(wait) },
  rules(known, report, unknown) {
    commandRules(known, report, unknown);
    if (process.env[submitVariable] === "refuse")
      report(
        (["s3DistCp", "tableRefresh"] as const).find((kind) => known[kind] !== undefined) ?? "spark",
        `is not submitted: ${submitVariable} is "refuse", as in the pipeline, because no plan shows what this function does; declare a Command resource, or have ${submitVariable} set to allow`,
      );
  },
  async run(context, { wait, ...inputs }) {
    for (const advice of commandAdvice(inputs)) context.log.warn(advice);
    const submitted = await submit(context, inputs, tagOf(randomUUID()));
    const command = wait ? await waitForEnd(context, submitted, wait, inputs.timeout) : submitted;
    return { id: String(command.id), ...outputsFrom(command) };
  },
});
