import { z } from "zod";
import { type Report, ruledBy } from "../../values/problem";
import { atLeast, filledText, flag, secret } from "../../values/simple";

const text = filledText.refine((value) => !value.includes("\0"), "must not contain a NUL character").optional();
const size = atLeast(1).optional();

const options = {
  src: text.describe("Data to copy, in HDFS or object storage. Bucket names with an underscore are not supported."),
  dest: text.describe("Destination folder, which must not exist. Bucket names with an underscore are not supported."),
  srcPattern: text.describe(
    "Regular expression: only matching files are copied. Cannot be combined with `groupBy`. The provider quotes it.",
  ),
  groupBy: text.describe(
    "Regular expression with a parenthesised group: files with the same group match are concatenated. Cannot be combined with `srcPattern`. The provider quotes it.",
  ),
  targetSize: size.describe("Size in MiB of the files that `groupBy` creates. The actual size may differ."),
  outputCodec: z
    .enum(["gzip", "gz", "lzo", "snappy", "none"])
    .meta({ schemaName: "S3DistCpOutputCodec" })
    .optional()
    .describe("Compression of the copied files. Default: unchanged."),
  s3ServerSideEncryption: flag.describe("Encrypt the copied files at rest."),
  s3SSEAlgorithm: z
    .enum(["AES256", "SSE-KMS", "SSE-C"])
    .meta({ schemaName: "S3DistCpEncryption" })
    .optional()
    .describe("Encryption algorithm. Default with encryption: `AES256`."),
  encryptionKey: text
    .meta(secret)
    .describe("Encryption key: required for `SSE-C`, optional for `SSE-KMS`. Kept as a secret."),
  deleteOnSuccess: flag.describe("Delete the source files after a successful copy."),
  disableMultipartUpload: flag.describe("Disable multipart upload."),
  multipartUploadChunkSize: size.describe("Part size of multipart uploads, in MiB. Default: 16."),
  filesPerMapper: size.describe("Number of files per map task."),
  numberFiles: flag.describe("Prefix the copied files with sequential numbers."),
  startingIndex: atLeast(0).optional().describe("First number; only with `numberFiles`. Default: 0."),
  outputManifest: flag.describe("Write a gzipped text file that lists all copied files."),
  previousManifest: text.describe("Manifest of an earlier run; its files are not copied again."),
  copyFromManifest: flag.describe("Copy the files that `previousManifest` lists, instead of skipping them."),
  s3Endpoint: text.describe("Object storage endpoint for source and destination."),
  srcS3Endpoint: text.describe("Object storage endpoint for the source."),
  tmpDir: text.describe("Temporary folder on the cluster. Default: `hdfs:///tmp`."),
};

export const s3DistCp = z
  .strictObject({
    ...options,
    subCommandArgs: text.describe(
      "All arguments as one string, quoted by you, instead of the options above: Hadoop's generic options, then those of S3DistCp. Pass only `encryptionKey` separately, so that it stays a secret.",
    ),
  })
  .check(
    ruledBy((given, report) => {
      if (given.subCommandArgs !== undefined) return checkRaw(given, report);
      for (const name of ["src", "dest"] as const) if (given[name] === undefined) report(name, "is required");
      checkRules(given, report);
    }),
  )
  .meta({ id: "S3DistCpCommand", description: "A copy between HDFS and object storage, or within one of them." });
export type S3DistCp = z.output<typeof s3DistCp>;

/** The rules from the API's manual. */
function checkRules(given: S3DistCp, report: Report): void {
  for (const name of ["src", "dest"] as const) {
    const bucket = /^s3[an]?:\/\/([^/]+)/.exec(given[name] ?? "")?.[1];
    if (bucket?.includes("_"))
      report(name, `has the bucket ${JSON.stringify(bucket)}; bucket names with an underscore are not supported`);
  }
  if (given.groupBy !== undefined && given.srcPattern !== undefined)
    report("groupBy", "must not be combined with srcPattern; set one of them");
  if (given.groupBy !== undefined && !hasGroup(given.groupBy))
    report(
      "groupBy",
      `is ${JSON.stringify(given.groupBy)}, which has no parenthesised group; put the part to group by in parentheses`,
    );
  if (given.s3SSEAlgorithm === "SSE-C" && given.encryptionKey === undefined)
    report("encryptionKey", "is required with s3SSEAlgorithm SSE-C");
  if (given.startingIndex !== undefined && !given.numberFiles)
    report("startingIndex", "is allowed only with numberFiles: true");
  if (given.copyFromManifest && given.previousManifest === undefined)
    report("copyFromManifest", "needs previousManifest, the list of files to copy");
}

/** What may be a mistake, although the specification allows it. */
export function s3DistCpAdvice({ encryptionKey, s3SSEAlgorithm, subCommandArgs }: Partial<S3DistCp>): string[] {
  const takesKey =
    s3SSEAlgorithm === "SSE-C" || s3SSEAlgorithm === "SSE-KMS" || /SSE-(C|KMS)/.test(subCommandArgs ?? "");
  return encryptionKey === undefined || takesKey
    ? []
    : ["s3DistCp.encryptionKey is sent, but the specification describes it only with s3SSEAlgorithm SSE-KMS or SSE-C"];
}

