/** What of a stack's state a plan depends on, as digests. */
import { createHash } from "node:crypto";
import { shortName } from "./urn.mjs";

/**
 * @typedef {Record<string, unknown> & { urn: string }} Resource
 * @typedef {{ resources?: Resource[] | null, pending_operations?: object[] | null, secrets_providers?: object | null }} Deployment
 * @typedef {{ digest: string, parts: Record<string, string> }} StateDigest `parts`: a digest for each URN
 */

/** Fields that a run may write differently although nothing has changed. */
const irrelevant = new Set(["sourcePosition", "stackTrace", "propertyDependencies"]);

/**
 * Every run encrypts secrets anew, so their text says nothing: a changed one shows in the resource's `modified`. The
 * manifest holds the time of the last run, and is left out too.
 * @param {{ deployment?: Deployment | null }} exported what `pulumi stack export` printed
 * @returns {StateDigest}
 */
export function digestState({ deployment }) {
  const { resources, pending_operations: pending, secrets_providers: encryption } = deployment ?? {};
  const texts = (resources ?? []).map(
    (resource) => /** @type {const} */ ([resource.urn, canonical(relevant(resource))]),
  );
  if (pending && pending.length > 0) texts.push(["pending operations", canonical(pending)]);
  if (encryption) texts.push(["encryption", canonical(encryption)]);
  /** @type {Record<string, string>} */
  const parts = {};
  // A replaced resource that is still to be deleted has the URN of its replacement.
  for (const [name, text] of texts.sort(([, a], [, b]) => (a < b ? -1 : 1)))
    parts[name] = sha256((parts[name] ?? "") + text).slice(0, 12);
  return { digest: sha256(canonical(parts)), parts };
}

/** What differs, in words. @param {StateDigest} before @param {StateDigest} now */
export function movedParts(before, now) {
  return Object.keys({ ...before.parts, ...now.parts })
    .filter((name) => before.parts[name] !== now.parts[name])
    .sort()
    .map(
      (name) => `${shortName(name)} ${!before.parts[name] ? "is new" : !now.parts[name] ? "is gone" : "has changed"}`,
    );
}

/** @param {string} text */
export const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** @param {Resource} resource */
function relevant(resource) {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => !irrelevant.has(name)));
}

/** JSON with sorted keys, and without what is encrypted. @param {unknown} value */
function canonical(value) {
  return JSON.stringify(value, (_key, inner) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    if ("ciphertext" in inner) return "[secret]";
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
