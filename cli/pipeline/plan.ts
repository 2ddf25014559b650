import { accountText, type TokenAccount } from "../platform/accounts";
import { shortName } from "../pulumi/subject";
import { blindness, type Drift, driftSince, overwrittenIn, removedFrom } from "./drift";
import { signatureOf, verifySignature } from "./keys";
import { Refused } from "./refused";
import { movedParts, type StateDigest, sha256 } from "./state";

/** What a plan is bound to, as it is now. */
export interface Present {
  readonly stack: string;
  readonly commit: string;
  readonly tree: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Digest of the installed packages. */
  readonly installed: string;
}

/** Which rules a plan was judged by. */
export interface RulesProof {
  /** The pack, its version, and the digest of its files. */
  readonly pack: string;
  /** Digests of `policies.json` on the protected branch and in the change. */
  readonly base: string;
  readonly head: string;
}

export interface Bound extends Present {
  readonly kind: "change" | "repair";
  /** URNs that a repair is about; a change is about all. */
  readonly targets: readonly string[];
  /** The commit of the protected branch whose rules and gate judged it. */
  readonly base: string;
  readonly state: StateDigest;
  readonly drift: Drift["differing"];
  /** Addresses that it removes from the login whitelist. Absent: not known. */
  readonly whitelist?: readonly string[] | undefined;
  /** By URN, what is there already where it creates something, such as a policy. Absent: not known. */
  readonly overwritten?: Readonly<Record<string, string>> | undefined;
  readonly rules: RulesProof;
  /** The tree that the stack was last deployed with: its rules, and not older ones, are what this one was compared with. */
  readonly deployed: string | null;
  /** Digests of what was approved beside the review. */
  readonly approved: readonly string[];
  /** Signature of stack and tree, for the record of the deployment. */
  readonly judged: string;
  /** Address of the platform, and the account of the token that read it, if the token shows that. */
  readonly platform: string;
  readonly account?: TokenAccount | undefined;
  readonly createdAt: string;
  readonly planSha256: string;
}

interface Sealed {
  readonly format: 2;
  readonly bound: Bound;
  readonly signature: string;
  readonly plan: string;
}

/** The first line keeps signatures of other things, made with the same key, from fitting here. */
const signedText = (bound: Bound): string => `dataplatform plan 2\n${JSON.stringify(bound)}`;

/** What people approve: it stands for the plan and everything that it is bound to. */
export const planId = (bound: Bound): string => sha256(signedText(bound));

export const isPlanId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** `plan`: what `pulumi preview --save-plan` wrote. */
export function sealPlan(plan: string, facts: Omit<Bound, "planSha256">, key: string | undefined): string {
  const bound: Bound = { ...facts, planSha256: sha256(plan) };
  const sealed: Sealed = { format: 2, bound, signature: signatureOf(signedText(bound), key), plan };
  return `${JSON.stringify(sealed, null, 2)}\n`;
}

export interface Opened {
  readonly bound: Bound;
  readonly plan: string;
  /** Fingerprint of a key; undefined if there is only a checksum. */
  readonly signer: string | undefined;
}

/** Nothing in the file counts before its signature has been checked. `keys`: one or more, for verifying. */
export function openPlan(text: string, keys: string | undefined): Opened {
  const { bound, signature, plan } = parse(text);
  const signer = verifySignature(signedText(bound), signature, keys);
  const actual = sha256(plan);
  if (actual !== bound.planSha256)
    throw new Refused([`changed: the SHA-256 of the plan is ${actual}, and ${bound.planSha256} was signed`]);
  return { bound, plan, signer };
}

/** The id that a file claims, to choose among files; `openPlan` verifies it. */
export function claimedId(text: string): string | undefined {
  try {
    return planId(parse(text).bound);
  } catch {
    return undefined;
  }
}

/** Every reason why the plan does not fit, with both values. */
export function misfits(bound: Bound, present: Present): string[] {
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
  if (bound.installed !== present.installed)
    reasons.push(
      `other files: the digest of the installed packages was ${bound.installed.slice(0, 12)} at the preview, ` +
        `and is ${present.installed.slice(0, 12)}`,
    );
  return reasons;
}

const hour = 3_600_000;
/** How far the clocks of two jobs may be apart. */
const skewMs = 300_000;

