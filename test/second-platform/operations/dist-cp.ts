import { invalid } from "../answers";
import type { Parameters } from "../parameters";
import type { World } from "../world";
import { commonNames, type ReadCommand } from "./read-command";

const texts = [
  "src",
  "dest",
  "srcPattern",
  "groupBy",
  "outputCodec",
  "s3SSEAlgorithm",
  "encryptionKey",
  "previousManifest",
  "s3Endpoint",
  "srcS3Endpoint",
  "tmpDir",
];
const integers = ["targetSize", "multipartUploadChunkSize", "filesPerMapper", "startingIndex"];
const flags = [
  "s3ServerSideEncryption",
  "deleteOnSuccess",
  "disableMultipartUpload",
  "numberFiles",
  "outputManifest",
  "copyFromManifest",
];
const options = [...texts, ...integers, ...flags];

type Options = Record<string, string>;

/** Splits an argument text the way a shell does, as far as quotes go. */
function words(text: string): string[] {
  return [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map((match) => match[0].replace(/(['"])(.*?)\1/g, "$2"));
}

/** Options within sub_command_args, written `--name value`, `--name=value` or `--name`. */
function fromArguments(text: string): Options {
  const found: Options = {};
  const list = words(text);
  for (const [index, word] of list.entries()) {
    const match = /^--([A-Za-z0-9]+)(?:=(.*))?$/s.exec(word);
    if (!match) continue;
    const next = list[index + 1];
    found[match[1] ?? ""] = match[2] ?? (next === undefined || next.startsWith("--") ? "" : next);
  }
  return found;
}

function fromParameters(world: World, parameters: Parameters): Options {
  const given: Options = {};
  for (const name of texts) {
    const value = parameters.text(name);
    if (value !== undefined) given[name] = value;
  }
  for (const name of integers) {
    const value = parameters.within(name, 0, Number.MAX_SAFE_INTEGER);
    if (value !== undefined) given[name] = String(value);
  }
  for (const name of flags) if (parameters.flag(name)) given[name] = "";
  if (Object.keys(given).length > 0 && world.switches.distCpParameters === "refused")
    throw invalid("copy options belong into sub_command_args");
  return world.switches.distCpParameters === "ignored" ? {} : given;
}

function check(all: Options): void {
  for (const name of ["src", "dest"]) {
    const bucket = /^s3[an]?:\/\/([^/]*)/.exec(all[name] ?? "")?.[1];
    if (bucket?.includes("_")) throw invalid(`${name}: bucket names with an underscore are unsupported`);
  }
  if (all["srcPattern"] !== undefined && all["groupBy"] !== undefined)
    throw invalid("srcPattern and groupBy must not be combined");
  const codec = all["outputCodec"];
  if (codec !== undefined && !["gzip", "gz", "lzo", "snappy", "none"].includes(codec))
    throw invalid(`outputCodec ${codec} is not known`);
  const algorithm = all["s3SSEAlgorithm"];
  if (algorithm !== undefined && !["AES256", "SSE-KMS", "SSE-C"].includes(algorithm))
    throw invalid(`s3SSEAlgorithm ${algorithm} is not known`);
}

function failureOf(all: Options): string | null {
  if (all["groupBy"] !== undefined && !/\(.*\)/.test(all["groupBy"])) return "groupBy has no parenthesised group";
  if (all["s3SSEAlgorithm"] === "SSE-C" && !all["encryptionKey"]) return "SSE-C needs an encryptionKey";
  return null;
}

const quoted = (value: string) => (/[\s*]/.test(value) ? `'${value}'` : value);

export function readDistCp(world: World, parameters: Parameters): ReadCommand {
  parameters.only(...commonNames, "sub_command", "sub_command_args", ...options);
  parameters.needs("sub_command").oneOf("sub_command", ["s3distcp"]);
  const args = parameters.text("sub_command_args") ?? "";
  const given = fromParameters(world, parameters);
  const all = { ...fromArguments(args), ...given };
  check(all);
  const failure = failureOf(all);
  if (failure && world.switches.distCpFailures === "refused at submission") throw invalid(failure);
  const appended = Object.entries(given).flatMap(([name, value]) =>
    value === "" ? [`--${name}`] : [`--${name}`, quoted(value)],
  );
  return {
    commandType: "HadoopCommand",
    command: { sub_command: "s3distcp", sub_command_args: [args, ...appended].filter(Boolean).join(" ") },
    failure,
  };
}
