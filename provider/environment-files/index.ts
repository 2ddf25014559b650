import { readFileSync } from "node:fs";
import { teamEnvironment } from "../components/team-environment";
import type { Properties } from "../core/values";
import { pathOf, YamlFile } from "./document";
import { filesOf, nameOf } from "./files";
import { type Mistake, withKnownNames } from "./names";
import { type SecretReference, takeSecrets } from "./secrets";

/** The adapter for environments in files: `sdk/environments.ts` reads them with it in the program's own process. */

export interface EnvironmentFile {
  readonly name: string;
  readonly file: string;
  /** The arguments; at the paths of secrets stand references. */
  readonly args: Properties;
  readonly secrets: readonly (SecretReference & { readonly place: string })[];
}

/** All mistakes in all files at once, one per line. */
export class InvalidFiles extends Error {
  readonly code = "invalid-environment-files";

  constructor(pattern: string, mistakes: readonly string[]) {
    super(`${pattern}: ${mistakes.length} mistake${mistakes.length > 1 ? "s" : ""}\n  ${mistakes.join("\n  ")}`);
    this.name = "InvalidFiles";
  }
}

export function readEnvironments(pattern: string): EnvironmentFile[] {
  const files = filesOf(pattern);
  if (files.length === 0)
    throw new InvalidFiles(pattern, [
      "no file found; give a folder with .yaml files, or a path such as environments/*.yaml",
    ]);
  const mistakes = nameMistakes(files);
  const read = files.map((file) => readOne(file, mistakes));
  if (mistakes.length > 0) throw new InvalidFiles(pattern, mistakes);
  return read;
}

function readOne(file: string, mistakes: string[]): EnvironmentFile {
  const yaml = new YamlFile(file, readFileSync(file, "utf8"));
  const nothing = { name: nameOf(file), file, args: {}, secrets: [] };
  mistakes.push(...yaml.errors);
  if (yaml.errors.length > 0) return nothing;
  const value = yaml.value ?? {};
  if (typeof value !== "object" || Array.isArray(value)) {
    mistakes.push(`${file}:1:1: the file must hold properties, such as whitelist: or dataStores:`);
    return nothing;
  }
  const { $schema: _, ...given } = value as Properties;
  const { args, secrets, found } = check(given);
  mistakes.push(...found.map(({ path, text }) => `${yaml.placeOf(path)}: ${text}`));
  return { ...nothing, args, secrets: secrets.map((secret) => ({ ...secret, place: yaml.placeOf(secret.path) })) };
}

function check(given: Properties) {
  const found: Mistake[] = [];
  const { inputs, secrets: patterns } = teamEnvironment;
  const named = withKnownNames(inputs, given, found) as Properties;
  const { value, secrets } = takeSecrets(named, patterns, found);
  for (const { property, reason } of teamEnvironment.check(value as Properties))
    found.push({ path: pathOf(property), text: `${property} ${reason}` });
  return { args: named, secrets, found };
}

const environmentName = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;

/** The name of a file becomes part of the names of resources. */
function nameMistakes(files: readonly string[]): string[] {
  const names = files.map(nameOf);
  return files.flatMap((file, index) => {
    const name = names[index]!;
    if (!environmentName.test(name))
      return [`${file}: the file's name is the environment's; use letters, digits, - and _ only`];
    const first = names.indexOf(name);
    return first < index ? [`${file}: the environment ${name} is also in ${files[first]}; rename one of them`] : [];
  });
}
