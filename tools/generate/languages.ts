import { type Declaration, partFor, readProgram } from "./program";
import { GoProgram, type Schema } from "./program-go";
import { pythonProgram } from "./program-python";

/** The program that holds every resource, function and component. The test suite runs it in every language. */
export const excerptSource = "test/release/languages/yaml/Pulumi.yaml";

export interface Excerpt {
  readonly language: "python" | "go" | "yaml";
  readonly code: string;
}

/** How a resource, a function or a component looks in other languages. */
export type LanguageExamples = (type: string) => readonly Excerpt[];

export function languageExamples(source: string, schema: Schema): LanguageExamples {
  // The test changes what these settings say, to see an update; a reader needs a value.
  const { settings } = readProgram(source);
  const text = settings.reduce((rest, name) => rest.replaceAll(`\${${name}}`, "7"), source);
  const program = readProgram(text);
  const go = new GoProgram(program, schema);
  return (type) => {
    const found = program.declarations.find((one) => one.type === type);
    if (!found) throw new Error(`${excerptSource}: ${type} is missing`);
    return [
      { language: "python", code: pythonProgram(partFor(program, found)).trim() },
      { language: "go", code: go.excerpt(found) },
      { language: "yaml", code: yamlExcerpt(text, found) },
    ];
  };
}

/** In Markdown, one block each. */
export function codeBlocks(excerpts: readonly Excerpt[]): string {
  return excerpts.map(({ language, code }) => `\`\`\`${language}\n${code}\n\`\`\``).join("\n\n");
}

function yamlExcerpt(text: string, { name, isFunction }: Declaration): string {
  const [block = ""] = new RegExp(`^ {2}${name}:\\n(?: {4,}.*\\n)*`, "m").exec(text) ?? [];
  return `${isFunction ? "variables" : "resources"}:\n${block.trimEnd()}`;
}
