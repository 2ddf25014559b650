import { isDeepStrictEqual } from "node:util";
import { secretsOf } from "../../provider/core/secrets";
import { definitionOf } from "../pulumi/declarable";
import type { Names } from "../pulumi/names";
import { isAbout, type Known } from "./known";
import { Secret, secretOf } from "./source";

/** A resource of the program, with its import id. */
export interface Declaration {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  /** Inputs that an import cannot read: the import file supplies them. */
  readonly supplied?: Readonly<Record<string, unknown>>;
  /** Where the user told about it; then a mistake is an error. */
  readonly place?: string;
  /** Added as a comment next to it. */
  readonly remark?: string | undefined;
}

/** Completes what was read with what the user knows, and adds what the API does not list. */
export function withKnown(read: readonly Declaration[], known: readonly Known[], names: Names) {
  const warnings: string[] = [];
  const declarations = [...read];
  for (const entry of known) {
    const at = declarations.findIndex((declaration) => isAbout(entry, declaration));
    const found = declarations[at] ?? unlisted(entry, names);
    const differing = Object.keys(entry.inputs).filter((property) => isShown(property, found, entry));
    if (differing.length > 0)
      warnings.push(
        `${entry.place}: the platform shows another value for ${differing.join(", ")} of ${entry.type} ${found.id}, which is used`,
      );
    declarations.splice(at < 0 ? declarations.length : at, 1, completed(found, entry));
  }
  return { declarations, warnings };
}

function unlisted({ type, id, name, place }: Known, names: Names): Declaration {
  if (id === undefined) throw new Error(`${place}: the platform shows no ${type}; give its id`);
  return { type, id, name: names.of(name ?? `${type}-${id}`), inputs: { ...definitionOf(type).importId.tells?.(id) } };
}

/** What the platform shows is what an import reads, so it counts. */
function isShown(property: string, { type, inputs }: Declaration, { inputs: given }: Known): boolean {
  const shown = inputs[property];
  if (shown === undefined || isSecret(type, property)) return false;
  return !isDeepStrictEqual(shown, given[property]);
}

/**
 * The program takes secrets from the stack's configuration; only the import file has them. It has everything else that the
 * program says as well: what neither the platform shows nor the file has would count as changed.
 */
function completed(found: Declaration, { inputs: given, place }: Known): Declaration {
  const { type, name } = found;
  const known = { ...given, ...found.inputs };
  const secret = Object.keys(given).filter((property) => isSecret(type, property));
  const plain = Object.entries(known).filter(
    ([property, value]) => !secret.includes(property) && !(value instanceof Secret),
  );
  return {
    ...found,
    place,
    inputs: {
      ...known,
      ...Object.fromEntries(secret.map((property) => [property, secretOf(name, property, "require")])),
    },
    supplied: {
      ...Object.fromEntries(plain),
      ...Object.fromEntries(secret.map((property) => [property, given[property]])),
    },
  };
}

export function isSecret(type: string, property: string): boolean {
  return secretsOf(definitionOf(type)).includes(property);
}
