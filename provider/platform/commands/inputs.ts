import { z } from "zod";
import { type S3DistCp, s3DistCp } from "./s3distcp";
import { subCommandArgs } from "./s3distcp-args";
import { type Spark, spark, sparkAdvice, sparkBody } from "./spark";

const identifier = z.string().regex(/^[^\s.`"']+$/, "must be a name alone, without dots, quotes or spaces");

/** The API takes it as text; a number is what one writes first. */
const loaderValue = z.union([z.int().min(0, "must be at least 0"), z.string().min(1, "must not be empty")]).optional();

export const tableRefresh = z
  .strictObject({
    dbName: identifier.describe("Database that holds the table."),
    hiveTable: identifier.describe("Table to refresh."),
    loaderStable: loaderValue.describe("Checks that a directory or partition is fully loaded."),
    loaderStableMult: loaderValue.describe("How long to wait, in minutes, before a directory is considered loaded."),
  })
  .meta({ id: "TableRefreshCommand", description: "A command that looks for new partitions of a Hive table." });

const longestName = 255;

/** What a submission takes: one of the kinds, and what all kinds share. */
export const commandInputs = {
  spark: spark.optional().describe("Run a Spark command."),
  s3DistCp: s3DistCp.optional().describe("Copy data with Hadoop's S3DistCp."),
  tableRefresh: tableRefresh.optional().describe("Refresh the partitions of a Hive table."),
  label: z.string().min(1, "must not be empty").optional().describe("Label of the cluster on which the command runs."),
  name: z
    .string()
    .max(longestName, `must have at most ${longestName} characters`)
    .regex(/^[^&<>"']*$/, "must not contain &, <, >, quotes or HTML tags")
    .optional()
    .describe("Name by which the history can be filtered: at most 255 characters, without &, <, > and quotes."),
  tags: z
    .array(z.string().min(1, "must not be empty").max(longestName, `must have at most ${longestName} characters`))
    .optional()
    .describe(
      "Tags, each of at most 255 characters. One more is added, by which the submission is recognised if its answer is lost.",
    ),
  macros: z
    .array(
      z
        .record(z.string().min(1), z.string())
        .refine((macro) => Object.keys(macro).length > 0, "must map a variable to its expression, but is empty"),
    )
    .optional()
    .describe('Variables of the command and their expressions: `[{ day: "Date.now" }]`.'),
  timeout: z
    .int()
    .min(1, "must be at least 1 second")
    .optional()
    .describe(
      "Seconds after which the platform kills the command; it looks once a minute. Default: 129600, which is 36 hours.",
    ),
  tagSubmission: z
    .boolean()
    .optional()
    .describe(
      "Whether to add a tag by which the submission is recognised if its answer is lost. With `spark.cmdline` the API's manual allows no other parameter: set it to false where the platform insists on that. Default: true.",
    ),
};

const kinds = ["spark", "s3DistCp", "tableRefresh"] as const;
type Kind = (typeof kinds)[number];

export interface Submission {
  readonly spark?: Spark | undefined;
  readonly s3DistCp?: S3DistCp | undefined;
  readonly tableRefresh?: z.output<typeof tableRefresh> | undefined;
  readonly label?: string | undefined;
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly macros?: readonly Readonly<Record<string, string>>[] | undefined;
  readonly timeout?: number | undefined;
  readonly tagSubmission?: boolean | undefined;
}

/** Rules across the properties of a submission; those within one kind are part of its schema. */
export function commandRules(
  known: Submission,
  report: (property: Kind, reason: string) => void,
  unknown: (property: Kind | "label") => boolean,
): void {
  const given = kinds.filter((kind) => known[kind] !== undefined || unknown(kind));
  if (given.length === 0)
    report("spark", `is missing, and so are the other kinds; give exactly one of ${kinds.join(", ")}`);
  if (given.length > 1)
    report(given[1]!, `must not be combined with ${given[0]}; give exactly one of ${kinds.join(", ")}`);
  if (known.spark?.appId !== undefined && known.label === undefined && !unknown("label"))
    report("spark", "has an appId, which is used only with label; give the label of the cluster");
}

/** What is legal but doubtful about a submission. */
export function commandAdvice({ spark }: Partial<Submission>): string[] {
  return spark ? sparkAdvice(spark) : [];
}

/** The body of the request, as the API's manual has it. */
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
  return {
    template: "s3import",
    db_name: tableRefresh?.dbName,
    hive_table: tableRefresh?.hiveTable,
    loader_stable: digits(tableRefresh?.loaderStable),
    loader_stable_mult: digits(tableRefresh?.loaderStableMult),
    ...common,
  };
}

function digits(value: number | string | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
