import { isPlatformError, PlatformError } from "../../api/errors";
import { extendedOperations } from "../../api/extended-operations";
import { saysItIsGone } from "../../api/token-account";
import { type Context, keepIfOpen } from "../../core/define";
import {
  contradictionsOf,
  type Grant,
  grantIn,
  grantText,
  hasGrant,
  isNamedBeside,
  type Principal,
  principalName,
  replacedBy,
  visibleGrant,
  withGrant,
  withoutGrant,
} from "../../values/grant";
import type { Policy } from "../../values/policy";
import { policyEditsOf, type SharedPlace } from "./edits";
import { grantRules, principalId, splitGrantId } from "./grant-inputs";
import { inputsFrom, isOnlyExtended, type PlaceKind, policyKey } from "./place";

/** What a resource knows about its grant. */
interface Managed {
  readonly id: string;
  readonly place: SharedPlace;
  readonly grant: Grant;
}

interface Remembered {
  readonly namedBefore?: boolean | undefined;
}

/** How grants live, on objects and on folders: the members of both definitions. */
export function grantsOn<At extends object, Action extends string>(kind: PlaceKind<At>) {
  type Known = Partial<At> & Grant & { readonly adopt?: boolean | undefined };
  type State = At & Grant & Remembered;
  const isComplete = (known: Known): known is Known & At =>
    kind.isComplete(known) && (known.user !== undefined || known.group !== undefined);
  const keyOf = (known: At & Grant) => `grant of ${principalName(known)} on ${kind.nameOf(known)}`;
  const managed = (context: Context, id: string, state: At & Grant): Managed => ({
    id,
    place: placeOf(kind, context, state),
    grant: state,
  });
  const fromId = (id: string, isExtended: boolean) => {
    const { place = "", principal } = splitGrantId(id) ?? {};
    return { ...inputsFrom(kind, id, { isExtended, what: "grant", place }), ...principal };
  };
  const remove = async (context: Context, id: string, state: State): Promise<void> => {
    const { api, log, run } = context;
    const of = kind.nameOf(state);
    const owner = run.keeperOf(policyKey(of));
    if (owner) return log.info(`the grant ${id} is not taken out, because ${owner} now manages the whole policy`);
    const place = placeOf(kind, context, state);
    const { wasEmpty } = await removeGrant(context, { place, grant: state }, state).catch(async (error: unknown) => {
      if (!(await saysItIsGone(api, error))) throw error;
      return { wasEmpty: true };
    });
    if (wasEmpty && place.mayMove)
      log.warn(
        `${of} no longer exists, or its policy is empty, so no grant was taken out; if the folder was moved or renamed, its policy still has the grant`,
      );
  };

  return {
    keys: {
      deleteFirst: true,
      property: kind.property,
      of: (known: Known) => (isComplete(known) ? [keyOf(known)] : []),
      sharedBy: (known: Known) => (isComplete(known) ? [policyKey(kind.nameOf(known))] : []),
    },
    settledOutputs: ["namedBefore" as const, "accountId" as const],
    secrets: [],
    rules: grantRules,
    fromId: (id: string) => fromId(id, false),

    async create(context: Context, { adopt = false, ...inputs }: At & Known) {
      const at = inputs as unknown as At & Grant;
      const id = `${kind.idOf(at)}/${principalId(inputs)}`;
      return { id, ...(await addGrant(context, managed(context, id, at), adopt)) };
    },

    async read(context: Context, id: string, known: Partial<State>) {
      const state = known as State;
      try {
        const shown = await readGrant(context, managed(context, id, state));
        return shown as { allow?: Action[]; deny?: Action[]; namedBefore?: boolean } | undefined;
      } catch (error) {
        const isImport = !state.allow && !state.deny;
        if (!(error instanceof NotShown) || isImport) throw error;
        return {};
      }
    },

    async update(context: Context, id: string, old: State, inputs: At & Grant) {
      await changeGrant(context, managed(context, id, inputs), old);
      return {};
    },

    async delete(context: Context, id: string, state: State) {
      if (!isOnlyExtended(kind, kind.typeOf(state))) await remove(context, id, state);
    },

    kept: (id: string, state: State) =>
      isOnlyExtended(kind, kind.typeOf(state))
        ? `the grant ${id} stays on the platform: changing the policy of an environment needs the extended API, so set dataplatform:extendedApi to true before destroy`
        : "",

    async foresee(context: Context, { old, inputs }: { readonly old: State | undefined; readonly inputs: Known }) {
      if (!isComplete(inputs) || !(inputs.allow || inputs.deny)) return;
      const isNew = !old && !context.run.isOwned(keyOf(inputs));
      await foreseeGrant(context, managed(context, "", inputs), { isNew, adopt: inputs.adopt ?? false });
    },

    extended: { fromId: (id: string) => fromId(id, true), delete: remove, kept: () => "" },
  };
}

