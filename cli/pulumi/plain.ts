import { signatureKey, signatures } from "../../provider/core/engine-values";

/** What the engine prints in a plan instead of a secret. */
export const maskedSecret = "[secret]";

export interface Plain {
  readonly value: Record<string, unknown>;
  /** Names of the properties that are or contain secrets. */
  readonly secretNames: ReadonlySet<string>;
}

/** Decodes the properties of an exported state, and collects which of them are secret. */
export function plainProperties(properties: Readonly<Record<string, unknown>> = {}): Plain {
  const secretNames = new Set<string>();
  const value = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, plain(inner, () => secretNames.add(name))]),
  );
  return { value, secretNames };
}

function plain(value: unknown, foundSecret: () => void): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, foundSecret));
  if (typeof value !== "object" || value === null) return value;
  const object = value as Record<string, unknown>;
  if (object[signatureKey] === signatures.secret) {
    foundSecret();
    // Exported without --show-secrets, it has no plain text.
    const { plaintext } = object;
    return typeof plaintext === "string" ? plain(JSON.parse(plaintext), foundSecret) : undefined;
  }
  return Object.fromEntries(Object.entries(object).map(([key, inner]) => [key, plain(inner, foundSecret)]));
}
