import { readFileSync } from "node:fs";
import { teamEnvironment } from "../components/team-environment";
import type { Properties } from "../core/properties";
import { secretsOf } from "../core/secrets";
import { addRenamings, addRepetitions, type EnvironmentFile, type ReadFile } from "./across";
import { type Mistake, pathOf, YamlFile } from "./document";
import { filesOf, nameOf } from "./files";
import { withKnownNames } from "./names";
import { takeSecrets } from "./secrets";

/** The adapter for environments in files: `sdk/environments.ts` reads them with it in the program's own process. */

export type { EnvironmentFile } from "./across";
export { otherExtensions } from "./files";

/** All mistakes in all files at once, one per line. */
class InvalidFiles extends Error {
  readonly code = "invalid-environment-files";

  constructor(pattern: string, mistakes: readonly string[]) {
    super(`${pattern}: ${mistakes.length} mistake${mistakes.length > 1 ? "s" : ""}\n  ${mistakes.join("\n  ")}`);
    this.name = "InvalidFiles";
  }
}

interface Options {
  /** Whether all environments go into one account, where two of them must not declare the same thing. */
  readonly inOneAccount?: boolean;
}

export function readEnvironments(pattern: string, { inOneAccount = false }: Options = {}): EnvironmentFile[] {
  const files = filesOf(pattern);
  if (files.length === 0)
    throw new InvalidFiles(pattern, [
      "no file found; give a folder with .yaml files, or a path such as environments/*.yaml",
    ]);
  const read = files.map(readOne);
  addRenamings(read);
  if (inOneAccount) addRepetitions(read);
  const mistakes = [...nameMistakes(files), ...read.flatMap((one) => one.yaml.linesOf(one.mistakes))];
  if (mistakes.length > 0) throw new InvalidFiles(pattern, mistakes);
  return read.map(({ environment }) => environment);
}

function readOne(file: string): ReadFile {
  const yaml = new YamlFile(file, readFileSync(file, "utf8"));
  const { value, errors } = yaml;
  const environment = { name: nameOf(file), file, args: {}, secrets: [] };
  const refused = (...texts: readonly string[]): ReadFile => {
    return { yaml, environment, values: {}, mistakes: [...errors, ...texts.map((text) => ({ at: 0, text }))] };
  };
  if (value === undefined) return refused();
  if (typeof value !== "object" || Array.isArray(value)) return refused(notProperties);
  const { $schema: _, ...given } = (value ?? {}) as Properties;
  if (Object.keys(given).length === 0 && !yaml.isEmptyMap) return refused(noParts);
  const { args, values, secrets, found } = check(given);
  const referred = secrets.map((secret) => ({ ...secret, place: yaml.place(secret.path) }));
  return { yaml, environment: { ...environment, args, secrets: referred }, values, mistakes: [...errors, ...found] };
}

const notProperties = "the file must hold properties, such as whitelist: or dataStores:";
const noParts =
  "the file is empty, which would delete everything in the environment; to remove the environment, delete the file, or write {} to keep it without any parts";

function check(given: Properties) {
  const found: Mistake[] = [];
  const named = withKnownNames(teamEnvironment.inputs, given, found) as Properties;
  const { value, secrets } = takeSecrets(named, secretsOf(teamEnvironment), found);
  for (const { property, reason } of teamEnvironment.check(value as Properties))
    found.push({ at: pathOf(property), text: `${property} ${reason}` });
  return { args: named, values: value as Properties, secrets, found };
}

const environmentName = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;

/** The name of a file becomes part of the names of resources. */
function nameMistakes(files: readonly string[]): string[] {
  const names = files.map(nameOf);
  return files.flatMap((file, index) => {
    const name = names[index]!;
    if (!environmentName.test(name))
      return [`${file}: the environment has the name of the file; use letters, digits, - and _ only`];
    const first = names.indexOf(name);
    return first < index ? [`${file}: the environment ${name} is also in ${files[first]}; rename one of them`] : [];
  });
}