/** A grant with both lists, also where one is empty, and without anything else. */
type Shown = Pick<Grant, "allow" | "deny">;

async function addGrant(context: Context, { id, place, grant }: Managed, adopt: boolean): Promise<Remembered> {
  const { api } = context;
  const { all } = place;
  let namedBefore: boolean | undefined;
  const check = (policy: Policy): void => {
    if (!adopt) refuseOther(policy, place, grant);
    namedBefore = isNamedBeside(policy, grant, all);
  };
  const merge = (policy: Policy) => withGrant(policy, grant, all);
  const isDone = (policy: Policy) => hasGrant(policy, grant, all);
  const outputs: { namedBefore?: boolean } = {};
  const { after } = await keepIfOpen(id, outputs, async () => {
    try {
      return await policyEditsOf(api).edit({ place, api, check, merge, isDone });
    } finally {
      if (namedBefore !== undefined) outputs.namedBefore = namedBefore;
    }
  });
  warnOfContradictions(context, after, place, grant);
  return outputs;
}

/** What the policy shows of the grant; on import, all that it says about the principal alone. */
async function readGrant(
  context: Context,
  { place, grant }: Pick<Managed, "place" | "grant">,
): Promise<(Shown & Remembered) | undefined> {
  const policy = await policyEditsOf(context.api).view(place);
  if (!grant.allow && !grant.deny) return importedGrant(policy, place, grant);
  if (policy === "absent") return undefined;
  if (hasGrant(policy, grant, place.all)) return shown(grant);
  const visible = visibleGrant(policy, grant, place.all);
  // An empty policy may be an answer without one, which must not drop the grant: it counts as drift.
  if (!visible && policy.length === 0) return { ...(grant.allow && { allow: [] }), ...(grant.deny && { deny: [] }) };
  return visible && shown(visible);
}

/** An import that finds nothing says why: "does not exist" would be all that the engine says. */
function importedGrant(policy: Policy | "absent", place: SharedPlace, principal: Principal): Shown & Remembered {
  const found = policy === "absent" ? undefined : grantIn(policy, principal);
  if (policy !== "absent" && found) return { ...shown(found), namedBefore: isNamedBeside(policy, found, place.all) };
  const who = principalName(principal);
  const why =
    policy === "absent"
      ? `the platform shows no policy of ${place.of}; check the id`
      : isNamedBeside(policy, principal, place.all)
        ? `the policy of ${place.of} names ${who} only together with others, which a grant leaves alone. To give ${who} something of its own, declare the grant and run "pulumi up"`
        : `the policy of ${place.of} says nothing about ${who}; declare the grant and run "pulumi up"`;
  throw new PlatformError(`there is nothing to import: ${why}`, { code: "rejected", outcome: "not-sent" });
}

async function changeGrant(context: Context, { id, place, grant }: Managed, old: Grant & Remembered): Promise<void> {
  const { api } = context;
  const { all } = place;
  const isThere = (policy: Policy) => withGrant(policy, grant, all) === policy;
  const without = (policy: Policy) => withoutGrant(policy, old, { all, namedBefore: old.namedBefore ?? true });
  const merge = (policy: Policy) => (isThere(policy) ? policy : withGrant(without(policy), grant, all));
  const isDone = (policy: Policy) => hasGrant(policy, grant, all);
  const { after } = await keepIfOpen(id, {}, () => policyEditsOf(api).edit({ place, api, merge, isDone }));
  warnOfContradictions(context, after, place, grant);
}

