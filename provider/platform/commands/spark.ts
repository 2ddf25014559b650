import { z } from "zod";
import { fieldsOf } from "../../values/fields";

const text = z.string().min(1, "must not be empty").optional();

/** Exactly one of these must be set. */
const sources = ["program", "sql", "scriptLocation", "cmdline"] as const;
/** Spark parameters that cannot be combined with a full command line. */
const notWithCmdline = ["arguments", "userProgramArguments", "retry", "retryDelay", "appId", "pool"] as const;

export const spark = z
  .strictObject({
    program: text.describe(
      "Source code of the program, in the language given by `language`. A large program needs a feature that is enabled per account on request.",
    ),
    sql: text.describe("SQL query to run."),
    scriptLocation: text.describe(
      "Path of a script in object storage, read with the account's storage credentials. A large script needs a feature that is enabled per account on request.",
    ),
    cmdline: text.describe(
      "Full spark-submit command line. Cannot be combined with other properties of `spark` except `language`.",
    ),
    language: text.describe(
      "Language of the program. Known values, spelled exactly like this: `scala`, `python`, `py`, `R`, `sql`, `command_line`; others are sent unchanged, with a warning. Default: `sql` with `sql`, `command_line` with `cmdline`.",
    ),
    arguments: z.string().optional().describe("Arguments for spark-submit."),
    userProgramArguments: z.string().optional().describe("Arguments for the program."),
    retry: z
      .int()
      .min(1, "must be 1, 2 or 3")
      .max(3, "must be 1, 2 or 3")
      .optional()
      .describe("Number of retries after a failure: 1, 2 or 3."),
    retryDelay: z
      .int()
      .min(0, "must be at least 0")
      .optional()
      .describe("Time between retries. The API's manual does not state the unit."),
    appId: text.describe("Id of the job server application whose configuration to use. Needs `label`."),
    pool: text.describe("Fair scheduler pool to run in."),
  })
  .superRefine((given, context) => {
    const report = (path: string | undefined, message: string): void =>
      context.addIssue({ code: "custom", path: path === undefined ? [] : [path], message });
    const used = sources.filter((name) => given[name] !== undefined);
    if (used.length === 0) report(undefined, `has nothing to run; set exactly one of ${sources.join(", ")}`);
    if (used.length > 1)
      report(used[1], `must not be combined with ${used[0]}; set exactly one of ${sources.join(", ")}`);
    if (given.cmdline !== undefined)
      for (const name of notWithCmdline)
        if (given[name] !== undefined) report(name, "must not be combined with cmdline; make it part of cmdline");
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
    report("language", `is ${JSON.stringify(language)}; with sql, it must be "sql" or omitted`);
  if (cmdline !== undefined && language !== undefined && language !== "command_line")
    report("language", `is ${JSON.stringify(language)}; with cmdline, it must be "command_line" or omitted`);
}

const knownLanguages = ["scala", "python", "py", "R", "sql", "command_line"];

export function sparkAdvice({ program, language }: Spark): string[] {
  if (program !== undefined && language === undefined)
    return ["spark.program is set without spark.language; the platform may not know how to run it"];
  if (language === undefined || knownLanguages.includes(language)) return [];
  return [
    `spark.language is ${JSON.stringify(language)}, which the platform may refuse; known languages are ${knownLanguages.join(", ")}`,
  ];
}

export function sparkBody(given: Spark): Record<string, unknown> {
  const implied = given.sql !== undefined ? "sql" : given.cmdline !== undefined ? "command_line" : undefined;
  const all = { ...given, language: given.language ?? implied };
  return { command_type: "SparkCommand", ...fieldsOf(all, Object.keys(spark.shape)) };
}
