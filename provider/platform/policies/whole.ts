import { PlatformError } from "../../api/errors";
import { type Context, keepIfOpen } from "../../core/define";
import { expectGone } from "../../core/gone";
import { afterRename } from "../../core/urn";
import { type Element, isRewritten, type Policy, samePolicy } from "../../values/policy";
import { asNotFound, explained, type PlaceKind, type PolicyPlace, policyKey, writeOrExplain } from "./place";

type OnDestroy = "restore" | "clear" | "keep" | "set";

interface Managed {
  readonly policy: Policy;
  readonly onDestroy?: OnDestroy | undefined;
  readonly destroyPolicy?: Policy | undefined;
  readonly originalPolicy?: Policy | undefined;
}

/** How policies that one resource manages as a whole live, on objects and on folders: the members of both definitions. */
export function policiesOn<At extends object, E extends Element>(
  kind: PlaceKind<At>,
  { onDestroy: usual, withoutRestore }: { readonly onDestroy: OnDestroy; readonly withoutRestore: string },
) {
  type Inputs = At & Managed;
  type Known = Partial<At> & Partial<Managed>;
  const onDestroyOf = (state: Partial<Managed>): OnDestroy => state.onDestroy ?? usual;
  const staysAsSet = (state: At) => `the policy of ${kind.nameOf(state)} stays on the platform as last set`;
  /** Also what destroy is to do and the specified API cannot. */
  const kept = (isExtended: boolean) => (_id: string, state: Inputs) => {
    if (onDestroyOf(state) === "keep") return `${staysAsSet(state)} (onDestroy is "keep")`;
    const cannotRestore = usual !== "restore" && onDestroyOf(state) === "restore";
    if (isExtended || !(kind.isOnlyExtended(state) || cannotRestore)) return "";
    const what = kind.isOnlyExtended(state) ? "changing that of an environment" : "restoring the original one";
    return `${staysAsSet(state)}: ${what} needs the extended API, so set dataplatform:extendedApi to true before destroy`;
  };
  const tells = (isExtended: boolean) => (id: string) => kind.inputsFrom(id, "policy", isExtended);

  return {
    replaceOn: kind.inputs,
    keys: {
      deleteFirst: true,
      property: kind.inputs[1],
      of: kind.policyKeys,
      knowledgeIn: ({ originalPolicy }: Managed) => originalPolicy,
      lostWith: ({ policy, originalPolicy, ...state }: Inputs) =>
        originalPolicy && !samePolicy(originalPolicy, policy)
          ? `destroy will not bring back the policy that ${kind.nameOf(state as At)} had before this resource. It was: ${JSON.stringify(originalPolicy)}`
          : undefined,
    },
    settledOutputs: ["originalPolicy" as const, "accountId" as const],
    importId: { format: `\`${kind.inputs.join("/")}\``, example: kind.example, tells: tells(false) },

    /** After a rename without an alias, what destroy restores would be our own policy. */
    async foresee(context: Context, { old, inputs }: { readonly old: object | undefined; readonly inputs: Known }) {
      const { policy = [] }: Partial<Managed> = inputs;
      if (old || policy.length === 0 || onDestroyOf(inputs) !== "restore" || !kind.isComplete(inputs)) return;
      const { of, read } = kind.placeOf(context, inputs);
      const found = context.run.isOwned(policyKey(of)) ? "unknown" : await read(context.api);
      if (typeof found !== "string" && samePolicy(found, policy))
        context.log.warn(
          `${of} already has this policy. ${afterRename} Without it, the policy from before is forgotten, and destroy leaves this one`,
        );
    },

    async create(context: Context, inputs: Inputs) {
      const id = kind.idOf(inputs);
      const place = kind.placeOf(context, inputs);
      const original =
        onDestroyOf(inputs) === "restore" ? await readOriginal(context, place, withoutRestore) : undefined;
      if (original && samePolicy(original, inputs.policy))
        context.log.warn(
          `${place.of} already has this policy, so destroy will leave it in place. If an interrupted run, or a resource renamed without an alias, has set it, the policy before that is lost`,
        );
      // Kept in the state even if the write fails, or a retry would save our own policy as the original.
      const outputs = { originalPolicy: original as E[] };
      await keepIfOpen(id, outputs, () => place.write(context.api, inputs.policy));
      return { id, ...outputs };
    },

    async read(context: Context, _id: string, known: Partial<Inputs>) {
      const { all, read } = kind.placeOf(context, known as Inputs);
      const current = await read(context.api);
      if (current === "unknown") return {};
      // A platform may show an empty policy as a missing one.
      if (current === "absent") return known.policy?.length === 0 ? {} : undefined;
      const policy = known.policy && isRewritten(current, known.policy, all) ? known.policy : current;
      // An import takes the current one as the original.
      const original = known.policy === undefined ? current : known.originalPolicy;
      return { policy: policy as E[], originalPolicy: original as E[] | undefined };
    },

    async update(
      context: Context,
      id: string,
      old: Partial<Managed>,
      inputs: Inputs,
      { redo }: { readonly redo: boolean },
    ) {
      // What destroy does is between the program and the state; others may have added to the policy since.
      if (!redo && samePolicy(old.policy ?? [], inputs.policy)) return {};
      const place = kind.placeOf(context, inputs);
      await keepIfOpen(id, {}, () => place.write(context.api, inputs.policy));
      return {};
    },

    async delete(context: Context, _id: string, state: Inputs): Promise<void> {
      const { api, log, run } = context;
      const place = kind.placeNow(context, state);
      const key = policyKey(place.of);
      const [sharer, keeper] = [run.sharerOf(key), run.keeperOf(key)];
      if (keeper) return log.info(`the policy of ${place.of} is left as it is, because ${keeper} declares it`);
      if (sharer) return log.warn(`the policy of ${place.of} stays as last set, because ${sharer} now adds to it`);
      const onDestroy = onDestroyOf(state);
      try {
        if (onDestroy === "restore") await restore(context, place, state);
        else await writeOrExplain(api, place, (onDestroy === "set" && state.destroyPolicy) || [], howToKeep);
      } catch (error) {
        const warning = `${place.of} no longer exists, so its policy was not changed; if the folder was moved or renamed, it keeps its policy`;
        await expectGone(context, error, place.of, place.mayMove && warning);
      }
    },

    limits: {
      kept: kept(false),
      undone(state: Inputs): string {
        if (onDestroyOf(state) !== "restore") return `sets the policy ${JSON.stringify(state.destroyPolicy ?? [])}`;
        if (!state.originalPolicy) return `${staysAsSet(state)}: the one before it is not known`;
        return `puts back the policy that was there before, unless somebody has changed it since: ${JSON.stringify(state.originalPolicy)}`;
      },
    },

    extended: { importId: { tells: tells(true) }, limits: { kept: kept(true) } },
  };
}

