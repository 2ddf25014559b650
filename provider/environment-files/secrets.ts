import { isSecretPath } from "../components/secret-paths";
import { propertyPath } from "../core/check";
import { unknownValue } from "../core/engine-values";
import { pathsOf } from "../core/secrets";
import { isFields } from "../values/json";
import type { Mistake } from "./document";

type Path = readonly string[];

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
  const secretPaths = pathsOf(patterns);
  const visit = (inner: unknown, path: Path): unknown => {
    const isSecret = isSecretPath(secretPaths, path);
    const reference = isSecret ? referenceIn(inner) : undefined;
    const isMisplaced = !isSecret && isReference(inner);
    const wrong = (reason: string) => mistakes.push({ at: path, text: `${propertyPath(path)} ${reason}` });
    if (typeof reference === "string") secrets.push({ path, name: reference });
    else if (isSecret) wrong(reference?.problem ?? plainSecret(path));
    else if (isMisplaced) wrong("is not a secret property, so $secret is not allowed here; write the value itself");
    if (isSecret || isMisplaced) return unknownValue;
    if (!isFields(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, visit(one, [...path, key])]));
  };
  return { value: visit(value, []), secrets };
}

function isReference(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "$secret";
}

/** The name in `{ $secret: name }`, or what is wrong with what looks like it. The name may be a secret by mistake. */
function referenceIn(value: unknown): string | { readonly problem: string } | undefined {
  if (!isFields(value)) return undefined;
  const [[key, name] = ["", undefined], ...others] = Object.entries(value);
  if (!key.startsWith("$")) return undefined;
  if (key !== "$secret") return { problem: `has the unknown reference ${key}; did you mean $secret?` };
  if (others.length > 0) return { problem: "has other properties besides $secret; remove them" };
  if (typeof name === "string" && configName.test(name)) return name;
  return {
    problem:
      "refers to a secret by something that is not a name in the configuration; use letters, digits, -, _ and . only, such as { $secret: ordersPassword }",
  };
}

/** `name` or `namespace:name`. Others could stand in a configuration, but not in the commands that messages show. */
const configName = /^(?!-)[\p{L}\p{N}_./-]+(:(?!-)[\p{L}\p{N}_./-]+)?$/u;

function plainSecret(path: Path): string {
  const name = path.slice(-2).join("-");
  return `is a secret, which must not be in a file; run "pulumi config set --secret ${name}" and write { $secret: ${name} }`;
}
