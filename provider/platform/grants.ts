import { isPlatformError, PlatformError } from "../api/errors";
import { type Context, keepIfOpen } from "../core/define";
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
} from "../values/grant";
import type { Policy } from "../values/policy";
import { type PolicyPlace, policyEditsOf } from "./policy-edits";

/** The policy that grants are merged into. */
export interface GrantPlace extends PolicyPlace {
  /** The actions that `all` stands for. */
  readonly all: readonly string[];
}

/** What a resource knows about its grant. */
interface Managed {
  readonly id: string;
  readonly place: GrantPlace;
  readonly grant: Grant;
}

interface Remembered {
  readonly namedBefore?: boolean | undefined;
}

/** A grant with both lists, also where one is empty, and without anything else. */
type Shown = Pick<Grant, "allow" | "deny">;

export function grantKey(place: string, principal: Principal): string {
  return `grant of ${principalName(principal)} on ${place}`;
}

export async function addGrant(context: Context, { id, place, grant }: Managed, adopt: boolean): Promise<Remembered> {
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
export async function readGrant(
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
function importedGrant(policy: Policy | "absent", place: GrantPlace, principal: Principal): Shown & Remembered {
  const found = policy === "absent" ? undefined : grantIn(policy, principal);
  if (policy !== "absent" && found) return { ...shown(found), namedBefore: isNamedBeside(policy, found, place.all) };
  const who = principalName(principal);
  const why =
    policy === "absent"
      ? `the platform shows no ${place.name}; check the id`
      : isNamedBeside(policy, principal, place.all)
        ? `the ${place.name} names ${who} only together with others, which a grant leaves alone. To give ${who} something of its own, declare the grant and run "pulumi up"`
        : `the ${place.name} says nothing about ${who}; declare the grant and run "pulumi up"`;
  throw new PlatformError(`there is nothing to import: ${why}`, { code: "rejected", outcome: "not-sent" });
}

export async function changeGrant(
  context: Context,
  { id, place, grant }: Managed,
  old: Grant & Remembered,
): Promise<void> {
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
export async function removeGrant(
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
      `the ${place.name} still says about ${who}: ${grantText(left)}. That is not part of this grant, so it stays`,
    );
  else if (isNamedBeside(after, grant, place.all))
    log.warn(`the ${place.name} still names ${who} together with others. That is not part of this grant, so it stays`);
  return { wasEmpty: before.length === 0 };
}

/** At preview: what create would refuse, and what may override the grant. */
export async function foreseeGrant(
  context: Context,
  { place, grant }: Pick<Managed, "place" | "grant">,
  { isNew, adopt }: { readonly isNew: boolean; readonly adopt: boolean },
): Promise<void> {
  const policy = await policyEditsOf(context.api).view(place);
  if (policy === "absent") return;
  if (isNew && !adopt) refuseOther(policy, place, grant);
  warnOfContradictions(context, policy, place, grant);
}

/** A forbidden view, which a grant cannot do without. */
export function explainForbidden(error: unknown): unknown {
  return isPlatformError(error, "forbidden")
    ? error.with(
        `${error.message}. A grant is merged into the existing policy, so the token must be allowed to view it`,
      )
    : error;
}

/** Advice if the platform refuses the empty policy that is left without the grant. */
export function explainEmpty(policy: Policy, error: unknown): unknown {
  return policy.length === 0 && isPlatformError(error, "rejected")
    ? error.with(
        `${error.message}. Nothing else is in the policy, and the platform may not accept an empty one; add another element to it, or remove the resource with "pulumi state delete"`,
      )
    : error;
}

/** Somebody else has granted something else to the same principal: taking that over would lose it. */
function refuseOther(policy: Policy, place: GrantPlace, grant: Grant): void {
  const found = replacedBy(policy, grant, place.all);
  if (!found || withGrant(policy, grant, place.all) === policy) return;
  throw new PlatformError(
    `the ${place.name} already says about ${principalName(grant)}: ${grantText(found)}. The program says: ${grantText(grant)}. If this resource was renamed, give it an alias with its old name (docs/moving.md). Otherwise import the grant, or set adopt to true. Nothing was changed`,
    { code: "conflict", outcome: "not-sent" },
  );
}

function warnOfContradictions({ log }: Context, policy: Policy, place: GrantPlace, grant: Grant): void {
  const elements = contradictionsOf(policy, grant, place.all);
  if (elements.length > 0)
    log.warn(
      `the ${place.name} contradicts this grant: element ${elements.join(", ")} names ${principalName(grant)} together with others, and says the opposite about the same actions. The API's manual does not say which applies; a grant never changes elements of others, so change them or the grant`,
    );
}

function shown({ allow, deny }: Grant): Shown {
  return { allow, deny };
}
