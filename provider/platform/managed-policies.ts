import { isPlatformError } from "../api/errors";
import type { Log } from "../core/define";
import { isRewritten, type Policy, samePolicy } from "../values/policy";

/** The policy of an object or a folder, all of which one resource manages: what was there before, and the way back. */
interface ManagedPolicy {
  /** In messages: `note/501`. */
  readonly of: string;
  readonly log: Log;
  readonly set: (policy: Policy) => Promise<unknown>;
  /** What the resource has set. */
  readonly policy: Policy;
  readonly originalPolicy?: Policy | undefined;
  /** The actions that `all` stands for, if they are not those of an object. */
  readonly all?: readonly string[];
}

type Known = Pick<ManagedPolicy, "of" | "log" | "policy" | "originalPolicy">;

/** Warns if the original policy is what the program wants: it may be our own, from a run that was interrupted. */
export function warnIfAlreadySet({ of, log, policy, originalPolicy }: Known): void {
  if (originalPolicy && samePolicy(originalPolicy, policy))
    log.warn(
      `${of} already has this policy, so destroy will leave it in place. If an interrupted run, or a resource renamed without an alias, has set it, the policy before that is lost`,
    );
}

/** What a read shows. A policy that the platform rewrote is not drift. An import takes the current one as the original. */
export function visiblePolicy<P extends Policy>(
  current: P,
  { policy: recorded, originalPolicy }: { readonly policy?: P | undefined; readonly originalPolicy?: P | undefined },
  all?: readonly string[],
): { policy: P; originalPolicy?: P } {
  const policy = recorded && isRewritten(current, recorded, all) ? recorded : current;
  const original = recorded === undefined ? current : originalPolicy;
  return original ? { policy, originalPolicy: original } : { policy };
}

/** Sets the original policy again, unless another stack or a person has changed the policy since. */
export async function restorePolicy(managed: ManagedPolicy, view: () => Promise<Policy>): Promise<void> {
  const { of, log, policy, originalPolicy, all } = managed;
  if (!originalPolicy) {
    log.warn(`the policy of ${of} stays: the original policy is unknown and cannot be restored`);
    return;
  }
  const current = await view();
  if (isRewritten(current, policy, all)) await setOrClear(managed, originalPolicy);
  else if (!isRewritten(current, originalPolicy, all))
    log.warn(
      `the policy of ${of} stays: somebody else has changed it since it was set here. To restore the original policy anyway, run "pulumi refresh" before destroy`,
    );
}

/** Sets a policy, with advice if the platform refuses an empty one. */
export async function setOrClear({ set }: Pick<ManagedPolicy, "set">, policy: Policy): Promise<void> {
  if (policy.length > 0) return void (await set(policy));
  await set(policy).catch((error: unknown) => {
    throw isPlatformError(error, "rejected") ? error.with(`${error.message}. ${emptyPolicyHint}`) : error;
  });
}

const emptyPolicyHint =
  'The platform may not accept an empty policy; to leave the policy as it is, set onDestroy to "keep" and run "pulumi up" before destroy';
