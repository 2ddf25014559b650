import { readSettings } from "../../provider/api/settings";
import { readText } from "../files";
import type { Given } from "../inventory/accounts";
import { slug } from "../pulumi/names";

/** The tokens in a file, one per line, with or without a name for the account before it. `-` is standard input. */
export function readTokens(file: string): Given[] {
  const given = readText("the tokens", file === "-" ? 0 : file)
    .split(/\r?\n/)
    .flatMap((line, index) => tokenIn(line.trim(), `line ${index + 1} of ${sourceName(file)}`));
  if (given.length === 0)
    throw new Error(`there is no token in ${sourceName(file)}; write one per line, such as "analytics TOKEN"`);
  return given;
}

/** Never quotes the line, which has a secret in it. */
function tokenIn(line: string, place: string): Given[] {
  if (line === "" || line.startsWith("#")) return [];
  const words = line.split(/\s+/);
  if (words.length > 2) throw new Error(`${place} has ${words.length} words; write a token, or a name and a token`);
  const [name, token] = words.length === 2 ? (words as [string, string]) : [undefined, words[0]!];
  const label = name === undefined ? undefined : slug(name);
  if (label === "") throw new Error(`${place}: the name needs a letter or a digit, since a folder is named after it`);
  const settings = readSettings((setting) => (setting === "apiToken" ? token : undefined));
  return [{ settings, adopter: { label, place } }];
}

function sourceName(file: string): string {
  return file === "-" ? "standard input" : file;
}