/** `wasEmpty`: there was no policy, or nothing to have one. */
async function removeGrant(
  { api, log }: Context,
  { place, grant }: Pick<Managed, "place" | "grant">,
  { namedBefore = true }: Remembered,
): Promise<{ readonly wasEmpty: boolean }> {
  const merge = (policy: Policy) => withoutGrant(policy, grant, { all: place.all, namedBefore });
  const isDone = (policy: Policy) => merge(policy) === policy;
  const { before, after } = await policyEditsOf(api).edit({ place, api, merge, isDone });
  const who = principalName(grant);
  const left = grantIn(after, grant);
  if (left)
    log.warn(
      `the policy of ${place.of} still says about ${who}: ${grantText(left)}. That is not part of this grant, so it stays`,
    );
  else if (isNamedBeside(after, grant, place.all))
    log.warn(
      `the policy of ${place.of} still names ${who} together with others. That is not part of this grant, so it stays`,
    );
  return { wasEmpty: before.length === 0 };
}

/** At preview: what create would refuse, and what may override the grant. */
async function foreseeGrant(
  context: Context,
  { place, grant }: Pick<Managed, "place" | "grant">,
  { isNew, adopt }: { readonly isNew: boolean; readonly adopt: boolean },
): Promise<void> {
  const policy = await policyEditsOf(context.api).view(place);
  if (policy === "absent") return;
  if (isNew && !adopt) refuseOther(policy, place, grant);
  warnOfContradictions(context, policy, place, grant);
}

/** The policy that a grant is merged into, which must be read. */
function placeOf<At extends object>(kind: PlaceKind<At>, context: Context, at: At): SharedPlace {
  const place = kind.placeOf(context, at);
  return {
    ...place,
    async read(api) {
      const found = await place.read(api).catch((error: unknown) => {
        throw isPlatformError(error, "forbidden")
          ? error.with(
              `${error.message}. A grant is merged into the existing policy, so the token must be allowed to view it`,
            )
          : error;
      });
      if (found === "unknown") throw new NotShown(place.of);
      return found;
    },
    write: (api, policy) =>
      place.write(api, policy).catch((error: unknown) => {
        throw policy.length === 0 && isPlatformError(error, "rejected")
          ? error.with(
              `${error.message}. Nothing else is in the policy, and the platform may not accept an empty one; add another element to it, or remove the resource with "pulumi state delete"`,
            )
          : error;
      }),
  };
}

/** The installation cannot show the policy. */
class NotShown extends PlatformError {
  constructor(of: string) {
    super(
      `could not read the policy of ${of}, into which the grant is merged: this installation of the platform does not allow viewing it. Nothing was changed; use FolderPolicy, which needs no view`,
      { code: "rejected", outcome: "not-sent", operation: extendedOperations.viewFolderPolicy.does },
    );
  }
}

/** Somebody else has granted something else to the same principal: taking that over would lose it. */
function refuseOther(policy: Policy, place: SharedPlace, grant: Grant): void {
  const found = replacedBy(policy, grant, place.all);
  if (!found || withGrant(policy, grant, place.all) === policy) return;
  throw new PlatformError(
    `the policy of ${place.of} already says about ${principalName(grant)}: ${grantText(found)}. The program says: ${grantText(grant)}. If this resource was renamed, give it an alias with its old name (docs/moving.md). Otherwise import the grant, or set adopt to true. Nothing was changed`,
    { code: "conflict", outcome: "not-sent" },
  );
}

function warnOfContradictions({ log }: Context, policy: Policy, place: SharedPlace, grant: Grant): void {
  const elements = contradictionsOf(policy, grant, place.all);
  if (elements.length > 0)
    log.warn(
      `the policy of ${place.of} contradicts this grant: element ${elements.join(", ")} names ${principalName(grant)} together with others, and says the opposite about the same actions. The API's manual does not say which applies; a grant never changes elements of others, so change them or the grant`,
    );
}

function shown({ allow, deny }: Grant): Shown {
  return { allow, deny };
}
