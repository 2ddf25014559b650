import { urnParts } from "../../provider/core/urn";
import type { Managed } from "../pulumi/managed";
import type { PendingOperation } from "../pulumi/stack";
import { quoted } from "../terminal/quote";
import { printable } from "../terminal/style";
import { type Finding, findingsOf } from "./finding";
import type { Outcome } from "./look-up";

const { warning, problem } = findingsOf("Stack");

/** A pending operation on one of our resources. */
export interface Pending {
  readonly operation: PendingOperation;
  readonly resource: Managed;
  /** The resource of that name in the state: the one that was being replaced, or one that got there later. */
  readonly inState: { readonly resource: Managed; readonly isReplaced: boolean } | undefined;
}

/** A pending operation, and what became of it; undefined if a refresh finds that out, or nothing does: `unseen` says why. */
interface LookedUp extends Pending {
  readonly unseen?: string | undefined;
  readonly outcome: Outcome | undefined;
}

export interface Settling {
  /** ` --stack NAME`, or empty. */
  readonly onStack: string;
  /** How to make the engine find the plugin, which imports need in both modes; undefined if it already does. */
  readonly pluginFix: string | undefined;
  /** URN of the stack's own resource, if the state has it. */
  readonly root?: string | undefined;
}

/** What became of an interrupted operation, and the command that resolves it. */
interface Settled {
  readonly finding: Finding;
  readonly imports: boolean;
  /** Whether the pending operation is still there after the fix. */
  readonly stays: boolean;
}

const missingInputs = "   # Pulumi may warn of missing inputs there, as if that were a bug: expected";

/** `all`: every interrupted operation, because two runs may have been interrupted at the same resource. */
export function settle(pending: LookedUp, all: readonly LookedUp[], settling: Settling): Settled {
  const { operation, resource, outcome } = pending;
  const name = printable(resource.name);
  const begin = `${printable(resource.type)}, interrupted while ${printable(operation.type)}`;
  const found = outcome ? verdictOn(pending, outcome, all, settling) : notLookedUp(pending, settling);
  const { verdict, says, fix, imports = false, stays = false } = found;
  // What an import cannot read is missing until the next `up`.
  const comment = imports && resource.definition?.importId.note ? missingInputs : "";
  const finding = (verdict === "problem" ? problem : warning)(name, `${begin}: ${says}`, fix + comment);
  return { finding, imports, stays };
}

interface Verdict extends Partial<Omit<Settled, "finding">> {
  readonly verdict: "problem" | "warning";
  readonly says: string;
  readonly fix: string;
}
const harmless = (says: string, fix: string): Verdict => ({ verdict: "warning", says, fix });

/** Without a target, a refresh takes over what was changed by hand, which is no drift from then on. */
const refresh = (urn: string | undefined, { onStack }: Settling, option = ""): string =>
  `pulumi refresh${option}${urn === undefined ? "" : ` --target ${quoted(urn)}`}${onStack}`;

/** An interrupted update or delete. */
function notLookedUp({ unseen, inState }: LookedUp, settling: Settling): Verdict {
  if (unseen === undefined)
    return harmless(
      "a refresh reads the actual state and clears the pending operation",
      `${refresh(inState?.resource.urn, settling)}   # then rerun the interrupted command`,
    );
  return harmless(
    `${unseen}, so nothing tells what was done`,
    "run the interrupted command again with the program that it had; change the program after that. A refresh would only forget that it was interrupted",
  );
}

function verdictOn(pending: LookedUp, outcome: Outcome, all: readonly LookedUp[], settling: Settling): Verdict {
  const clear = clearCommand(settling);
  const { inState } = pending;
  const known = inState && knownVerdict(inState.resource, outcome, inState.isReplaced, clear);
  if (known) return known;
  const replaced = inState?.resource;
  const old = replaced ? `; the state has the one that it replaces (id ${printable(replaced.id)})` : "";
  switch (outcome.kind) {
    case "absent": {
      const next = replaced ? "replaces that" : "creates it";
      return harmless(`${outcome.says}${old}; the next "pulumi up" ${next}`, clear);
    }
    case "exists": {
      const newest = newestOf(pending, all);
      if (newest !== undefined && newest !== outcome.id)
        return harmless(
          `${outcome.says}; a later run, interrupted too, made another (id ${newest}), which is the one to keep: Pulumi does not manage this one`,
          clear,
        );
      if (replaced && outcome.repeatable)
        return harmless(`${outcome.says}${old}; the next "pulumi up" repeats it`, clear);
      return {
        verdict: outcome.repeatable ? "warning" : "problem",
        says: `${outcome.says}, but it is not in the state${old}`,
        ...takeOver(pending, outcome.id ?? "<id>", settling),
      };
    }
    case "unknown": {
      if (outcome.repeatable) return harmless(`${outcome.says}${old}`, clear);
      const taken = takeOver(pending, "<id>", settling);
      return {
        ...taken,
        verdict: "problem",
        says: `${outcome.says}${old}`,
        fix: `check the platform's user interface first. If it exists: ${taken.fix}. If not: ${clear}`,
      };
    }
  }
}

