/** A plan and what it is bound to, sealed in one file. Decides whether a plan may be applied; reads and runs nothing. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { driftSince } from "./drift.mjs";
import { movedParts, sha256 } from "./state.mjs";

/**
 * @typedef {{
 *   stack: string, commit: string, tree: string,
 *   versions: Record<string, string>,
 *   state: import("./state.mjs").StateDigest,
 * }} Present what a plan is bound to, as it is now
 * @typedef {Present & {
 *   drift: Record<string, string>,
 *   createdAt: string, validUntil: string,
 *   planSha256: string,
 * }} Bound
 * @typedef {{ format: 1, bound: Bound, signature: string, plan: string }} Sealed
 */

/** A plan that is not applied, and why. */
export class Refused extends Error {
  /** @param {string[]} reasons */
  constructor(reasons) {
    super(reasons.join("\n"));
    this.reasons = reasons;
  }
}

/** How people name a plan. @param {Bound} bound */
export const planId = ({ planSha256 }) => planSha256.slice(0, 12);

/**
 * @param {string} plan what `pulumi preview --save-plan` wrote
 * @param {Omit<Bound, "planSha256">} facts @param {string | undefined} key
 */
export function sealPlan(plan, facts, key) {
  const bound = { ...facts, planSha256: sha256(plan) };
  /** @type {Sealed} */
  const sealed = { format: 1, bound, signature: signatureOf(bound, key), plan };
  return `${JSON.stringify(sealed, null, 2)}\n`;
}

/**
 * Nothing in the file counts before its signature has been checked. The right signature is never in a message: whoever
 * can read the log could put it on a plan of their own.
 * @param {string} text @param {string | undefined} key
 * @returns {{ bound: Bound, plan: string }}
 */
export function openPlan(text, key) {
  const { bound, signature, plan } = parse(text);
  if (key && !signature.startsWith("hmac-"))
    throw new Refused(["unsigned: the plan has only a checksum, and here PLAN_KEY is set, so it must be signed"]);
  if (!key && signature.startsWith("hmac-"))
    throw new Refused([
      "not verifiable: the plan is signed, and PLAN_KEY is not set here; set the key it was signed with",
    ]);
  if (!isEqual(signature, signatureOf(bound, key)))
    throw new Refused([
      `changed: the signature ${signature.slice(0, 24)}… does not fit what the plan says it is bound to; ` +
        "either was changed after the preview, or the preview has another PLAN_KEY",
    ]);
  const actual = sha256(plan);
  if (actual !== bound.planSha256)
    throw new Refused([`changed: the SHA-256 of the plan is ${actual}, and ${bound.planSha256} was signed`]);
  return { bound, plan };
}

/**
 * Every reason why the plan does not fit, with both values.
 * @param {Bound} bound @param {Present} present @param {Date} now
 */
export function misfits(bound, present, now) {
  const reasons = [];
  if (bound.stack !== present.stack)
    reasons.push(`foreign: the plan is for the stack ${bound.stack}, and this is ${present.stack}`);
  if (bound.tree !== present.tree)
    reasons.push(
      `foreign: the plan is for the files of commit ${bound.commit} (tree ${bound.tree}), ` +
        `and this is commit ${present.commit} (tree ${present.tree})`,
    );
  for (const name of Object.keys({ ...bound.versions, ...present.versions }))
    if (bound.versions[name] !== present.versions[name])
      reasons.push(
        `other version: the plan was made with ${name} ${bound.versions[name] ?? "(none)"}, ` +
          `and this is ${present.versions[name] ?? "(none)"}`,
      );
  if (now.getTime() >= Date.parse(bound.validUntil))
    reasons.push(
      `too old: the plan is of ${bound.createdAt}, valid until ${bound.validUntil}, and it is ${now.toISOString()}`,
    );
  if (bound.state.digest !== present.state.digest)
    reasons.push(
      `stale: the stack's state was ${bound.state.digest.slice(0, 12)} at the preview, ` +
        `and is ${present.state.digest.slice(0, 12)}: ${listed(movedParts(bound.state, present.state))}`,
    );
  return reasons;
}

/** @param {Bound} bound @param {import("./drift.mjs").Drift} drift as it is now */
export function driftMisfits(bound, drift) {
  const reasons = [];
  const changes = driftSince(bound.drift, drift.differing);
  if (changes.length > 0) reasons.push(`drifted: the platform has changed since the preview: ${listed(changes)}`);
  if (drift.unreadable.length > 0)
    reasons.push(`not verifiable: whether these have drifted could not be read: ${listed(drift.unreadable)}`);
  return reasons;
}

/** @param {string[]} items */
function listed(items) {
  const most = 20;
  return items.slice(0, most).join("; ") + (items.length > most ? `; and ${items.length - most} more` : "");
}

/** @param {Bound} bound @param {string | undefined} key */
function signatureOf(bound, key) {
  // The first line keeps signatures of other things, made with the same key, from fitting here.
  const text = `dataplatform plan 1\n${JSON.stringify(bound)}`;
  return key
    ? `hmac-sha256:${createHmac("sha256", key).update(text).digest("hex")}`
    : `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** @param {string} one @param {string} other */
function isEqual(one, other) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @param {string} text @returns {Sealed} */
function parse(text) {
  try {
    const sealed = JSON.parse(text);
    if (sealed.format === 1 && sealed.bound && typeof sealed.signature === "string" && typeof sealed.plan === "string")
      return sealed;
  } catch {
    // The same reason as for JSON of another form.
  }
  throw new Refused(["changed: the file is not a plan that this pipeline has written"]);
}
