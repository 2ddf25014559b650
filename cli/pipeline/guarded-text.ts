import { extname } from "node:path";
import {
  isMap,
  isNode,
  isScalar,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/* What decides something is read here, and once more by npm, git or the engine. What these might read in another way is
 * not interpreted: it counts as unreadable, so it needs an approval, and no plan is sealed if it may name a platform. */

/** Its message quotes no setting: some are secret. */
export class Unreadable extends Error {}

/**
 * Go's YAML ends a line where JavaScript's does not: at a lone `\r`, U+0085, U+2028 and U+2029. After a byte order mark
 * (U+FEFF) it counts columns otherwise. Control characters have no business here; U+FFFD is left of what is not UTF-8.
 */
const unclear = /[^\P{Cc}\t\n\r]|\r(?!\n)|[\u2028\u2029\ufeff\ufffd]/u;

function requireClear(text: string): void {
  const found = unclear.exec(text);
  if (!found) return;
  const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const line = text.slice(0, found.index).split("\n").length;
  throw new Unreadable(`line ${line} has a character that others read in another way (U+${code})`);
}

/** By the name of the file, as the engine and npm do. */
export function readGuarded(path: string, text: string): unknown {
  return extname(path) === ".json" ? readJson(text) : readYaml(text);
}

/** Plain YAML: one document of maps, lists and values, without what readers resolve in ways of their own. */
export function readYaml(text: string): unknown {
  requireClear(text);
  if (/^(%|\.\.\.)|\n---/m.test(text)) throw new Unreadable("it has a directive (%), or more than one document");
  const document = parseDocument(text, { logLevel: "silent", keepSourceTokens: true });
  if (document.errors.length > 0 || document.warnings.length > 0) throw new Unreadable("it is not valid YAML");
  visit(document, {
    Alias: () => {
      throw new Unreadable("it has an alias (*)");
    },
    Value: (_, node) => requirePlain(node),
  });
  return document.toJS();
}

function requirePlain(node: Scalar | YAMLMap | YAMLSeq): void {
  if (node.anchor !== undefined || node.tag !== undefined) throw new Unreadable("it has an anchor (&) or a tag (!)");
  if (isMap(node)) for (const pair of node.items) requirePlainPair(pair, node.flow === true);
  const source = isScalar(node) && node.type === "QUOTE_DOUBLE" ? (node.srcToken as { source?: string }).source : "";
  if (/\\\r?\n/.test(source ?? "")) throw new Unreadable("a line ends with a backslash");
}

function requirePlainPair({ key, value }: Pair, isFlow: boolean): void {
  if (!isScalar(key) || key.value === null || key.value === "") throw new Unreadable("a key is not a name");
  if (key.type === "PLAIN" && !/^[\p{L}\d_./$]/u.test(key.source ?? ""))
    throw new Unreadable("a name begins with a sign, and is not in quotes");
  // In `{a:, b: c}`, Go's parser takes the colon for a part of the name.
  if (isFlow && (!isNode(value) || value.range?.[0] === value.range?.[1]))
    throw new Unreadable("a name in braces has no value");
}

/** A name that is there twice has two values: which one counts depends on who reads it, and Go's JSON may take both. */
export function readJson(text: string): unknown {
  requireClear(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unreadable("it is not JSON");
  }
  const objects: (Set<string> | undefined)[] = [];
  for (const [token, name] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") objects.push(token === "{" ? new Set() : undefined);
    else if (token === "}" || token === "]") objects.pop();
    else if (name !== undefined) addOnce(objects.at(-1)!, JSON.parse(name) as string);
  }
  return value;
}

function addOnce(names: Set<string>, name: string): void {
  if (names.has(name)) throw new Unreadable("a name is there twice");
  names.add(name);
}