/** Empty for what has no policy. Setting one then tells whether there is such a thing. */
async function readOriginal({ api, run }: Context, place: PolicyPlace, withoutRestore: string): Promise<Policy> {
  // If another resource gives it up in this run, the current policy is its own, and it knows the original one.
  const inherited = run.knowledgeOf(policyKey(place.of)) as Policy | undefined;
  const whatFor = `It is needed to save the policy that destroy restores; to do without, ${withoutRestore}`;
  const found = inherited ?? (await place.read(api).catch(explained("forbidden", whatFor)));
  if (found === "absent") return [];
  if (found !== "unknown") return found;
  throw new PlatformError(
    `could not save the policy of ${place.of}, which onDestroy "restore" restores: this installation of the platform does not allow viewing it. Nothing was changed; ${withoutRestore}`,
    { code: "rejected", outcome: "not-sent" },
  );
}

/** Sets the original policy again, unless another stack or a person has changed the policy since. */
async function restore(context: Context, place: PolicyPlace, { policy, originalPolicy }: Managed): Promise<void> {
  const { api, log } = context;
  const { of, all } = place;
  const stays = (why: string) => log.warn(`the policy of ${of} stays: ${why}`);
  if (!originalPolicy) return stays("the original policy is unknown and cannot be restored");
  const found = await place.read(api).catch(asNotFound);
  if (found === "unknown")
    return stays("it cannot be viewed, so it is unclear whether somebody else has changed it since it was set here");
  if (found === "absent" && policy.length > 0) {
    if (place.mayMove)
      log.warn(`${of} no longer exists, or somebody else has removed its policy, so the original one was not restored`);
    return;
  }
  const current = found === "absent" ? [] : found;
  if (policy.length > 0 && samePolicy(policy, originalPolicy) && isRewritten(current, policy, all))
    log.warn(`${of} keeps its policy: it was there when this resource was created or imported`);
  else if (isRewritten(current, policy, all)) await writeOrExplain(api, place, originalPolicy, howToKeep);
  else if (!isRewritten(current, originalPolicy, all))
    stays(
      'somebody else has changed it since it was set here. To restore the original policy anyway, run "pulumi refresh" before destroy',
    );
}

const howToKeep =
  'The platform may not accept an empty policy; to leave the policy as it is, set onDestroy to "keep" and run "pulumi up" before destroy, or remove the resource from the state with "pulumi state delete"';