/** What the state has is not the older one, or is all that there is; but the engine still keeps the pending operation. */
function knownVerdict({ id }: Managed, outcome: Outcome, isReplaced: boolean, clear: string): Verdict | undefined {
  const isAnother = outcome.kind === "exists" && outcome.id !== undefined && outcome.id !== id;
  const isSame = outcome.kind === "exists" && outcome.id === id;
  if (isReplaced && !isSame) return undefined;
  if (isAnother)
    return harmless(
      `${outcome.says}, and the state has a later one (id ${printable(id)}); both exist, and Pulumi manages only the later one`,
      clear,
    );
  if (outcome.kind === "unknown" && !outcome.repeatable)
    return {
      verdict: "problem",
      says: `the state has one that got there later (id ${printable(id)}), and the interrupted run may have created another`,
      fix: `check the platform's user interface, delete the duplicate if there is one, then: ${clear}`,
    };
  return harmless(
    `already resolved: it is in the state (id ${printable(id)}), and only the pending operation is left`,
    clear,
  );
}

/** What the last of several runs made that were interrupted at the same resource: the platform's ids only grow. */
function newestOf({ resource }: LookedUp, all: readonly LookedUp[]): string | undefined {
  const same = all.filter((one) => modeless(one.resource.urn) === modeless(resource.urn));
  const ids = same.flatMap(({ outcome }) => (outcome?.kind === "exists" ? (outcome.id ?? []) : []));
  return ids.every((id) => /^\d+$/.test(id)) ? ids.sort((a, b) => Number(a) - Number(b)).at(-1) : undefined;
}

/** The same in both modes: the stack may have switched modes since. */
export function modeless(urn: string): string {
  return urn.replaceAll("pulumi-nodejs:dynamic/dataplatform:", "dataplatform:index:");
}

/** Clears all of them, whatever the target is; what was being created is in no state, so it cannot be one. */
export const clearCommand = (settling: Settling): string =>
  refresh(settling.root, settling, " --clear-pending-creates");

/**
 * How what exists gets into the state. The name of a replacement is taken there: the create of the next `up` adopts it,
 * or an import puts it beside the older one, which gets another name. No program declares that, so `up` deletes it.
 */
function takeOver(pending: LookedUp, id: string, settling: Settling): Pick<Verdict, "fix" | "imports" | "stays"> {
  const { resource, inState } = pending;
  const importIt = importCommand(pending, id, settling);
  if (!inState) return { fix: importIt, imports: true, stays: true };
  if (resource.definition && "adopt" in resource.definition.inputs.shape)
    return { fix: `set adopt: true on it in the program, then: pulumi up${settling.onStack}`, stays: true };
  const { urn, name } = inState.resource;
  const rename = `pulumi state rename ${quoted(urn)} ${quoted(`${name}-replaced`)} --yes${settling.onStack}`;
  return { fix: `${rename} && ${importIt}`, imports: true, stays: true };
}

/**
 * Uses the plugin in both modes; the next `up` of a dynamic stack adopts the resource without a request. The program
 * already declares the resource and its protection, hence the last two flags.
 */
function importCommand({ operation, resource }: Pending, id: string, { onStack }: Settling): string {
  const { parent } = operation.resource;
  const own =
    parent && urnParts(parent).type !== "pulumi:pulumi:Stack" ? ` --parent ${quoted(`parent=${parent}`)}` : "";
  const provider = resource.provider ? ` --provider ${quoted(`provider=${resource.provider}`)}` : "";
  const what = `dataplatform:index:${resource.type} ${quoted(resource.name)} ${id === "<id>" ? id : quoted(id)}`;
  return `pulumi import ${what} --protect=false --generate-code=false${own}${provider}${onStack}`;
}
