import { Batcher } from "../../api/batch";
import type { Client } from "../../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError } from "../../api/errors";
import { KeyedLock } from "../../api/keyed-lock";
import { SharedRead } from "../../api/shared-read";
import { unknownConditionsOf } from "../../values/element";
import { type Policy, samePolicy } from "../../values/policy";
import { lookUntil } from "../listing";
import type { PolicyPlace } from "./place";

/** A policy that several resources, stacks and people change: it can be read. */
export interface SharedPlace extends PolicyPlace {
  read(api: Client): Promise<Policy | "absent">;
}

/** A change of a part of a policy. */
export interface PolicyEdit {
  readonly place: SharedPlace;
  /** The caller's client, which knows whether the caller was cancelled. */
  readonly api: Client;
  /** Throws if the policy must not be changed in this way. */
  readonly check?: (policy: Policy) => void;
  /** Returns the same policy if there is nothing to change. */
  readonly merge: (policy: Policy) => Policy;
  /** Whether the policy shows the change, possibly as the platform has rewritten it. */
  readonly isDone: (policy: Policy) => boolean;
}

interface Edited {
  readonly before: Policy;
  readonly after: Policy;
}

type Results = Map<PolicyEdit, Edited | Error>;

/** How often a policy is merged and written again because another writer was faster. */
const maxRounds = 5;

/**
 * Changes parts of policies. The API writes a policy as a whole and without conditions, so this reads, merges, writes, and
 * reads again to see whether another writer was faster. There is one writer for each policy in a process, and changes of
 * the same policy that come in at the same time share the requests.
 */
class PolicyEdits {
  readonly #api: Client;
  readonly #batches: Batcher<PolicyEdit, Results>;
  readonly #locks = new KeyedLock();
  readonly #views = new Map<string, SharedRead<Policy | "absent">>();

  constructor(api: Client) {
    this.#api = api;
    this.#batches = new Batcher((edits) => this.#applyAll(edits), api.patienceMs);
  }

  /** The policy with everything that this process has written. Callers at the same time share the request. */
  view(place: SharedPlace): Promise<Policy | "absent"> {
    const known = this.#views.get(place.of) ?? new SharedRead(() => place.read(this.#api));
    this.#views.set(place.of, known);
    return known.fresh();
  }

  async edit(edit: PolicyEdit): Promise<Edited> {
    const result = (await this.#batches.add(edit)).get(edit);
    if (result instanceof Error) throw result;
    return result!;
  }

  async #applyAll(edits: readonly PolicyEdit[]): Promise<Results> {
    const byPlace = new Map<string, PolicyEdit[]>();
    for (const edit of edits) byPlace.set(edit.place.of, [...(byPlace.get(edit.place.of) ?? []), edit]);
    const groups = [...byPlace].map(([name, group]) => this.#locks.run(name, () => this.#apply(group)));
    return new Map((await Promise.all(groups)).flatMap((results) => [...results]));
  }

  async #apply(edits: readonly PolicyEdit[]): Promise<Results> {
    const results: Results = new Map();
    const { place } = edits[0]!;
    try {
      const before = await this.#read(place);
      const permitted = edits.filter((edit) => {
        const problem = problemOf(edit, before);
        if (problem) results.set(edit, problem);
        return !problem;
      });
      const after = await this.#until(permitted, before);
      for (const edit of permitted) results.set(edit, edit.isDone(after) ? { before, after } : notShown(place, after));
    } catch (error) {
      const failed = edits.filter((edit) => !results.has(edit));
      // The platform refuses the whole policy for one bad element, so find out whose it is.
      const isOnes = failed.length > 1 && isPlatformError(error, "rejected", "conflict") && error.outcome !== "open";
      for (const edit of failed) results.set(edit, isOnes ? (await this.#apply([edit])).get(edit)! : (error as Error));
    } finally {
      this.#views.get(place.of)?.written();
    }
    return results;
  }

  /** Writes until the policy shows every change, or gives up. Returns the policy as last seen. */
  async #until(edits: readonly PolicyEdit[], before: Policy): Promise<Policy> {
    let policy = before;
    let pending = edits;
    for (let round = 1; round <= maxRounds; round++) {
      const wanted = pending.reduce((merged, { merge }) => merge(merged), policy);
      if (wanted === policy) return policy;
      const seen = await this.#send(pending, policy, wanted);
      pending = pending.filter(({ isDone }) => !isDone(seen));
      // If nothing has changed, or what was sent got a condition, there is no other writer, and writing again does not help.
      const isNarrowed = unknownIn(seen).length > unknownIn(wanted).length;
      const isAlone = samePolicy(seen, policy) || (samePolicy(seen, wanted) && isNarrowed);
      if (pending.length === 0 || round === maxRounds || isAlone) return seen;
      await this.#api.backOff(round);
      policy = await this.#readAfterWrite(pending[0]!.place);
    }
    return policy;
  }

  async #send(edits: readonly PolicyEdit[], base: Policy, wanted: Policy): Promise<Policy> {
    const { place } = edits[0]!;
    const isDone = (policy: Policy) => edits.every((edit) => edit.isDone(policy));
    try {
      await place.write(this.#api, wanted);
    } catch (error) {
      if (!leavesOutcomeOpen(error)) throw error;
      const policy = await this.#read(place).catch(() => base);
      if (isDone(policy)) return policy;
      throw error;
    }
    const look = () => this.#readAfterWrite(place);
    // Neither ours nor what was there before: another writer was faster.
    return lookUntil(this.#api, look, (policy) => isDone(policy) || !samePolicy(policy, base));
  }

  async #read(place: SharedPlace): Promise<Policy> {
    const policy = await place.read(this.#api);
    return policy === "absent" ? [] : policy;
  }

  /** The platform has accepted a write, so a failure to read leaves its effect open. */
  async #readAfterWrite(place: SharedPlace): Promise<Policy> {
    try {
      return await this.#read(place);
    } catch (error) {
      throw isPlatformError(error)
        ? error.with(`the policy of ${place.of} was set, but could not be checked: ${error.message}`, {
            outcome: "open",
          })
        : error;
    }
  }
}

function problemOf({ api, check }: PolicyEdit, policy: Policy): Error | undefined {
  try {
    api.throwIfStopped();
    check?.(policy);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

const unknownIn = (policy: Policy) => policy.flatMap(unknownConditionsOf);

function notShown({ of }: PolicyPlace, after: Policy): PlatformError {
  const unknown = [...new Set(unknownIn(after))].join(", ");
  const added = `. Conditions that the API's manual does not have (${unknown}) count as limits of what they stand on: if the platform adds them to every element, manage the whole policy with ObjectPolicy or FolderPolicy, which ignore them`;
  return new PlatformError(
    `could not change the policy of ${of}: the platform accepted the change, but does not show it, even after several attempts. Another stack or person is changing the same policy, or the platform does not keep the change. Find out who else changes it, then run "pulumi up" again${unknown && added}`,
    { code: "conflict", outcome: "open" },
  );
}

export const policyEditsOf = (api: Client): PolicyEdits => api.shared(makePolicyEdits);
const makePolicyEdits = (api: Client): PolicyEdits => new PolicyEdits(api);
