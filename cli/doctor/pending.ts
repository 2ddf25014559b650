import type { Client } from "../../provider/api/client";
import { urnParts } from "../../provider/core/urn";
import type { Managed } from "../pulumi/managed";
import type { PendingOperation } from "../pulumi/stack";
import { quoted } from "../terminal/quote";
import { printable } from "../terminal/style";
import { type Finding, findingsOf } from "./finding";
import { lookUp, type Outcome } from "./look-up";

const { warning, problem } = findingsOf("Stack");

/** A pending operation on one of our resources. */
export interface Pending {
  readonly operation: PendingOperation;
  readonly resource: Managed;
  /** The same resource in the state, created by a later run. */
  readonly inState: Managed | undefined;
}

export interface Settling {
  /** ` --stack NAME`, or empty. */
  readonly onStack: string;
  /** How to make the engine find the plugin, which imports need in both modes; undefined if it already does. */
  readonly pluginFix: string | undefined;
}

/** The outcome of an interrupted operation, and the command that resolves it. */
export async function pendingFinding(
  pending: Pending,
  client: () => Client,
  settling: Settling,
): Promise<{ readonly finding: Finding; readonly imports: boolean }> {
  const { operation, resource } = pending;
  const name = printable(resource.name);
  const begin = `${printable(resource.type)}, interrupted while ${printable(operation.type)}`;
  if (operation.type !== "creating") {
    const fix = `pulumi refresh${settling.onStack}   # then rerun the interrupted command`;
    return {
      finding: warning(name, `${begin}: a refresh reads the actual state and clears the pending operation`, fix),
      imports: false,
    };
  }
  const outcome = await lookUp(resource, client);
  const { verdict, says, fix, imports = false } = settle(pending, outcome, settling);
  return { finding: (verdict === "problem" ? problem : warning)(name, `${begin}: ${says}`, fix), imports };
}

interface Settled {
  readonly verdict: "problem" | "warning";
  readonly says: string;
  readonly fix: string;
  readonly imports?: boolean;
}

function settle(pending: Pending, outcome: Outcome, settling: Settling): Settled {
  const clear = clearCommand(settling);
  if (pending.inState) return settleKnown(pending.inState, outcome, clear);
  switch (outcome.kind) {
    case "absent":
      return { verdict: "warning", says: `${outcome.says}; the next "pulumi up" creates it`, fix: clear };
    case "exists":
      return {
        verdict: outcome.repeatable ? "warning" : "problem",
        says: `${outcome.says}, but it is not in the state`,
        fix: importCommand(pending, outcome.id ?? "<id>", settling),
        imports: true,
      };
    case "unknown":
      if (outcome.repeatable) return { verdict: "warning", says: outcome.says, fix: clear };
      return {
        verdict: "problem",
        says: outcome.says,
        fix: `check the platform's user interface first. If it exists: ${importCommand(pending, "<id>", settling)}. If not: ${clear}`,
        imports: true,
      };
  }
}

/** A later run created it, but the engine still keeps the pending operation of the earlier run. */
function settleKnown({ id }: Managed, outcome: Outcome, clear: string): Settled {
  if (outcome.kind === "exists" && outcome.id !== undefined && outcome.id !== id)
    return {
      verdict: "warning",
      says: `${outcome.says}, and a later run created another, which is in the state (id ${printable(id)}); both exist`,
      fix: clear,
    };
  if (outcome.kind === "unknown" && !outcome.repeatable)
    return {
      verdict: "problem",
      says: `a later run created one, which is in the state (id ${printable(id)}), and the interrupted run may have created another`,
      fix: `check the platform's user interface, delete the duplicate if there is one, then: ${clear}`,
    };
  return {
    verdict: "warning",
    says: `already resolved: a later run created it (id ${printable(id)} in the state), and only the pending operation is left`,
    fix: clear,
  };
}

export function clearCommand({ onStack }: Settling): string {
  return `pulumi refresh --clear-pending-creates${onStack}`;
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
