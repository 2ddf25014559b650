import { z } from "zod";
import { invalid } from "../errors";
import { hasGroup } from "../expressions";
import { validate } from "../router";
import { commonShape } from "./common";
import { splitWords, type Word } from "./shell-words";

const size = z.int().min(1);
const flag = z.boolean();

/** The options of S3DistCp. They go into `sub_command_args`; each may also be a separate parameter. */
const options = z.strictObject({
  src: z.string().min(1),
  dest: z.string().min(1),
  srcPattern: z.string().min(1).optional(),
  groupBy: z.string().min(1).optional(),
  targetSize: size.optional().describe("MiB"),
  outputCodec: z.enum(["gzip", "gz", "lzo", "snappy", "none"]).optional(),
  s3ServerSideEncryption: flag.optional(),
  s3SSEAlgorithm: z.enum(["AES256", "SSE-KMS", "SSE-C"]).optional(),
  encryptionKey: z.string().min(1).optional(),
  deleteOnSuccess: flag.optional(),
  disableMultipartUpload: flag.optional(),
  multipartUploadChunkSize: size.optional().describe("MiB; default 16"),
  filesPerMapper: size.optional(),
  numberFiles: flag.optional(),
  startingIndex: z.int().min(0).optional(),
  outputManifest: flag.optional(),
  previousManifest: z.string().min(1).optional(),
  copyFromManifest: flag.optional(),
  s3Endpoint: z.string().min(1).optional(),
  srcS3Endpoint: z.string().min(1).optional(),
  tmpDir: z.string().min(1).optional().describe("Default hdfs:///tmp"),
});

export type CopyOptions = z.infer<typeof options>;
type OptionName = keyof CopyOptions;

const optionNames = new Set(Object.keys(options.shape));
const { properties: kinds } = z.toJSONSchema(options) as { properties: Record<string, { type?: string }> };
const genericOptions = new Set(["-D", "-conf", "-fs", "-jt", "-files", "-libjars", "-archives"]);

export const hadoopSchema = z.strictObject({
  command_type: z.literal("HadoopCommand"),
  sub_command: z.literal("s3distcp"),
  sub_command_args: z.string().optional().describe("[hadoop-generic-options] [s3distcp-arg1] ..."),
  ...options.partial().shape,
  ...commonShape,
});

export type HadoopParams = z.infer<typeof hadoopSchema>;

/** All options of a submission, from both places, checked against the rules for submission. */
export function readCopyOptions(params: HadoopParams): CopyOptions {
  const given: Record<string, unknown> = parseArguments(splitWords(params.sub_command_args ?? ""));
  for (const name of optionNames) {
    const value = params[name as OptionName];
    if (value === undefined) continue;
    if (name in given) throw invalid(`${name}: is given twice, as a parameter and in sub_command_args`);
    given[name] = value;
  }
  const checked = validate(options, given);
  checkRules(checked);
  return checked;
}

function parseArguments(words: Word[]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    if (genericOptions.has(word.text)) {
      index += 1;
      continue;
    }
    if (word.text.startsWith("-D")) continue;
    const [, name = "", inline] = /^--([A-Za-z0-9]+)(?:=(.*))?$/s.exec(word.text) ?? [];
    if (!optionNames.has(name)) throw invalid(`sub_command_args: ${word.text} is not an option of s3distcp`);
    if (name in given) throw invalid(`sub_command_args: --${name} is given twice`);
    if (kinds[name]?.type === "boolean") {
      if (inline !== undefined) throw invalid(`sub_command_args: --${name} takes no value`);
      given[name] = true;
      continue;
    }
    const value = inline === undefined ? words[++index] : { text: inline, bareStar: word.bareStar };
    if (!value || (inline === undefined && value.text.startsWith("--")))
      throw invalid(`sub_command_args: --${name} needs a value`);
    given[name] = optionValue(name, value);
  }
  return given;
}

function optionValue(name: string, { text, bareStar }: Word): unknown {
  if ((name === "srcPattern" || name === "groupBy") && bareStar)
    throw invalid(`sub_command_args: an expression with * must be in single quotes (--${name})`);
  return kinds[name]?.type === "integer" && /^-?\d+$/.test(text) ? Number(text) : text;
}

function checkRules(given: CopyOptions): void {
  for (const name of ["src", "dest"] as const)
    if (bucketOf(given[name])?.includes("_")) throw invalid(`${name}: bucket names with an underscore are unsupported`);
  if (given.groupBy !== undefined && given.srcPattern !== undefined)
    throw invalid("groupBy: must not be combined with srcPattern");
  if (given.copyFromManifest && given.previousManifest === undefined)
    throw invalid("copyFromManifest: needs previousManifest, the list of files to copy");
  if (given.startingIndex !== undefined && !given.numberFiles) throw invalid("startingIndex: is used with numberFiles");
}

function bucketOf(location: string): string | undefined {
  return /^s3[an]?:\/\/([^/]+)/.exec(location)?.[1];
}

interface CopyContext {
  encryptedBuckets: readonly string[];
  /** Whether the output directory exists before the job. */
  exists: (location: string) => boolean;
}

/** Why the job will fail even though the submission was accepted, or null. */
export function copyFailure(given: CopyOptions, context: CopyContext): string | null {
  if (given.groupBy !== undefined && !hasGroup(given.groupBy))
    return "the groupBy expression contains no parenthesised group";
  if (given.s3SSEAlgorithm === "SSE-C" && given.encryptionKey === undefined) return "SSE-C needs an encryptionKey";
  const encrypted = given.s3ServerSideEncryption || given.s3SSEAlgorithm !== undefined;
  if (!encrypted && context.encryptedBuckets.includes(bucketOf(given.dest) ?? ""))
    return "the destination bucket takes only encrypted objects";
  if (context.exists(given.dest)) return `the output directory ${given.dest} exists already`;
  return null;
}

/** The arguments as the command object shows them, with those given as parameters at the end. */
export function argumentText(params: HadoopParams): string {
  const extra = [...optionNames].flatMap((name) => {
    const value = params[name as OptionName];
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name} ${quoted(String(value))}`];
  });
  return [params.sub_command_args ?? "", ...extra].filter((text) => text !== "").join(" ");
}

const quoted = (text: string) => (/[\s*'"()\\]/.test(text) ? `'${text}'` : text);
