import { isSecretPath } from "../components/secret-paths";
import { propertyPath } from "../core/check";
import { unknownValue } from "../core/unknowns";
import type { Mistake } from "./names";

type Path = readonly string[];
type Values = Record<string, unknown>;

/** A reference to a secret of the stack's configuration. */
export interface SecretReference {
  readonly path: Path;
  /** Its name in the configuration. */
  readonly name: string;
}

/**
 * Takes the secrets out of an environment: where one belongs, only a reference may stand. In the value that is returned
 * they count as not known yet.
 */
export function takeSecrets(
  value: unknown,
  patterns: readonly string[],
  mistakes: Mistake[],
): { readonly value: unknown; readonly secrets: SecretReference[] } {
  const secrets: SecretReference[] = [];
  const visit = (inner: unknown, path: Path): unknown => {
    const isSecret = isSecretPath(patterns, path);
    const name = nameIn(inner);
    if (isSecret && name !== undefined) secrets.push({ path, name });
    else if (isSecret) mistakes.push({ path, text: plainSecret(path) });
    else if (name !== undefined) mistakes.push({ path, text: notASecret(path) });
    if (isSecret || name !== undefined) return unknownValue;
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, visit(one, [...path, key])]));
  };
  return { value: visit(value, []), secrets };
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { $secret, ...others } = value as Values;
  return typeof $secret === "string" && $secret !== "" && Object.keys(others).length === 0 ? $secret : undefined;
}

function plainSecret(path: Path): string {
  const name = path.slice(-2).join("-");
  return `${propertyPath(path)} is a secret, which must not stand in a file; run "pulumi config set --secret ${name}" and write { $secret: ${name} }`;
}

function notASecret(path: Path): string {
  return `${propertyPath(path)} is not a secret property, so $secret is not allowed here; write the value itself`;
}
