import { signatureKey, signatures } from "../../provider/core/engine-values";
import type { Adopter } from "../inventory/accounts";
import { accountText } from "../platform/accounts";
import { nameOf } from "../pulumi/stack";
import { jsonText } from "../report/write";
import { packageFile } from "../version";
import type { Plan } from "./declare";
import { type KindFile, kindFiles } from "./kind-files";
import { type Declaration, isSecret } from "./known";
import { codeFile, type Layout } from "./layout";
import { manyAccountsText, moduleText, programText, remarksText } from "./program";
import { pythonModule, pythonName, pythonSensor } from "./python";
import type { Environment } from "./read";
import type { Target } from "./targets";

/** An account as it was read, and what the program declares of it. */
export interface Exported {
  readonly target: Target;
  readonly environment: Environment;
  readonly plan: Plan;
}

/** Texts by path in the folder, and which of them have secrets in plain text. */
export type Files = ReturnType<typeof filesFor>;

interface Project {
  readonly name: string;
  /** Only what no stack manages was read. */
  readonly missing: boolean;
}

const accountsFolder = "accounts";

/** The folder of an account inside the export. */
export function folderIn(target: Pick<Target, "label">, { kind, language }: Layout, count: number): string {
  if (count === 1) return "";
  if (kind === "project") return `${accountsFolder}/${target.label}/`;
  return `${language === "python" ? pythonName(target.label) : target.label}/`;
}

export function filesFor(exported: readonly Exported[], layout: Layout, project: Project) {
  const texts: Record<string, string> = {};
  const secret: string[] = [];
  for (const one of exported) {
    const folder = folderIn(one.target, layout, exported.length);
    // In a project of its own, an account is reached with the settings of its stack.
    const adopter = layout.kind === "project" ? {} : one.target.account.adopter;
    const { text, hasSecrets } = importFile(one.plan.declarations, adopter);
    if (hasSecrets) secret.push(`${folder}import.json`);
    const code = codeOf(one, { layout, isOnly: exported.length === 1, ...project });
    for (const [name, codeText] of Object.entries(code)) texts[`${folder}${name}`] = codeText;
    texts[`${folder}import.json`] = text;
  }
  if (layout.kind === "project") Object.assign(texts, projectTexts(exported, project));
  return { texts, secret };
}

interface Around extends Project {
  readonly layout: Layout;
  readonly isOnly: boolean;
}

/** The files with the code of an account, by their names. */
function codeOf(one: Exported, around: Around): Record<string, string> {
  const { plan, environment, target } = one;
  const name = codeFile(around.layout);
  if (name === undefined) return {};
  if (around.layout.language === "python") {
    const remarks = remarksText(environment, plan.notes, false, pythonSensor);
    const { isExtended } = environment;
    return { [name]: pythonModule(titleOf(target), plan.declarations, { isExtended, remarks }) };
  }
  const kinds = kindFiles(plan.declarations, environment.isExtended);
  const files = kinds.map(({ file, text }) => [`${file}.ts`, text]);
  return { [name]: indexText(one, kinds, around), ...Object.fromEntries(files) };
}

function titleOf({ account: { platform, id, name } }: Target): string {
  return id === undefined ? `The state of ${platform}` : `The state of ${accountText({ id, name })} of ${platform}`;
}

function indexText({ target, environment, plan }: Exported, kinds: readonly KindFile[], around: Around): string {
  const title = titleOf(target);
  const remarks = remarksText(environment, plan.notes, around.isOnly && !around.missing);
  const isProgram = around.isOnly && around.layout.kind !== "module";
  return isProgram ? programText(title, kinds, remarks) : moduleText(title, kinds, remarks);
}

function projectTexts(exported: readonly Exported[], { name }: Project): Record<string, string> {
  const [first] = exported as readonly [Exported];
  const { settings } = first.target.account.clients[0]!;
  const files = projectFiles(name, { ...settings, baseUrl: sharedPlatform(exported) });
  if (exported.length === 1) return files;
  return { ...files, "index.ts": manyAccountsText(`The state of ${exported.length} accounts`, accountsFolder) };
}

/** Undefined if the accounts are on different platforms. */
export function sharedPlatform(exported: readonly Exported[]): string | undefined {
  const platforms = new Set(exported.map(({ target }) => target.account.platform));
  return platforms.size === 1 ? [...platforms][0] : undefined;
}

/** For `pulumi import --file`. `hasSecrets`: in plain text, which the user supplied. */
function importFile(declarations: readonly Declaration[], { provider }: Adopter) {
  let hasSecrets = false;
  const table = provider === undefined ? undefined : { name: variableFor(provider, declarations), urn: provider };
  const resources = declarations.map(({ type, name, id, supplied = {} }) => {
    const inputs = Object.entries(supplied).map(([property, value]) => {
      if (!isSecret(type, property)) return [property, value];
      hasSecrets = true;
      return [property, { [signatureKey]: signatures.secret, plaintext: JSON.stringify(value) }];
    });
    return {
      type: `dataplatform:index:${type}`,
      name,
      id,
      ...(table ? { provider: table.name } : {}),
      ...(inputs.length > 0 ? { inputs: Object.fromEntries(inputs) } : {}),
    };
  });
  const file = { ...(table ? { nameTable: { [table.name]: table.urn } } : {}), resources };
  return { text: jsonText(file), hasSecrets };
}

/** Code that Pulumi writes has it as the provider's variable. Resources share the table; no name of theirs has an underscore. */
function variableFor(provider: string, declarations: readonly Declaration[]): string {
  const own = nameOf(provider).replace(/\W/g, "_");
  return /^\d/.test(own) || declarations.some(({ name }) => name === own) ? `provider_${own}` : own;
}

/** The files of a new project beside the program, by name. */
export function projectFiles(name: string, { baseUrl, extendedApi }: Settings): Record<string, string> {
  return {
    "Pulumi.yaml": pulumiYaml(name, { baseUrl, extendedApi }),
    "package.json": jsonText({
      name,
      private: true,
      main: "index.ts",
      dependencies: { "@pulumi/pulumi": "^3.120.0", "pulumi-dataplatform": `file:${packageFile()}` },
      devDependencies: { "@types/node": "^20.18.0", typescript: ">=5.0.0 <7" },
    }),
    "tsconfig.json": jsonText({
      compilerOptions: {
        target: "es2022",
        module: "node16",
        moduleResolution: "node16",
        types: ["node"],
        rootDir: ".",
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      },
      include: ["**/*.ts"],
      exclude: ["node_modules"],
    }),
    ".gitignore": "node_modules/\n",
  };
}

interface Settings {
  /** Undefined if each stack has its own. */
  readonly baseUrl: string | undefined;
  readonly extendedApi: boolean;
}

/** Sets plugin mode and the plugin's path, because Pulumi can only import through a plugin. */
function pulumiYaml(name: string, { baseUrl, extendedApi }: Settings): string {
  return `name: ${JSON.stringify(name)}
description: An existing data platform, exported with dataplatform export
runtime:
  name: nodejs
main: index.ts
plugins:
  providers:
    - name: dataplatform
      path: ./node_modules/pulumi-dataplatform/dist/plugin
config:
  dataplatform:mode:
    value: plugin
${baseUrl === undefined ? "" : `  dataplatform:baseUrl:\n    value: ${JSON.stringify(baseUrl)}\n`}${extendedApi ? "  dataplatform:extendedApi:\n    value: true\n" : ""}`;
}
