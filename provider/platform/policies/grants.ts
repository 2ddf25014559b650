import { z } from "zod";
import { PlatformError } from "../../api/errors";
import { accountIdOutput, type Context, keepIfOpen } from "../../core/define";
import { expectGone } from "../../core/gone";
import { foreseeConflict, unlessGivenUp } from "../../core/keys";
import { afterRename } from "../../core/urn";
import {
  closingFor,
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
import { asNumber } from "../../values/id";
import type { Policy } from "../../values/policy";
import { flag } from "../../values/simple";
import { type PolicyEdit, policyEditsOf, type SharedPlace } from "./edits";
import { grantRules } from "./grant-inputs";
import { explained, type PlaceKind, type PolicyPlace, policyKey, writeOrExplain } from "./place";

type Remembered = { namedBefore?: boolean | undefined };

/** How grants live, on objects and on folders: the members of both definitions. */
export function grantsOn<At extends object, Action extends string>(kind: PlaceKind<At>) {
  type Known = Partial<At> & Grant & { readonly adopt?: boolean | undefined };
  type State = At & Grant & Remembered;
  const isComplete = (known: Known): known is Known & At =>
    (known.user ?? known.group) !== undefined && kind.isComplete(known);
  const placeOf = (context: Context, at: At) => shared(kind.placeOf(context, at));
  const keyOf = (known: At & Grant) => `grant of ${principalName(known)} on ${kind.nameOf(known)}`;
  /** `note/501/user:104`. */
  const tells = (isExtended: boolean) => (id: string) => {
    const [, place = "", who, principal = ""] = /^(.+)\/(user|group):([^\s/]+)$/s.exec(id) ?? [];
    const at = kind.inputsFrom(id, "grant", isExtended, place);
    return { ...at, [who as "user" | "group"]: asNumber(principal) };
  };
  /** Merges the grant into the policy. If nobody knows whether that was done, the state keeps the grant and `outputs`. */
  const write = async (
    context: Context,
    id: string,
    grant: Grant,
    change: Pick<PolicyEdit, "place" | "merge" | "check">,
    outputs: Remembered = {},
  ): Promise<void> => {
    const isDone = (policy: Policy) => hasGrant(policy, grant, change.place.all);
    const edit = { api: context.api, isDone, ...change };
    const { after } = await keepIfOpen(id, outputs, () => policyEditsOf(context.api).edit(edit));
    warnOfContradictions(context, after, change.place, grant);
  };

  const format = kind.inputs.join("/");
  return {
    outputs: z.object({
      namedBefore: flag.describe(
        "Whether other elements of the policy named the user or group before the grant, or at import. If so, destroy leaves such elements alone.",
      ),
      accountId: accountIdOutput,
    }),
    importId: {
      format: `\`${format}/user:ID\` or \`${format}/group:ID\``,
      example: `${kind.example}/${kind.grantee}`,
      note: "Takes over the elements that name this user or group alone, and that list their actions.",
      tells: tells(false),
    },
    replaceOn: [...kind.inputs, "user" as const, "group" as const],
    limits: {
      refresh: `What the policy says about this user or group alone. A grant that the platform has rewritten, or merged with others of the same actions, is not drift. If the whole policy is empty, the next \`up\` adds the grant again. ${kind.limits.hidden}, the state is kept, with a warning.`,
      destroy: `Takes the grant out of the policy. What somebody else has granted the same user or group since stays, with a warning. If ${kind.limits.gone}, destroy does nothing.`,
      kept: (id: string, state: State) =>
        kind.isOnlyExtended(state)
          ? `the grant ${id} stays on the platform: changing the policy of an environment needs the extended API, so set dataplatform:extendedApi to true before destroy`
          : "",
    },
    keys: {
      deleteFirst: kind.now ? true : ("if same" as const), // a folder that was renamed is the same at another place
      property: kind.inputs[1],
      of: (known: Known) => (isComplete(known) ? [keyOf(known)] : []),
      knowledgeIn: ({ namedBefore }: State) => namedBefore,
      sharedBy: (known: Known) => (isComplete(known) ? kind.policyKeys(known) : []),
    },
    settledOutputs: ["namedBefore" as const, "accountId" as const],
    rules: grantRules,

    async create(context: Context, { adopt = false, ...inputs }: At & Known) {
      const grant = inputs as unknown as At & Grant;
      const id = `${kind.idOf(grant)}/${principalName(grant).replace(" ", ":")}`;
      const outputs: Remembered = {};
      let wasThere = false;
      const place = placeOf(context, grant);
      const check = (policy: Policy) => {
        if (!adopt && !context.run.isOwned(keyOf(grant))) refuseOther(policy, place, grant);
        const inherited = context.run.knowledgeOf(keyOf(grant)) as boolean | undefined;
        outputs.namedBefore = inherited ?? isNamedBeside(policy, grant, place.all);
        wasThere = inherited === undefined && outputs.namedBefore && hasGrant(policy, grant, place.all);
      };
      const merge = (policy: Policy) => withGrant(policy, grant, place.all);
      await unlessGivenUp(context, keyOf(grant), () => write(context, id, grant, { place, check, merge }, outputs));
      if (wasThere)
        context.log.warn(
          `the policy of ${place.of} said this about ${principalName(grant)} already, together with others: destroy will leave that. ${afterRename}`,
        );
      return { id, ...outputs };
    },

    async read(context: Context, _id: string, known: Partial<State>) {
      const state = known as State;
      const isImport = !state.allow && !state.deny;
      const place = placeOf(context, state);
      const policy = await policyEditsOf(context.api)
        .view(place)
        .catch((error: unknown) => {
          if (!(error instanceof NotShown) || isImport) throw error;
        });
      if (!policy) return {};
      const shown = isImport ? importedGrant(policy, place, state) : shownGrant(policy, place, state);
      return shown as { allow?: Action[]; deny?: Action[]; namedBefore?: boolean } | undefined;
    },

    async update(context: Context, id: string, old: State, grant: At & Grant) {
      const place = placeOf(context, grant);
      const { namedBefore = true } = old;
      const merge = (policy: Policy) => withGrant(policy, grant, place.all, { ...old, namedBefore });
      await write(context, id, grant, { place, merge });
      return {};
    },

    async delete(context: Context, id: string, state: State): Promise<void> {
      const { log, run } = context;
      const place = shared(kind.placeNow(context, state));
      const { of } = place;
      const owner = run.keeperOf(policyKey(of));
      if (owner) {
        log.info(`the grant ${id} is not taken out, because ${owner} now manages the whole policy`);
        log.warn(
          `the grant ${id} was part of the policy when ${owner} was created: if its onDestroy is "restore", destroy brings the grant back. To avoid that, set onDestroy to "clear", or to "set" with a destroyPolicy`,
        );
        return;
      }
      const warning = `${of} no longer exists, or its policy is empty, so no grant was taken out; if the folder was moved or renamed, its policy still has the grant`;
      try {
        if (!(await takeOut(context, place, state)) && place.mayMove) log.warn(warning);
      } catch (error) {
        await expectGone(context, error, of, place.mayMove && warning);
      }
    },

    /** What create would refuse, and what may override the grant. */
    async foresee(context: Context, { old, inputs }: { readonly old: State | undefined; readonly inputs: Known }) {
      if (!isComplete(inputs) || !(inputs.allow || inputs.deny)) return;
      const place = placeOf(context, inputs);
      const policy = await policyEditsOf(context.api).view(place);
      if (policy === "absent") return;
      const isNew = !old && !context.run.isOwned(keyOf(inputs));
      if (isNew && !inputs.adopt) await foreseeConflict(context, async () => refuseOther(policy, place, inputs));
      warnOfContradictions(context, policy, place, inputs);
    },

    extended: { importId: { tells: tells(true) }, limits: { kept: () => "" } },
  };
}

/** What the policy shows of a grant: both lists, also where one is absent, and nothing else. */
function shownGrant(policy: Policy | "absent", { all }: SharedPlace, grant: Grant) {
  if (policy === "absent") return undefined;
  const { allow, deny } = grant;
  if (hasGrant(policy, grant, all)) return { allow, deny };
  const visible = visibleGrant(policy, grant, all);
  // An empty policy may be an answer without one, which must not drop the grant: it counts as drift.
  if (!visible && policy.length === 0) return { ...(allow && { allow: [] }), ...(deny && { deny: [] }) };
  return visible && { allow: visible.allow, deny: visible.deny };
}

/** All that the policy says about the principal alone. If there is nothing, says why: the engine would only say "does not exist". */
function importedGrant(policy: Policy | "absent", { of, all }: SharedPlace, principal: Principal) {
  const who = principalName(principal);
  const nothing = (why: string) =>
    new PlatformError(`there is nothing to import: ${why}`, { code: "rejected", outcome: "not-sent" });
  if (policy === "absent") throw nothing(`the platform shows no policy of ${of}; check the id`);
  const found = grantIn(policy, principal);
  const namedBefore = isNamedBeside(policy, found ?? principal, all);
  if (found) return { allow: found.allow, deny: found.deny, namedBefore };
  throw nothing(
    namedBefore
      ? `the policy of ${of} names ${who} only together with others, which a grant leaves alone. To give ${who} something of its own, declare the grant and run "pulumi up"`
      : `the policy of ${of} says nothing about ${who}; declare the grant and run "pulumi up"`,
  );
}

/** False if there was no policy, or nothing to have one. */
async function takeOut({ api, log }: Context, place: SharedPlace, grant: Grant & Remembered): Promise<boolean> {
  const { of, all } = place;
  const { namedBefore = true } = grant;
  let closing: Policy = [];
  const merge = (policy: Policy) => {
    if (closing.length === 0) closing = closingFor(policy, grant, all);
    return withoutGrant(policy, grant, { all, namedBefore, wasClosed: closing.length > 0 });
  };
  const isDone = (policy: Policy) => merge(policy) === policy;
  const { before, after } = await policyEditsOf(api).edit({ place, api, merge, isDone });
  const who = principalName(grant);
  const left = grantIn(after, grant);
  const isNamed = isNamedBeside(after, grant, all);
  const rest = left ? `says about ${who}: ${grantText(left)}` : isNamed ? `names ${who} together with others` : "";
  if (rest) log.warn(`the policy of ${of} still ${rest}. That is not part of this grant, so it stays`);
  if (closing.length > 0 && !namedBefore)
    log.warn(
      `the policy of ${of} denied ${who} everything else, which was taken out with the grant: ${JSON.stringify(closing)}. If somebody has added that on purpose, add it again`,
    );
  return before.length > 0;
}

/** The policy that a grant is merged into, which must be read. */
function shared(place: PolicyPlace): SharedPlace {
  return {
    ...place,
    async read(api) {
      const found = await place.read(api).catch(explained("forbidden", mustBeViewed));
      if (found === "unknown") throw new NotShown(place.of);
      return found;
    },
    write: (api, policy) => writeOrExplain(api, place, policy, nothingElse),
  };
}

const mustBeViewed = "A grant is merged into the existing policy, so the token must be allowed to view it";
const nothingElse =
  'Nothing else is in the policy, and the platform may not accept an empty one; add another element to it, or remove the resource with "pulumi state delete"';

/** The installation cannot show the policy. */
class NotShown extends PlatformError {
  constructor(of: string) {
    super(
      `could not read the policy of ${of}, into which the grant is merged: there is no such folder, or this installation of the platform does not show policies of folders. Nothing was changed; check the folder, or use FolderPolicy, which needs no view`,
      { code: "rejected", outcome: "not-sent" },
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
