import { z } from "zod";
import type { Client } from "../../provider/api/client";
import { Declarations } from "../../provider/core/declarations";
import { containsUnknown } from "../../provider/core/engine-values";
import { guarded } from "../../provider/core/guard";
import { keysOf, own } from "../../provider/core/keys";
import { whitelistOf } from "../../provider/platform/whitelist";
import { addressKey } from "../../provider/platform/whitelist-listing";
import { accountOfWhitelist } from "../../provider/platform/whitelist-set";
import { AddressSet } from "../../provider/values/address-set";
import { readText } from "../files";
import { type Managed, managedResources, secretsIn, textsIn } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";
import { digestIn } from "../pulumi/preview";
import type { StateResource } from "../pulumi/stack";

const Address = z.object({ urn: z.string(), address: z.string(), why: z.string() });

/** What a plan does to the login whitelist, as the platform shows it: all of it, or why that is not known. */
export const WhitelistChange = z.object({
  added: z.array(z.string()),
  /** Set if nothing is on the list yet. */
  isFirst: z.literal(true).optional(),
  removed: z.array(Address),
  /** What the plan declares no more, or would remove, and leaves there. */
  stays: z.array(Address),
  unknown: z.array(z.string()),
});
type Change = z.output<typeof Address>;
export type WhitelistChange = z.output<typeof WhitelistChange>;

/** A resource with addresses, and what the plan does to it. */
interface Step {
  /** `outside`: the run leaves it out. */
  readonly op: string;
  readonly resource: Managed;
  readonly before?: Managed | undefined;
  readonly after?: Managed | undefined;
  /** Why the platform keeps what is deleted. */
  readonly retained?: string;
}

const onlyUnknown = (unknown: string[]): WhitelistChange => ({ added: [], removed: [], stays: [], unknown });
const isChange = ({ op }: Step): boolean => !["same", "import", "outside"].includes(op);
const labelOf = ({ type, name }: Managed): string => `${type} ${name}`;
const keysIn = ({ definition, inputs }: Managed): readonly string[] => keysOf(definition!, inputs);

/**
 * Of a plan in the form of `pulumi preview --json` that names all that the run includes: the rest declares nothing then, as
 * with `--target`. Undefined if it does nothing with addresses.
 */
export async function whitelistAfter(
  file: string,
  state: readonly StateResource[],
  clientOf: (resource: Managed) => Client,
): Promise<WhitelistChange | undefined> {
  const steps = stepsIn(file, managedResources(state));
  if (!steps.some(isChange)) return undefined;
  try {
    const accounts = new Map<string, Step[]>();
    for (const step of steps) {
      const client = clientOf(step.resource);
      const account = `${client.settings.baseUrl} ${await accountOfWhitelist(client)}`;
      accounts.set(account, [...(accounts.get(account) ?? []), step]);
    }
    const all = onlyUnknown(steps.flatMap(whyHidden));
    if (all.unknown.length === 0) for (const own of accounts.values()) await changeBy(own, clientOf, all);
    return all;
  } catch (error) {
    return onlyUnknown([(error as Error).message]);
  }
}

function stepsIn(file: string, state: readonly Managed[]): Step[] {
  const all = digestIn(readText(`the plan ${file}`, file))?.steps ?? [];
  const left = new Map(state.map((resource) => [resource.urn, resource]));
  const gone = new Set<unknown>(all.filter(({ op }) => /^delete/.test(op)).map(({ urn }) => urn));
  const steps = all.flatMap(({ op, oldState, newState }): Step[] => {
    const before = oldState ? left.get(oldState.urn) : undefined;
    left.delete(before?.urn ?? newState?.urn ?? "");
    const planned = newState ? managedResources([newState])[0] : undefined;
    // A plan masks secrets; the state shows those of what stays as it is.
    const after = op === "same" && before ? before : planned;
    const resource = after ?? before;
    const retained = oldState?.["retainOnDelete"] === true ? "retainOnDelete" : "";
    return resource
      ? [
          {
            op,
            resource,
            before,
            after,
            retained: retained || (gone.has(oldState?.["deletedWith"]) ? "deletedWith" : ""),
          },
        ]
      : [];
  });
  const outside = [...left.values()].map((resource) => ({ op: "outside", resource, before: resource }));
  return [...steps, ...outside].filter(({ resource }) => resource.definition?.whitelisting);
}

