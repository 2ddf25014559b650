import { readFileSync } from "node:fs";
import { join } from "node:path";
import { extendedOperations } from "../../provider/api/extended-operations";
import { type Operation, operations } from "../../provider/api/operations";
import { type SettingName, settingSpecs } from "../../provider/api/settings";
import { table } from "./docs";
import { codeBlocks, type LanguageExamples } from "./languages";

/** The pages about the package as a whole, with what is generated in them filled in. */
export function packagePages(root: string, typescript: string, examples: LanguageExamples): Map<string, string> {
  const page = (name: string): string => readFileSync(join(root, "docs", name), "utf8");
  const example = `\`\`\`typescript\n${typescript.trim()}\n\`\`\`\n\n${codeBlocks(examples("WhitelistedIp"))}`;
  const [specified, extended] = [operations, extendedOperations].map(operationTable) as [string, string];
  return new Map([
    ["docs/_index.md", filled(page("_index.md"), "example", example)],
    ["docs/installation-configuration.md", filled(page("installation-configuration.md"), "settings", settingTable())],
    ["docs/operations.md", filled(filled(page("operations.md"), "specified", specified), "extended", extended)],
  ]);
}

/** Every request that the provider may send. */
function operationTable(all: Readonly<Record<string, Operation>>): string {
  const rows = Object.values(all).map(({ method, path, does, permission }) => [
    `\`${method} ${path}\``,
    ...[does, permission.role, permission.groups],
  ]);
  return table(["request", "to", "needs a role that allows", "or a member of"], rows);
}

function settingTable(): string {
  const rows = (Object.keys(settingSpecs) as SettingName[]).map((name) => {
    const spec = settingSpecs[name];
    const secret = "secret" in spec ? " **Secret.**" : "";
    const fallback = "default" in spec ? `\`${spec.default}\`` : "";
    return [`\`dataplatform:${name}\``, `\`${spec.env}\``, fallback, spec.doc + secret];
  });
  return table(["setting", "environment variable", "default", "what it is"], rows);
}

/** Replaces the text between the markers of that name. */
export function filled(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  return page.replace(new RegExp(`${begin}[\\s\\S]*?${end}`), () => `${begin}\n${text}\n${end}`);
}
