import { z } from "zod";

const text = z.string().min(1, "must not be empty");

/** Exactly one of these says what to run. */
const sources = ["program", "sql", "scriptLocation", "cmdline"] as const;
/** The other Spark parameters, none of which goes with a full command line. */
const besideCmdline = ["arguments", "userProgramArguments", "retry", "retryDelay", "appId", "pool"] as const;

export const spark = z
  .strictObject({
    program: text.optional().describe("Complete text of the program, in the language that `language` says."),
    sql: text.optional().describe("Text of the query."),
    scriptLocation: text
      .optional()
      .describe("Path of a stored script in object storage, read with the account's storage credentials."),
    cmdline: text
      .optional()
      .describe("The full spark-submit command line. No other property of `spark` goes with it but `language`."),
    language: text
      .optional()
      .describe(
        "Language of the program. Seen in use are `scala`, `python`, `py`, `R`, `sql` and `command_line`, spelled exactly so; others are sent as they are, with a warning. With `sql` and `cmdline` it follows by itself.",
      ),
    arguments: z.string().optional().describe("Arguments of spark-submit."),
    userProgramArguments: z.string().optional().describe("Arguments of the program."),
    retry: z
      .int()
      .min(1, "must be 1, 2 or 3")
      .max(3, "must be 1, 2 or 3")
      .optional()
      .describe("How often to retry after a failure: 1, 2 or 3."),
    retryDelay: z
      .int()
      .min(0, "must be at least 0")
      .optional()
      .describe("Interval between retries. The API's manual does not say in which unit."),
    appId: text.optional().describe("Application of the job server, whose configuration is used. Needs `label`."),
    pool: text.optional().describe("Pool of the fair scheduler."),
  })
  .superRefine((given, context) => {
    const report = (path: string | undefined, message: string): void =>
      context.addIssue({ code: "custom", path: path === undefined ? [] : [path], message });
    const named = sources.filter((name) => given[name] !== undefined);
    if (named.length === 0) report(undefined, `says nothing to run; give exactly one of ${sources.join(", ")}`);
    if (named.length > 1)
      report(named[1], `must not be combined with ${named[0]}; give exactly one of ${sources.join(", ")}`);
    if (given.cmdline !== undefined)
      for (const name of besideCmdline)
        if (given[name] !== undefined) report(name, "must not be combined with cmdline, which says everything itself");
    checkLanguage(given, report);
  })
  .meta({
    id: "SparkCommand",
    description: "A Spark command: exactly one of `program`, `sql`, `scriptLocation` and `cmdline`.",
  });
export type Spark = z.output<typeof spark>;

function checkLanguage(
  { sql, cmdline, language }: Pick<Spark, "sql" | "cmdline" | "language">,
  report: (path: string, message: string) => void,
): void {
  if (sql !== undefined && language !== undefined && language !== "sql")
    report("language", `is ${JSON.stringify(language)}; with sql it must be "sql", or be left out`);
  if (cmdline !== undefined && language !== undefined && language !== "command_line")
    report("language", `is ${JSON.stringify(language)}; with cmdline it must be "command_line", or be left out`);
}

const knownLanguages = ["scala", "python", "py", "R", "sql", "command_line"];

export function sparkAdvice({ program, language }: Spark): string[] {
  if (program !== undefined && language === undefined)
    return ["spark.program is given without spark.language; the platform may not know how to run it"];
  if (language === undefined || knownLanguages.includes(language)) return [];
  return [
    `spark.language is ${JSON.stringify(language)}; known are ${knownLanguages.join(", ")}, and the platform may refuse others`,
  ];
}

export function sparkBody(given: Spark): Record<string, unknown> {
  const implied = given.sql !== undefined ? "sql" : given.cmdline !== undefined ? "command_line" : undefined;
  return {
    command_type: "SparkCommand",
    program: given.program,
    sql: given.sql,
    script_location: given.scriptLocation,
    cmdline: given.cmdline,
    language: given.language ?? implied,
    arguments: given.arguments,
    user_program_arguments: given.userProgramArguments,
    retry: given.retry,
    retry_delay: given.retryDelay,
    app_id: given.appId,
    pool: given.pool,
  };
}
