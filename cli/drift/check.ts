import type { Client } from "../../provider/api/client";
import { Clients } from "../../provider/api/clients";
import { Declarations } from "../../provider/core/declarations";
import type { AnyResource } from "../../provider/core/define";
import { diffInputs, sameInput } from "../../provider/core/diff";
import { withExtendedApi } from "../../provider/core/extended";
import { own } from "../../provider/core/keys";
import { Lifecycle } from "../../provider/core/lifecycle";
import { limitsOf } from "../../provider/core/limits";
import { deepEqual, type Properties } from "../../provider/core/properties";
import { redactor } from "../../provider/core/redact";
import { secretsOf } from "../../provider/core/secrets";
import type { Source } from "../inventory/accounts";
import { accountOf, mismatchesIn, Owners, type Ownership, wrongAccountReason } from "../platform/accounts";
import {
  countOthers,
  ifConfigured,
  type Managed,
  managedResources,
  secretsIn,
  settingsFinder,
} from "../pulumi/managed";
import { maskedSecret as mask } from "../pulumi/plain";
import type { StackConfig } from "../pulumi/stack";
import { subjectOf } from "../pulumi/subject";
import type { StatusLine } from "../terminal/status-line";
import { overwrittenBy } from "./overwritten";
import { type DriftReport, type PropertyDrift, type ResourceReport, summarise } from "./report";
import { whitelistAfter } from "./whitelist";

export interface Stack extends Source {
  readonly config: StackConfig;
  /** When a refresh changed the state, if that was after the last `up`. */
  readonly refreshedAt?: string | undefined;
}

type Finding = Pick<ResourceReport, "status" | "reason" | "properties" | "repair" | "lost">;

/** Reads each of our resources from the platform and compares it with the inputs in the state. `plan`: a file. */
export async function checkDrift(
  stack: Stack,
  {
    progress,
    tool,
    plan,
  }: { readonly progress: StatusLine; readonly tool: string; readonly plan?: string | undefined },
): Promise<DriftReport> {
  const managed = managedResources(stack.state);
  const settingsOf = settingsFinder(stack.state, stack.config);
  const clients = new Clients();
  // Check settings before reading, so that missing ones give one error instead of one per resource.
  const stackSettings = managed.find((resource) => resource.provider === undefined && resource.definition?.read);
  const parallel = stackSettings ? settingsOf(stackSettings).connections : 32;
  const owners = new Owners();
  const runs = new Map<string | undefined, Declarations>();
  for (const { provider, definition, state } of managed) {
    const run = runs.get(provider) ?? new Declarations();
    runs.set(provider, run);
    if (definition) own(definition, state, run);
  }
  try {
    const reports = await progress.each("reading resources", managed, parallel, async (resource) => {
      const { urn, type, name, id } = resource;
      const client = () => owners.note(resource, clients.of(settingsOf(resource)));
      // Not readable, but the state names its account, so it still counts for the account check.
      if (!resource.definition?.read && accountOf(resource) !== undefined) ifConfigured(client);
      return { urn, type, name, id, ...(await checkResource(resource, client, runs.get(resource.provider)!)) };
    });
    const isUsed = managed.length === 0 || managed.some(({ provider }) => provider === undefined);
    const usual = isUsed ? ifConfigured(() => clients.of(settingsOf({ provider: undefined }))) : undefined;
    const account = usual && (await owners.accountOf(usual));
    const clientOf = (resource: Managed): Client => clients.of(settingsOf(resource));
    const whitelist = plan === undefined ? undefined : await whitelistAfter(plan, stack.state, clientOf);
    const overwritten = plan === undefined ? undefined : await overwrittenBy(plan, clientOf);
    const ownerships = await owners.settle();
    const mismatches = mismatchesIn(ownerships);
    return {
      format: 1,
      tool,
      project: stack.project,
      stack: stack.stack,
      checkedAt: new Date().toISOString(),
      platforms: clients.addresses(),
      account,
      otherResources: countOthers(stack.state),
      refreshedAt: stack.refreshedAt,
      whitelist,
      overwritten,
      ...(mismatches.length > 0 ? { accountMismatches: mismatches } : {}),
      ...summarise(judge(reports, ownerships)),
    };
  } finally {
    await clients.close();
  }
}

