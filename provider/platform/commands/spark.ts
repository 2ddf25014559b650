import { z } from "zod";
import { fieldsOf } from "../../values/fields";
import { ruledBy } from "../../values/problem";
import { atLeast, filledText } from "../../values/simple";

const text = filledText.optional();

/** Exactly one of these must be set. */
const sources = ["program", "sql", "scriptLocation", "cmdline"] as const;
/** Languages that need not be named. */
const implied = { sql: "sql", cmdline: "command_line" };
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
    retryDelay: atLeast(0).optional().describe("Time between retries. The API's manual does not state the unit."),
    appId: text.describe("Id of the job server application whose configuration to use. Needs `label`."),
    pool: text.describe("Fair scheduler pool to run in."),
  })
  .check(
    ruledBy((given, report) => {
      const used = sources.filter((name) => given[name] !== undefined);
      const oneOf = `set exactly one of ${sources.join(", ")}`;
      if (used.length === 0) report(undefined, `has nothing to run; ${oneOf}`);
      if (used.length > 1) report(used[1], `must not be combined with ${used[0]}; ${oneOf}`);
      for (const name of given.cmdline === undefined ? [] : notWithCmdline)
        if (given[name] !== undefined) report(name, "must not be combined with cmdline; make it part of cmdline");
      for (const source of ["sql", "cmdline"] as const)
        if (given[source] !== undefined && (given.language ?? implied[source]) !== implied[source])
          report(
            "language",
            `is ${JSON.stringify(given.language)}; with ${source}, it must be "${implied[source]}" or omitted`,
          );
    }),
  )
  .meta({
    id: "SparkCommand",
    description: "A Spark command: exactly one of `program`, `sql`, `scriptLocation` and `cmdline`.",
  });
export type Spark = z.output<typeof spark>;

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
  const [source] = (["sql", "cmdline"] as const).filter((name) => given[name] !== undefined);
  const all = { ...given, language: given.language ?? (source && implied[source]) };
  return { command_type: "SparkCommand", ...fieldsOf(all, Object.keys(spark.shape)) };
}
