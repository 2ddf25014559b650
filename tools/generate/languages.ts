import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Examples in other languages: excerpts of test/release/languages, whose programs hold every resource and every function and
 * are run by the test suite.
 */
export interface LanguageExamples {
  resource(type: string): readonly Excerpt[];
  function(name: string): readonly Excerpt[];
}

export interface Excerpt {
  readonly language: "python" | "go" | "yaml";
  readonly code: string;
}

export const excerptSource = "test/release/languages";

export function languageExamples(root: string): LanguageExamples {
  const read = (path: string): string => readFileSync(join(root, excerptSource, path), "utf8");
  const python = read("python/__main__.py");
  const go = read("go/main.go");
  const yaml = read("yaml/Pulumi.yaml");
  return {
    resource: (type) => [
      { language: "python", code: pythonCall(python, type) },
      { language: "go", code: goCall(go, [`New${type}`]) },
      { language: "yaml", code: yamlBlock(yaml, "resources", `    type: dataplatform:${type}\n`) },
    ],
    function: (name) => [
      { language: "python", code: pythonCall(python, `${snake(name)}(?:_output)?`) },
      { language: "go", code: goCall(go, goNames(name)) },
      {
        language: "yaml",
        code: yamlBlock(yaml, "variables", `    fn::invoke:\n      function: dataplatform:${name}\n`),
      },
    ],
  };
}

/** In Markdown, one block each. */
export function codeBlocks(excerpts: readonly Excerpt[]): string {
  return excerpts.map(({ language, code }) => `\`\`\`${language}\n${code}\n\`\`\``).join("\n\n");
}

function pythonCall(text: string, name: string): string {
  const found = new RegExp(`^(?:\\w+ = )?dataplatform\\.${name}\\(`, "m").exec(text);
  if (!found) throw missing(`dataplatform.${name}(`);
  return text.slice(found.index, endOfCall(text, found.index + found[0].length - 1));
}

/** Go's SDK calls a function `Lookup…` where `Get…` is a resource's own. */
function goNames(name: string): string[] {
  const capital = name[0]!.toUpperCase() + name.slice(1);
  return [capital, capital.replace(/^Get/, "Lookup")].flatMap((one) => [one, `${one}Output`]);
}

function goCall(text: string, names: readonly string[]): string {
  const call = new RegExp(`^(\\t+)(?:if )?(\\w+(?:, err)?) :?= (dataplatform\\.(?:${names.join("|")})\\(ctx)`, "m");
  const found = call.exec(text);
  if (!found) throw missing(names.join(" or "));
  const [, indent = "", left = "", begin = ""] = found;
  const start = found.index + found[0].length - begin.length;
  const code = text.slice(start, endOfCall(text, start + begin.indexOf("(")));
  return `${left} := ${code}`.replaceAll(`\n${indent}`, "\n");
}

function yamlBlock(text: string, section: string, begin: string): string {
  const found = new RegExp(`^ {2}\\w+:\\n${begin}(?: {4,}.*\\n)*`, "m").exec(text);
  if (!found) throw missing(begin.trim());
  return `${section}:\n${found[0].trimEnd()}`;
}

/** The place after the parenthesis that closes the one at `open`. Parentheses in our programs' strings are in pairs. */
function endOfCall(text: string, open: number): number {
  let depth = 0;
  for (let place = open; place < text.length; place++) {
    if (text[place] === "(") depth++;
    if (text[place] === ")" && --depth === 0) return place + 1;
  }
  throw missing("a closing parenthesis");
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

function missing(what: string): Error {
  return new Error(`${excerptSource}: ${what} is missing; add it to the program of each language`);
}