/** By the clock of whoever applies it. */
export function ageMisfits({ createdAt }: Bound, maxAgeHours: number, now: Date): string[] {
  const age = now.getTime() - Date.parse(createdAt);
  if (!Number.isFinite(age)) return ["not verifiable: the date of the plan cannot be read"];
  if (age < -skewMs)
    return [`not verifiable: the plan is of ${createdAt}, which is in the future: it is ${now.toISOString()}`];
  if (age < maxAgeHours * hour) return [];
  return [`too old: the plan is of ${createdAt}, may be ${maxAgeHours} h old, and it is ${now.toISOString()}`];
}

export function stateMisfits(bound: Bound, state: StateDigest): string[] {
  if (bound.state.digest === state.digest) return [];
  return [
    `stale: the stack's state was ${bound.state.digest.slice(0, 12)} when the plan was sealed, ` +
      `and is ${state.digest.slice(0, 12)}: ${listed(movedParts(bound.state, state))}`,
  ];
}

/** `deployed`: the last tree now. The plan's own is that of an attempt that failed. */
export function deploymentMisfits(bound: Bound, deployed: string | undefined): string[] {
  if (deployed === (bound.deployed ?? undefined) || deployed === bound.tree) return [];
  const words = (tree: string | null | undefined): string => (tree ? `tree ${tree.slice(0, 12)}` : "none");
  return [
    `stale: the rules and settings of the plan were compared with the last deployment (${words(bound.deployed)}), and there was another since (${words(deployed)})`,
  ];
}

/** `drift`: as it is now. */
export function driftMisfits(bound: Bound, drift: Drift): string[] {
  if (bound.account && drift.account && bound.account.id !== drift.account.id)
    return [
      `other account: the plan was sealed for ${accountText(bound.account)}, and the token of this job belongs to ${accountText(drift.account)}; give it one of account ${bound.account.id}`,
    ];
  const reasons = blindness(drift);
  if (reasons.length > 0) return reasons;
  const changes = driftSince(bound.drift, drift.differing);
  if (changes.length > 0) reasons.push(`drifted: the platform has changed since the preview: ${listed(changes)}`);
  reasons.push(...whitelistMisfits(bound, drift), ...overwrittenMisfits(bound, drift));
  if (drift.unreadable.length > 0)
    reasons.push(`not verifiable: whether these have drifted could not be read: ${listed(drift.unreadable)}`);
  return reasons;
}

/** What nobody has declared is no drift; but an exclusive list removes it. */
function whitelistMisfits({ whitelist: before }: Bound, drift: Drift): string[] {
  if (!before) return [];
  const now = removedFrom(drift);
  if (!now)
    return [
      `not verifiable: what this removes from the login whitelist is not known: ${listed(drift.whitelist!.unknown)}`,
    ];
  const beyond = (some: readonly string[], others: readonly string[]) => some.filter((one) => !others.includes(one));
  const changes = [
    ...beyond(now, before).map((address) => `${address} would be removed too`),
    ...beyond(before, now).map((address) => `${address} would not be removed any more`),
  ];
  return changes.length === 0 ? [] : [`drifted: the login whitelist has changed since the preview: ${listed(changes)}`];
}

/** Nor is the policy that an object has drift, before there is a resource for it. */
function overwrittenMisfits({ overwritten: before = {} }: Bound, drift: Drift): string[] {
  const now = overwrittenIn(drift);
  return Object.keys(before).flatMap((urn) => {
    const unknown = drift.overwritten?.find((one) => one.urn === urn)?.unknown;
    if (unknown !== undefined) return [`not verifiable: what ${shortName(urn)} overwrites is not known: ${unknown}`];
    if (now[urn] === before[urn]) return [];
    return [
      `drifted: what ${shortName(urn)} overwrites has changed since the preview: it was ${before[urn]}, and is ${now[urn] ?? "nothing"}`,
    ];
  });
}

function listed(items: readonly string[]): string {
  const most = 20;
  return items.slice(0, most).join("; ") + (items.length > most ? `; and ${items.length - most} more` : "");
}

function parse(text: string): Sealed {
  try {
    const sealed = JSON.parse(text);
    if (sealed.format === 2 && sealed.bound && typeof sealed.signature === "string" && typeof sealed.plan === "string")
      return sealed;
  } catch {
    // The same reason as for JSON of another form.
  }
  throw new Refused(["changed: the file is not a plan that this pipeline has written"]);
}