function whyHidden({ op, before, after }: Step): string[] {
  if (!after || op === "same") return [];
  const why = (what: string): string[] => [`${labelOf(after)}: ${what}`];
  if (before && before.provider !== after.provider) return why("its provider changes");
  if (containsUnknown(after.inputs)) return why("a part of it is known only after the update");
  return textsIn(after.inputs).includes(maskedSecret) ? why("the program marks a part of it as a secret") : [];
}

/** Adds what these do, which are all that the stack has of one account. */
async function changeBy(steps: readonly Step[], clientOf: (resource: Managed) => Client, all: WhitelistChange) {
  const run = await declaredBy(steps);
  const outside = new Map(
    steps
      .filter(({ op }) => op === "outside")
      .flatMap(({ resource }) => keysIn(resource).map((key) => [key, labelOf(resource)])),
  );
  const whyRemoved = (key: string): string => {
    if (outside.has(key)) return `${outside.get(key)} declares it, and is no part of this run`;
    return run.isOwned(key) ? "no longer declared" : "exclusive: on the platform, not declared";
  };
  const secret = new AddressSet(steps.flatMap(({ before }) => (before ? secretsIn(before) : [])));
  const shown = (address: string): string => (secret.has(address) ? maskedSecret : address);
  const added: string[] = [];
  const found = { removed: new Map<string, Change>(), stays: new Map<string, Change>() };
  for (const step of steps.filter(isChange)) {
    const { add, remove, kept, left } = await effectOf(step, run, clientOf);
    const note = (where: keyof typeof found, addresses: readonly string[], why: (key: string) => string): void => {
      for (const one of addresses)
        found[where].set(addressKey(one), {
          urn: step.resource.urn,
          address: shown(one),
          why: why(addressKey(one)),
        });
    };
    added.push(...add.map(shown));
    const isLeft = step.retained && step.op !== "update" && step.after?.inputs["exclusive"] !== true;
    note(isLeft ? "stays" : "removed", remove, (key) => (isLeft ? `${step.retained}` : whyRemoved(key)));
    note("stays", kept, () => "keep");
    note("stays", left, (key) => (run.declarerOf(key) ? `${run.declarerOf(key)} declares it` : "put there by others"));
  }
  const client = clientOf(steps[0]!.resource);
  if (added.length > 0 && (await whitelistOf(client).seen(client))?.isEmpty) all.isFirst = true;
  all.added.push(...added);
  all.removed.push(...found.removed.values());
  // What one resource leaves, another may remove.
  all.stays.push(...[...found.stays].flatMap(([key, one]) => (found.removed.has(key) ? [] : [one])));
}

/** As the run knows it once everything is declared and created. */
async function declaredBy(steps: readonly Step[]): Promise<Declarations> {
  const run = new Declarations();
  for (const { before, after } of steps) {
    if (before) own(before.definition!, before.state, run);
    if (!after) continue;
    run.declare({ who: after.urn, label: labelOf(after), isNew: !before }, keysIn(after));
    await run.takeOver(keysIn(after));
  }
  return run;
}

function effectOf(
  { resource, before, after }: Step,
  declarations: Declarations,
  clientOf: (resource: Managed) => Client,
) {
  const host = { client: () => clientOf(resource), log: { info: () => {}, warn: () => {} }, declarations };
  const about = { name: resource.type, failed: labelOf(resource), secrets: secretsIn(resource) };
  const step = { id: before?.id, old: before?.state, inputs: after?.inputs };
  return guarded(host, about, (context) => resource.definition!.whitelisting!(context, step));
}
