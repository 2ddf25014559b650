import { z } from "zod";
import { splitWords, type Word } from "./s3distcp-args";

const text = z
  .string()
  .min(1, "must not be empty")
  .refine((value) => !value.includes("\0"), "must not contain a NUL character");
const size = z.int().min(1, "must be at least 1");

const options = {
  src: text
    .optional()
    .describe("Location of the data to copy: HDFS or object storage. Bucket names with an underscore are unsupported."),
  dest: text
    .optional()
    .describe("Where to copy to. The folder must not exist before. Bucket names with an underscore are unsupported."),
  srcPattern: text
    .optional()
    .describe("Regular expression: only matching files are copied. Not together with `groupBy`. Quoted for you."),
  groupBy: text
    .optional()
    .describe(
      "Regular expression with a parenthesised group: matching files are concatenated by what the group matches. Not together with `srcPattern`. Quoted for you.",
    ),
  targetSize: size.optional().describe("Size, in MiB, of the files that `groupBy` makes. The actual size may differ."),
  outputCodec: z
    .enum(["gzip", "gz", "lzo", "snappy", "none"])
    .optional()
    .describe("Compression of the copies. Without it, compression is unchanged."),
  s3ServerSideEncryption: z.boolean().optional().describe("Encrypt the copies at rest."),
  s3SSEAlgorithm: z
    .enum(["AES256", "SSE-KMS", "SSE-C"])
    .optional()
    .describe("How to encrypt. Default with encryption: `AES256`."),
  encryptionKey: text
    .optional()
    .describe("Key for `SSE-KMS` (optional there) or `SSE-C` (required there). Kept as a secret."),
  deleteOnSuccess: z.boolean().optional().describe("Delete the source files after a successful copy."),
  disableMultipartUpload: z.boolean().optional().describe("Do not upload in parts."),
  multipartUploadChunkSize: size.optional().describe("Size of a part, in MiB. Default: 16."),
  filesPerMapper: size.optional().describe("Number of files per map task."),
  numberFiles: z.boolean().optional().describe("Prefix the copies with sequential numbers."),
  startingIndex: z
    .int()
    .min(0, "must be at least 0")
    .optional()
    .describe("First number; only with `numberFiles`. Default: 0."),
  outputManifest: z.boolean().optional().describe("Write a gzip text file that lists all copied files."),
  previousManifest: text.optional().describe("Manifest of an earlier run; its files are not copied again."),
  copyFromManifest: z
    .boolean()
    .optional()
    .describe("Copy the files that `previousManifest` lists, instead of leaving them out."),
  s3Endpoint: text.optional().describe("Endpoint of the object storage, for source and destination."),
  srcS3Endpoint: text.optional().describe("Endpoint of the object storage, for the source."),
  tmpDir: text.optional().describe("Temporary folder on the cluster. Default: `hdfs:///tmp`."),
};

export const s3DistCp = z
  .strictObject({
    ...options,
    subCommandArgs: text
      .optional()
      .describe(
        "All arguments as one string, instead of the options above: Hadoop's generic options, then those of S3DistCp, quoted by you. Only `encryptionKey` is still given by itself, so that it stays a secret.",
      ),
  })
  .superRefine((given, context) => {
    const report = (path: string | undefined, message: string): void =>
      context.addIssue({ code: "custom", path: path === undefined ? [] : [path], message });
    if (given.subCommandArgs === undefined) checkOptions(given, report);
    else checkRaw(given, report);
  })
  .meta({ id: "S3DistCpCommand", description: "A copy between HDFS and object storage, or within one of them." });
export type S3DistCp = z.output<typeof s3DistCp>;

type Report = (path: string | undefined, message: string) => void;

function checkOptions(given: S3DistCp, report: Report): void {
  for (const name of ["src", "dest"] as const) if (given[name] === undefined) report(name, "is required");
  checkRules(given, report);
}

