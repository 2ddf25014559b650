import { unknownValue } from "../../provider/core/engine-values";
import { definitionOf } from "../pulumi/managed";
import { masked, type Planned } from "./planned";
import { cell } from "./report";
import { canonical } from "./state";

interface Longest {
  readonly name: number;
  readonly value: number;
}

/** What a plan changes about a resource, property by property. `changing`: URNs of all that changes. */
export function differences(
  one: Planned,
  changing: ReadonlySet<string>,
  { name: longestName, value: longest }: Longest,
): string {
  const { op, before, after = {}, importId, dependencies } = one;
  if (["delete", "protect", "discard"].includes(op)) return "";
  const imported = op === "import" ? `as it is on the platform: ${cell(importId, longest)}` : "";
  const old = op === "create" ? {} : before;
  const changed = changedNames(old, after);
  if (imported && changed.length === 0) return imported;
  if (changed.length === 0)
    return op === "create" ? "" : "no input: what has drifted is put back, or an option is changed";
  const listed = changed
    .map((name) => {
      const isOpen = canonical(after[name] ?? null).includes(unknownValue);
      // What the provider itself adds depends on nothing in the program.
      const isOwn = name in (definitionOf(one.type)?.job?.ownInputs ?? {});
      const isOdd = isOpen && !isOwn && !(dependencies[name] ?? []).some((urn) => changing.has(urn));
      const odd = isOdd ? " **(nothing that it depends on changes)**" : "";
      return `${cell(name, longestName)}: ${change(old[name], after[name], longest)}${odd}`;
    })
    .join("<br>");
  return imported ? `${imported}, then<br>${listed}` : listed;
}

/** What a plan changes about the outputs of the stack, which programs of other stacks may read: a row for each. */
export function outputRows(planned: readonly Planned[], { name: longestName, value: longest }: Longest): string[] {
  return planned
    .filter(({ type }) => type === "pulumi:pulumi:Stack")
    .flatMap(({ outputs, nextOutputs }) => {
      const isSame = (name: string) => canonical(outputs[name] ?? null) === canonical(nextOutputs[name] ?? null);
      const changed = Object.keys({ ...outputs, ...nextOutputs }).filter((name) => !isSame(name));
      return changed.map(
        (name) => `| ${cell(name, longestName)} | ${change(outputs[name], nextOutputs[name], longest)} |`,
      );
    });
}

/** Without what the provider itself keeps. */
export function changedNames(before: Planned["before"], after: Planned["before"]): string[] {
  return Object.keys({ ...before, ...after }).filter(
    (name) => !name.startsWith("__") && canonical(before[name] ?? null) !== canonical(after[name] ?? null),
  );
}

/**
 * Of long lists, the elements that differ: what people approve must not hide among what stays. Where that has another order
 * as well, the list follows, because an order can decide, such as that of a policy.
 */
function change(before: unknown, after: unknown, longest: number): string {
  const shown = (one: unknown): string => value(one, longest);
  if (after === undefined) return "removed";
  if (before === undefined) return shown(after);
  if (Array.isArray(before) && Array.isArray(after)) {
    const [old, now] = [comparedWith(after, before), comparedWith(before, after)];
    const signed = [...old.beyond.map((one) => `− ${shown(one)}`), ...now.beyond.map((one) => `+ ${shown(one)}`)];
    const isReordered = canonical(old.kept) !== canonical(now.kept);
    if (signed.length > 0 && signed.length < before.length + after.length)
      return `${signed.join(" ")}${isReordered ? `, and in another order: ${shown(after)}` : ""}`;
  }
  return `${shown(before)} → ${shown(after)}`;
}

/** What `these` have in common with `others`, in their own order, and beyond them. A second one of the same is one more. */
function comparedWith(others: readonly unknown[], these: readonly unknown[]): { beyond: unknown[]; kept: string[] } {
  const left = new Map<string, number>();
  const keyOf = (one: unknown): string => canonical(one ?? null);
  for (const one of others) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  const found: ReturnType<typeof comparedWith> = { beyond: [], kept: [] };
  for (const one of these) {
    const key = keyOf(one);
    const count = left.get(key) ?? 0;
    if (count === 0) found.beyond.push(one);
    else found.kept.push(key);
    left.set(key, Math.max(0, count - 1));
  }
  return found;
}

function value(content: unknown, longest: number): string {
  const visible = masked(content);
  const text = typeof visible === "string" ? visible : (JSON.stringify(visible) ?? "");
  return cell(text.replaceAll(unknownValue, "known after the update"), longest);
}