/** `declarations`: what the resources of the same provider have put on the platform. */
async function checkResource(resource: Managed, client: () => Client, declarations: Declarations): Promise<Finding> {
  const { id, state, type } = resource;
  if (!resource.definition)
    return { status: "error", reason: `this version of pulumi-dataplatform has no type ${type}; update the package` };
  const isExtended = ifConfigured(client)?.settings.extendedApi ?? false;
  const definition = isExtended ? withExtendedApi(resource.definition) : resource.definition;
  const clean = redactor(...secretsIn(resource));
  const { unseen } = limitsOf(definition);
  if (unseen !== undefined) return { status: "unverifiable", reason: unseen };
  const warnings: string[] = [];
  try {
    const log = { info: () => {}, warn: (message: string) => void warnings.push(message) };
    const { watched, seen } = watchRead(definition);
    const host = { client, log, declarations, extendedApi: () => isExtended };
    const found = await new Lifecycle(watched, host).read(id, state);
    // A refresh keeps what the token may not read. Here that is a failed check.
    if (seen.error) throw seen.error;
    if (!found) return { status: "gone", repair: "create", lost: subjectOf(resource) };
    const { properties, replaces } = compare(definition, resource, found.state);
    if (properties.length > 0) return { status: "drifted", properties, repair: replaces ? "replace" : "update" };
    // The read kept the state because it found nothing to compare; usually a warning says why.
    if (warnings.length > 0 || seen.nothing)
      return {
        status: "unverifiable",
        reason: clean(warnings.join("; ")) || "The platform returned nothing about it.",
      };
    return { status: "as-declared" };
  } catch (error) {
    return { status: "error", reason: clean((error as Error).message).replace(/\s*\n\s*/g, " ") };
  }
}

interface Seen {
  /** Whether the read returned no property. */
  nothing?: boolean;
  error?: unknown;
}

/** The definition with a `read` that records how it ended. */
function watchRead(definition: AnyResource): { watched: AnyResource; seen: Seen } {
  const { read } = definition;
  const seen: Seen = {};
  if (!read) return { watched: definition, seen };
  const watched: AnyResource = {
    ...definition,
    read: async (...args) => {
      try {
        const found = await read(...args);
        seen.nothing = found !== undefined && Object.keys(found).length === 0;
        return found;
      } catch (error) {
        seen.error = error;
        throw error;
      }
    },
  };
  return { watched, seen };
}

/** The reports, with an error for each resource that was read with a token of another account. */
function judge(reports: readonly ResourceReport[], ownerships: readonly Ownership[]): ResourceReport[] {
  const wrong = new Set(mismatchesIn(ownerships).flatMap(({ urns }) => urns));
  const owners = new Map(
    ownerships.flatMap(({ resources, mismatch }) =>
      resources.map((resource) => [resource.urn, { mismatch, own: accountOf(resource) }]),
    ),
  );
  return reports.map((report) => {
    const { urn, type, name, id } = report;
    const { mismatch, own } = owners.get(urn) ?? {};
    if (!mismatch || !wrong.has(urn)) return report;
    return { urn, type, name, id, status: "error", reason: wrongAccountReason(mismatch, own) };
  });
}

/** Declared inputs that differ on the platform: what the next refresh and `up` would change. */
export function compare(definition: AnyResource, resource: Managed, found: Properties) {
  const { inputs, state } = resource;
  // Changes that the next `up` makes anyway, such as resuming a wait, are pending work, not drift.
  const pendingChanges = new Set(diffInputs(definition, state, inputs).changed);
  const { changed, replaces } = diffInputs(definition, found, inputs);
  const properties: PropertyDrift[] = [];
  for (const name of changed) {
    if (!sameInput(definition, name, found[name], inputs[name], inputs))
      properties.push(maskedDrift(definition, resource, name, inputs[name], found[name]));
    else if (!pendingChanges.has(name)) properties.push(...changedOutputs(definition, resource, found));
  }
  return { properties: unique(properties), replaces: replaces.length > 0 };
}

/** The input is as declared but no longer met; the outputs show why. */
function changedOutputs(definition: AnyResource, resource: Managed, found: Properties): PropertyDrift[] {
  return Object.keys(definition.outputs.shape)
    .filter((name) => !deepEqual(resource.state[name], found[name]))
    .map((name) => maskedDrift(definition, resource, name, resource.state[name], found[name]));
}

function unique(properties: readonly PropertyDrift[]): PropertyDrift[] {
  return [...new Map(properties.map((property) => [property.property, property])).values()];
}

function maskedDrift(
  definition: AnyResource,
  { secretNames }: Managed,
  property: string,
  declared: unknown,
  actual: unknown,
): PropertyDrift {
  const names = secretsOf(definition);
  const inside = names.filter((name) => name.startsWith(`${property}.`)).map((name) => name.split(".").slice(1));
  // The whole value is a secret, because the definition or the program says so.
  const whole = names.includes(property) || (secretNames.has(property) && inside.length === 0);
  const masked = (value: unknown): unknown =>
    whole && value !== undefined ? mask : inside.reduce((inner, path) => maskedAt(inner, path), value);
  const [left, right] = [masked(declared), masked(actual)];
  return { property, declared: left, actual: right, secret: whole || deepEqual(left, right) };
}

function maskedAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value === undefined ? undefined : mask;
  if (typeof value !== "object" || value === null || !(key in value)) return value;
  return { ...value, [key]: maskedAt((value as Properties)[key], rest) };
}
