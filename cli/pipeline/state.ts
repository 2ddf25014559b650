import { createHash } from "node:crypto";
import { shortName } from "./names";

/** What of a stack's state a plan depends on, as digests. */
export interface StateDigest {
  readonly digest: string;
  /** A digest for each URN. */
  readonly parts: Readonly<Record<string, string>>;
}

export interface Exported {
  readonly deployment?: {
    readonly resources?: readonly (Readonly<Record<string, unknown>> & { readonly urn: string })[] | null;
    readonly pending_operations?: readonly object[] | null;
    readonly secrets_providers?: object | null;
  } | null;
}

/** Fields that a run may write differently although nothing has changed. */
const irrelevant = new Set(["sourcePosition", "stackTrace", "propertyDependencies"]);

/**
 * Every run encrypts secrets anew, so their text says nothing: a changed one shows in the resource's `modified`. The
 * manifest holds the time of the last run, and is left out too.
 */
export function digestState({ deployment }: Exported): StateDigest {
  const { resources, pending_operations: pending, secrets_providers: encryption } = deployment ?? {};
  const texts = (resources ?? []).map((resource): [string, string] => [resource.urn, canonical(relevant(resource))]);
  if (pending && pending.length > 0) texts.push(["pending operations", canonical(pending)]);
  if (encryption) texts.push(["encryption", canonical(encryption)]);
  const parts: Record<string, string> = {};
  // A replaced resource that is still to be deleted has the URN of its replacement.
  for (const [name, text] of texts.sort(([, a], [, b]) => (a < b ? -1 : 1)))
    parts[name] = sha256((parts[name] ?? "") + text).slice(0, 12);
  return { digest: sha256(canonical(parts)), parts };
}

/** What differs, in words. */
export function movedParts(before: StateDigest, now: StateDigest): string[] {
  return Object.keys({ ...before.parts, ...now.parts })
    .filter((name) => before.parts[name] !== now.parts[name])
    .sort()
    .map(
      (name) => `${shortName(name)} ${!before.parts[name] ? "is new" : !now.parts[name] ? "is gone" : "has changed"}`,
    );
}

export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

function relevant(resource: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => !irrelevant.has(name)));
}

/** JSON with sorted keys, and without what is encrypted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    if ("ciphertext" in inner) return "[secret]";
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