/** Whether an expression has a capturing group. Escaped parentheses and those in a character class do not count. */
function hasGroup(expression: string): boolean {
  const bare = expression.replace(/\\./gs, "").replace(/\[[^\]]*\]/g, "");
  return /\((?!\?)[^)]*\)|\(\?<[A-Za-z][^)]*\)/.test(bare);
}

function checkRaw({ subCommandArgs, encryptionKey, ...others }: S3DistCp, report: Report): void {
  const extra = Object.keys(others).filter((name) => others[name as keyof typeof others] !== undefined);
  if (extra.length > 0) report("subCommandArgs", `replaces the other options; remove ${extra.join(", ")}`);
  const words = splitWords(subCommandArgs ?? "");
  if (!words) {
    report("subCommandArgs", "has an unclosed quote");
    return;
  }
  const rawOptions = readOptions(words);
  if (rawOptions.has("encryptionKey"))
    report("subCommandArgs", "contains --encryptionKey; pass the key as encryptionKey, so that it stays a secret");
  for (const name of ["srcPattern", "groupBy"])
    if (rawOptions.get(name)?.hasUnquotedStar)
      report("subCommandArgs", `has a * outside single quotes; put the expression of --${name} in single quotes`);
  const given: Record<string, unknown> = {};
  for (const [name, { text: value }] of rawOptions) {
    const { parsed, problem } = parseOption(name as OptionName, value);
    given[name] = parsed;
    if (problem) report("subCommandArgs", `--${name} ${problem}`);
  }
  const all = { ...given, ...(encryptionKey !== undefined && { encryptionKey }) } as S3DistCp;
  checkRules(all, (name, message) => report("subCommandArgs", `--${name} ${message}`));
}

type OptionName = keyof typeof options;

function parseOption(name: OptionName, value: string): { parsed: unknown; problem?: string | undefined } {
  const isNumber = kindOf(name) === "number" && /^\d+$/.test(value);
  const parsed = kindOf(name) === "boolean" ? value !== "false" : isNumber ? Number(value) : value;
  const { error } = options[name].safeParse(parsed);
  const [issue] = error?.issues ?? [];
  if (!issue) return { parsed };
  const allowed = issue.code === "invalid_value" ? `; expected one of ${issue.values.join(", ")}` : "";
  const reason = issue.code === "custom" || issue.code === "too_small" ? issue.message : "is not allowed";
  return { parsed, problem: `is ${JSON.stringify(value)}, which ${reason}${allowed}` };
}

const kindOf = (name: OptionName) => options[name].unwrap().def.type;

/** The S3DistCp options among the words, with their values. Ignores Hadoop's options. */
function readOptions(words: readonly Word[]): Map<string, Word> {
  const found = new Map<string, Word>();
  for (const [index, { text: word, hasUnquotedStar }] of words.entries()) {
    const [, name = "", inline] = /^--(\w+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!(name in options)) continue;
    const flag = { text: "true", hasUnquotedStar: false };
    const isFlag = kindOf(name as OptionName) === "boolean";
    const next = isFlag ? flag : (words[index + 1] ?? { text: "", hasUnquotedStar: false });
    found.set(name, inline === undefined ? next : { text: inline, hasUnquotedStar });
  }
  return found;
}

/** The options of S3DistCp as one `sub_command_args` string, quoted so that a shell splits it into the same values. */
export function subCommandArgs({ subCommandArgs: raw, encryptionKey, ...options }: S3DistCp): string {
  // The key goes last, so that the arguments can be cut off there before they are shown.
  const built = Object.entries({ ...options, encryptionKey }).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? `--${name}` : option(name, String(value))];
  });
  return [...(raw === undefined ? [] : [raw.trim()]), ...built].join(" ");
}

function option(name: string, value: string): string {
  // A value that starts with a dash would be parsed as the next option.
  return `--${name}${value.startsWith("-") ? "=" : " "}${quoted(value)}`;
}

/**
 * Puts everything but plain words in single quotes: the API requires them around an expression with `*`, and no character
 * is special inside them. A single quote itself goes in double quotes, which all shell-like splitters agree on; they
 * differ on backslashes.
 */
export function quoted(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  return value
    .split(/('+)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("'") ? `"${part}"` : `'${part}'`))
    .join("");
}

interface Word {
  readonly text: string;
  /** Whether it has a `*` outside single quotes. */
  readonly hasUnquotedStar: boolean;
}

/** Splits an argument string as a shell does. Undefined if a quote is not closed. */
export function splitWords(line: string): Word[] | undefined {
  // The API also allows single quotes around the whole string.
  const whole = /^\s*'(\s*-[^']*\s[^']*)'\s*$/.exec(line)?.[1];
  if (whole !== undefined) return splitWords(whole)?.map(({ text }) => ({ text, hasUnquotedStar: false }));
  const words: Word[] = [];
  const token = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\])/gsy;
  let word: Word | undefined;
  let at = 0;
  while (at < line.length) {
    token.lastIndex = at;
    const match = token.exec(line);
    if (!match) return undefined;
    at = token.lastIndex;
    const [all, single, double, escaped, plain] = match;
    const text = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (text === undefined) {
      if (word) words.push(word);
      word = undefined;
    } else {
      const unquotedStar = single === undefined && all.includes("*");
      word = { text: (word?.text ?? "") + text, hasUnquotedStar: (word?.hasUnquotedStar ?? false) || unquotedStar };
    }
  }
  return word ? [...words, word] : words;
}
