import type { Properties } from "../core/properties";
import type { PlacedMistake, YamlFile } from "./document";
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
  readonly mistakes: PlacedMistake[];
}
