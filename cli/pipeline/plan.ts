import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Drift, driftSince } from "./drift";
import { movedParts, type StateDigest, sha256 } from "./state";

/** What a plan is bound to, as it is now. */
export interface Present {
  readonly stack: string;
  readonly commit: string;
  readonly tree: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly state: StateDigest;
}

export interface Bound extends Present {
  readonly drift: Drift["differing"];
  readonly createdAt: string;
  readonly validUntil: string;
  readonly planSha256: string;
}

interface Sealed {
  readonly format: 1;
  readonly bound: Bound;
  readonly signature: string;
  readonly plan: string;
}

/** A plan that is not applied, and why. */
export class Refused extends Error {
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join("\n"));
  }
}

/** How people name a plan. */
export const planId = ({ planSha256 }: Bound): string => planSha256.slice(0, 12);

/** `plan`: what `pulumi preview --save-plan` wrote. */
export function sealPlan(plan: string, facts: Omit<Bound, "planSha256">, key: string | undefined): string {
  const bound = { ...facts, planSha256: sha256(plan) };
  const sealed: Sealed = { format: 1, bound, signature: signatureOf(bound, key), plan };
  return `${JSON.stringify(sealed, null, 2)}\n`;
}

/**
 * Nothing in the file counts before its signature has been checked. The right signature is never in a message: whoever
 * can read the log could put it on a plan of their own.
 */
export function openPlan(text: string, key: string | undefined): { readonly bound: Bound; readonly plan: string } {
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

/** Every reason why the plan does not fit, with both values. */
export function misfits(bound: Bound, present: Present, now: Date): string[] {
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

/** `drift`: as it is now. */
export function driftMisfits(bound: Bound, drift: Drift): string[] {
  const reasons = [];
  const changes = driftSince(bound.drift, drift.differing);
  if (changes.length > 0) reasons.push(`drifted: the platform has changed since the preview: ${listed(changes)}`);
  if (drift.unreadable.length > 0)
    reasons.push(`not verifiable: whether these have drifted could not be read: ${listed(drift.unreadable)}`);
  return reasons;
}

function listed(items: readonly string[]): string {
  const most = 20;
  return items.slice(0, most).join("; ") + (items.length > most ? `; and ${items.length - most} more` : "");
}

function signatureOf(bound: Bound, key: string | undefined): string {
  // The first line keeps signatures of other things, made with the same key, from fitting here.
  const text = `dataplatform plan 1\n${JSON.stringify(bound)}`;
  return key
    ? `hmac-sha256:${createHmac("sha256", key).update(text).digest("hex")}`
    : `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function parse(text: string): Sealed {
  try {
    const sealed = JSON.parse(text);
    if (sealed.format === 1 && sealed.bound && typeof sealed.signature === "string" && typeof sealed.plan === "string")
      return sealed;
  } catch {
    // The same reason as for JSON of another form.
  }
  throw new Refused(["changed: the file is not a plan that this pipeline has written"]);
}
