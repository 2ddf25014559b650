import { z } from "zod";
import { deepEqual } from "../../core/properties";
import { fieldsOf } from "../../values/fields";
import { ruledBy } from "../../values/problem";
import { atLeast, filledText, flag } from "../../values/simple";
import { s3DistCp, s3DistCpAdvice, subCommandArgs } from "./s3distcp";

const text = filledText.optional();

/** Exactly one of these must be set. */
const sources = ["program", "sql", "scriptLocation", "cmdline"] as const;
/** Languages that need not be named. */
const implied = { sql: "sql", cmdline: "command_line" };
/** Spark parameters that cannot be combined with a full command line. */
const notWithCmdline = ["arguments", "userProgramArguments", "retry", "retryDelay", "appId", "pool"] as const;

const spark = z
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
const knownLanguages = ["scala", "python", "py", "R", "sql", "command_line"];

function sparkAdvice({ program, language }: z.output<typeof spark>): string[] {
  if (program !== undefined && language === undefined)
    return ["spark.program is set without spark.language; the platform may not know how to run it"];
  if (language === undefined || knownLanguages.includes(language)) return [];
  return [
    `spark.language is ${JSON.stringify(language)}, which the platform may refuse; known languages are ${knownLanguages.join(", ")}`,
  ];
}

function sparkBody(given: z.output<typeof spark>): Record<string, unknown> {
  const [source] = (["sql", "cmdline"] as const).filter((name) => given[name] !== undefined);
  const all = { ...given, language: given.language ?? (source && implied[source]) };
  return { command_type: "SparkCommand", ...fieldsOf(all, Object.keys(spark.shape)) };
}

const identifier = z.string().regex(/^[^\s.`"']+$/, "must be a plain name, without dots, quotes or spaces");

/** The API takes a string, but users naturally write a number. */
const loaderValue = z.union([atLeast(0), filledText]).optional();

const tableRefresh = z
  .strictObject({
    dbName: identifier.describe("Database that holds the table."),
    hiveTable: identifier.describe("Table to refresh."),
    loaderStable: loaderValue.describe("Check that a directory or partition is fully loaded."),
    loaderStableMult: loaderValue.describe("Minutes to wait before a directory is considered loaded."),
  })
  .meta({ id: "TableRefreshCommand", description: "A command that looks for new partitions of a Hive table." });

const maxNameLength = 255;

/** Inputs of a submission: one property per kind of command, and those that all kinds share. */
export const commandInputs = {
  spark: spark.optional().describe("Run a Spark command."),
  s3DistCp: s3DistCp.optional().describe("Copy data with Hadoop's S3DistCp."),
  tableRefresh: tableRefresh.optional().describe("Refresh the partitions of a Hive table."),
  label: filledText.optional().describe("Label of the cluster to run the command on."),
  name: z
    .string()
    .max(maxNameLength, `must have at most ${maxNameLength} characters`)
    .regex(/^[^&<>"']*$/, "must not contain &, <, >, quotes or HTML tags")
    .optional()
    .describe("Name to filter the command history by: at most 255 characters, without &, <, > and quotes."),
  tags: z
    .array(filledText.max(maxNameLength, `must have at most ${maxNameLength} characters`))
    .optional()
    .meta({ meansWhenAbsent: [] })
    .describe(
      "Tags of at most 255 characters each. The provider adds one more, to find the command if the response is lost.",
    ),
  macros: z
    .array(
      z
        .record(z.string().min(1), z.string())
        .refine((macro) => Object.keys(macro).length > 0, "is empty; it must map a variable to its expression"),
    )
    .optional()
    .meta({ meansWhenAbsent: [] })
    .describe(
      'Variables for the command, with their expressions: `[{ day: "Date.now" }]`. Macros in scripts need a feature that is enabled per account on request.',
    ),
  timeout: z
    .int()
    .min(1, "must be at least 1 second")
    .optional()
    .meta({ meansWhenAbsent: 129_600 })
    .describe(
      "Seconds after which the platform kills the command; it checks once a minute. Default: 129600 (36 hours).",
    ),
  tagSubmission: flag.describe(
    "Whether to add a tag for finding the command if the response is lost. Without it, a lost response is an error, and nothing is resent. Default: true, but false with `spark.cmdline`, beside which the API's manual allows no other parameter.",
  ),
};

const kinds = ["spark", "s3DistCp", "tableRefresh"] as const;
type Kind = (typeof kinds)[number];

export type Submission = z.output<z.ZodObject<typeof commandInputs>>;

/** What is sent as the same request is the same command, such as with a default written out, or a number as text. */
const sentAs = (kind: Kind) => (one: unknown, other: unknown) =>
  deepEqual(requestBody({ [kind]: one } as Submission), requestBody({ [kind]: other } as Submission));
export const sameCommand = {
  spark: sentAs("spark"),
  s3DistCp: sentAs("s3DistCp"),
  tableRefresh: sentAs("tableRefresh"),
};

/** Rules across properties; those within one kind of command are part of its schema. */
export function commandRules(
  known: Submission,
  report: (property: Kind, reason: string) => void,
  unknown: (property: Kind | "label") => boolean,
): void {
  const given = kinds.filter((kind) => known[kind] !== undefined || unknown(kind));
  if (given.length === 0)
    report("spark", `is missing, and so are the alternatives; set exactly one of ${kinds.join(", ")}`);
  if (given.length > 1)
    report(given[1]!, `must not be combined with ${given[0]}; set exactly one of ${kinds.join(", ")}`);
  if (known.spark?.appId !== undefined && known.label === undefined && !unknown("label"))
    report("spark", "has an appId, which needs a label; set label to the label of the cluster");
}

export function commandAdvice({ spark, s3DistCp }: Partial<Submission>): string[] {
  return [...(spark ? sparkAdvice(spark) : []), ...(s3DistCp ? s3DistCpAdvice(s3DistCp) : [])];
}

/** Request body, as documented in the API's manual. */
export function requestBody({ spark, s3DistCp, tableRefresh, label, name, tags, macros, timeout }: Submission) {
  const common = { label, name, tags, macros, timeout };
  if (spark) return { ...sparkBody(spark), ...common };
  if (s3DistCp)
    return {
      command_type: "HadoopCommand",
      sub_command: "s3distcp",
      sub_command_args: subCommandArgs(s3DistCp),
      ...common,
    };
  const refresh = Object.entries(tableRefresh ?? {}).filter(([, value]) => value !== undefined);
  const texts = Object.fromEntries(refresh.map(([name, value]) => [name, String(value)]));
  return {
    template: "s3import",
    ...fieldsOf(texts, ["dbName", "hiveTable", "loaderStable", "loaderStableMult"]),
    ...common,
  };
}