/** The rules of the API's manual. `report` names the option against which they are. */
function checkRules(given: S3DistCp, report: Report): void {
  for (const name of ["src", "dest"] as const) {
    const bucket = /^s3[an]?:\/\/([^/]+)/.exec(given[name] ?? "")?.[1];
    if (bucket?.includes("_"))
      report(name, `names the bucket ${JSON.stringify(bucket)}; bucket names with an underscore are unsupported`);
  }
  if (given.groupBy !== undefined && given.srcPattern !== undefined)
    report("groupBy", "must not be combined with srcPattern; give one of them");
  if (given.groupBy !== undefined && !hasGroup(given.groupBy))
    report(
      "groupBy",
      `is ${JSON.stringify(given.groupBy)}, which has no parenthesised group; put the part by which to group in parentheses`,
    );
  if (given.s3SSEAlgorithm === "SSE-C" && given.encryptionKey === undefined)
    report("encryptionKey", "is required with s3SSEAlgorithm SSE-C");
  const takesKey = given.s3SSEAlgorithm === "SSE-C" || given.s3SSEAlgorithm === "SSE-KMS";
  if (given.encryptionKey !== undefined && !takesKey)
    report("encryptionKey", "is used only with s3SSEAlgorithm SSE-KMS or SSE-C");
  if (given.startingIndex !== undefined && !given.numberFiles)
    report("startingIndex", "is allowed only with numberFiles: true");
  if (given.copyFromManifest && given.previousManifest === undefined)
    report("copyFromManifest", "is allowed only with previousManifest, the list of files to copy");
}

/** Whether an expression has a capturing group: escaped parentheses and those in a character class are none. */
export function hasGroup(expression: string): boolean {
  const bare = expression.replace(/\\./gs, "").replace(/\[[^\]]*\]/g, "");
  return /\((?!\?)[^)]*\)|\(\?<[A-Za-z][^)]*\)/.test(bare);
}

function checkRaw({ subCommandArgs, encryptionKey, ...others }: S3DistCp, report: Report): void {
  const extra = Object.keys(others).filter((name) => others[name as keyof typeof others] !== undefined);
  if (extra.length > 0) report("subCommandArgs", `is given instead of the options, so leave out ${extra.join(", ")}`);
  const words = splitWords(subCommandArgs ?? "");
  if (!words) {
    report("subCommandArgs", "has a quote that is not closed");
    return;
  }
  const inRaw = readOptions(words);
  if (inRaw.has("encryptionKey"))
    report("subCommandArgs", "holds --encryptionKey; give the key as encryptionKey, so that it stays a secret");
  for (const name of ["srcPattern", "groupBy"])
    if (inRaw.get(name)?.bareStar)
      report("subCommandArgs", `has a * outside single quotes; enclose the expression of --${name} in single quotes`);
  const given: Record<string, unknown> = {};
  for (const [name, { text: value }] of inRaw) {
    const { read, problem } = asOption(name as OptionName, value);
    given[name] = read;
    if (problem) report("subCommandArgs", `--${name} ${problem}`);
  }
  checkRules({ ...given, ...(encryptionKey === undefined ? {} : { encryptionKey }) } as S3DistCp, (name, message) =>
    report("subCommandArgs", `--${name} ${message}`),
  );
}

type OptionName = keyof typeof options;

/** The value of an option as its own schema has it, and what is wrong with it. */
function asOption(name: OptionName, value: string): { read: unknown; problem?: string | undefined } {
  const read = isFlag(name) ? value !== "false" : isNumber(name) && /^\d+$/.test(value) ? Number(value) : value;
  const { error } = options[name].safeParse(read);
  const [issue] = error?.issues ?? [];
  if (!issue) return { read };
  const allowed = issue.code === "invalid_value" ? `; allowed is one of ${issue.values.join(", ")}` : "";
  const reason = issue.code === "custom" || issue.code === "too_small" ? issue.message : "is not allowed there";
  return { read, problem: `is ${JSON.stringify(value)}, which ${reason}${allowed}` };
}

const kindOf = (name: OptionName) => options[name].unwrap().def.type;

function isFlag(name: OptionName): boolean {
  return kindOf(name) === "boolean";
}

function isNumber(name: OptionName): boolean {
  return kindOf(name) === "number";
}

/** The options of S3DistCp among the words, with their values; those of Hadoop are left alone. */
function readOptions(words: readonly Word[]): Map<string, Word> {
  const found = new Map<string, Word>();
  for (const [index, { text: word, bareStar }] of words.entries()) {
    const [, name = "", inline] = /^--(\w+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!(name in options)) continue;
    const flag = { text: "true", bareStar: false };
    const next = isFlag(name as OptionName) ? flag : (words[index + 1] ?? { text: "", bareStar: false });
    found.set(name, inline === undefined ? next : { text: inline, bareStar });
  }
  return found;
}
