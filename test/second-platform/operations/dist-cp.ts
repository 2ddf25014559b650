import { invalid } from "../answers";
import type { Parameters } from "../parameters";
import { commonNames, type ReadCommand } from "./read-command";

type Options = Record<string, string>;

/** Splits an argument text at blanks the way a shell does, with the quotes kept. */
function rawWords(text: string): string[] {
  return [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map((match) => match[0]);
}

const unquoted = (word: string) => word.replace(/(['"])(.*?)\1/gs, "$2");

/** The whole argument text may stand in single quotes, in place of the expressions within it. */
const wholeQuoted = (text: string) => /^\s*'[^']*'\s*$/.test(text);

function words(text: string): string[] {
  return rawWords(wholeQuoted(text) ? text.trim().slice(1, -1) : text).map(unquoted);
}

/** Whether an expression of srcPattern or groupBy has a * outside single quotes. */
function bareStar(text: string): boolean {
  if (wholeQuoted(text)) return false;
  const list = rawWords(text);
  return list.some((word, index) => {
    const expression = /^--(?:srcPattern|groupBy)(?:=(.*))?$/s.exec(word);
    if (!expression) return false;
    return (expression[1] ?? list[index + 1] ?? "").replace(/'[^']*'/g, "").includes("*");
  });
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

/** The options may also come as parameters of their own; the provider sends them as arguments. */
export function readDistCp(parameters: Parameters): ReadCommand {
  parameters.only(...commonNames, "sub_command", "sub_command_args");
  parameters.needs("sub_command", "sub_command_args").oneOf("sub_command", ["s3distcp"]);
  const args = parameters.text("sub_command_args") ?? "";
  const all = fromArguments(args);
  check(all);
  if (bareStar(args)) throw invalid("an expression with * must be enclosed in single quotes");
  const command = { sub_command: "s3distcp", sub_command_args: args };
  return { commandType: "HadoopCommand", command, failure: failureOf(all) };
}
