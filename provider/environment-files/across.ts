import { childrenIn, type TeamEnvironmentInputs } from "../components/inputs";
import { isInNewAccount } from "../components/structure";
import { keysOf } from "../core/keys";
import type { Properties } from "../core/properties";
import { type Mistake, pathOf, type YamlFile } from "./document";
import type { SecretReference } from "./secrets";

export interface EnvironmentFile {
  readonly name: string;
  readonly file: string;
  /** The arguments; at the paths of secrets stand references. */
  readonly args: Properties;
  readonly secrets: readonly (SecretReference & { readonly place: string })[];
}

/** A file and what is wrong with it so far. */
export interface ReadFile {
  readonly yaml: YamlFile;
  readonly environment: EnvironmentFile;
  /** The arguments, with secrets unknown. */
  readonly values: Properties;
  readonly mistakes: Mistake[];
}

/** Two files must not declare the same thing in one account: the engine would name two resources, and no file. */
export function addRepetitions(files: readonly ReadFile[]): void {
  const places = new Map<string, string>();
  // Keys are derived from valid values only.
  for (const { yaml, values, mistakes } of files.filter((file) => file.mistakes.length === 0))
    for (const { property, key } of declaredIn(values)) {
      const at = pathOf(property);
      const first = places.get(key);
      if (first === undefined) places.set(key, yaml.place(at));
      else mistakes.push({ at, text: `${property} declares the ${key}, as ${first} does; ${onceIn(property)}` });
    }
}

/** What an environment declares in the caller's account: another one there must not declare it too. */
function declaredIn(values: Properties): { readonly property: string; readonly key: string }[] {
  return childrenIn(values)
    .filter(({ path }) => !isInNewAccount(values as TeamEnvironmentInputs, path.split(".", 1)[0]!))
    .flatMap(({ path, definition, inputs, madeOf }) =>
      keysOf(definition, inputs).map((key) => ({ property: madeOf ?? `${path}.${definition.keys!.property}`, key })),
    );
}

/** Teams may well share a way back in. */
const onceIn = (property: string): string =>
  `declare it only once${property.startsWith("whitelist.") ? ", in one of the files or beside them as a WhitelistedIp" : ""}`;

/** A name that an environment had before must be free, and only one environment can have had it. */
export function addRenamings(files: readonly ReadFile[]): void {
  const current = new Map(files.map(({ environment: { name, file } }) => [name, file]));
  const former = new Map<string, string>();
  for (const { yaml, environment, mistakes } of files) {
    const { renamedFrom } = environment.args;
    if (typeof renamedFrom !== "string") continue;
    const at = ["renamedFrom"];
    const problem = problemWith(renamedFrom, environment.name, current.get(renamedFrom), former.get(renamedFrom));
    if (problem) mistakes.push({ at, text: `renamedFrom ${problem}` });
    former.set(renamedFrom, yaml.place(at));
  }
}

function problemWith(name: string, own: string, current: string | undefined, former: string | undefined) {
  if (name === own) return `is ${name}, the environment's own name; give the name that it had before`;
  if (current !== undefined)
    return `is ${name}, but ${current} still declares that environment; delete that file, or remove renamedFrom`;
  if (former !== undefined) return `is ${name}, as in ${former}; only one environment can take it over`;
  return undefined;
}
