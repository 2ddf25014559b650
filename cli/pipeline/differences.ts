import { declaredAddresses } from "../../policies/whitelist";
import { unknownValue } from "../../provider/core/engine-values";
import { ownType } from "../../provider/core/urn";
import {
  definitionOf,
  ifConfigured,
  leftBehind,
  type Managed,
  managedResources,
  settingsFinder,
} from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";
import type { StateResource } from "../pulumi/stack";
import { subjectOf } from "../pulumi/subject";
import { code } from "../report/markdown";
import type { Drift } from "./drift";
import type { HeadConfig } from "./head-config";
import { masked, type Planned, staysBecause } from "./planned";
import { cell, said } from "./report";
import { canonical, type Exported } from "./state";

interface Longest {
  readonly name: number;
  readonly value: number;
}

/** What a plan changes about a resource, property by property. `changing`: URNs of all that changes. */
export function differences(
  one: Planned,
  changing: ReadonlySet<string>,
  { name: longestName, value: longest }: Longest,
  { differing = {} }: Partial<Pick<Drift, "differing">> = {},
): string {
  const { op, before, after = {}, importId, dependencies } = one;
  if (["protect", "discard"].includes(op)) return "";
  if (op === "delete") return subject(before, one, longest);
  const imported = op === "import" ? `as it is on the platform: ${cell(importId, longest)}` : "";
  const old = op === "create" ? {} : before;
  const changed = changedNames(old, after);
  if (imported && changed.length === 0) return imported;
  if (changed.length === 0 && op === "create") return "";
  if (changed.length === 0)
    return [subject(before, one, longest), whyWithoutInput(differing[one.urn])].filter(Boolean).join(": ");
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

const whyWithoutInput = (drifted: string | undefined): string =>
  drifted
    ? `what has drifted is put back: it is ${said(drifted)}`
    : "no input: an option is changed, or it was imported, and nothing is sent";

/** What the platform calls it. */
function subject(state: Planned["before"], { type }: Planned, longest: number): string {
  const own = { type: ownType(type) ?? "", id: "", secretNames: new Set<string>() };
  const words = subjectOf({ ...own, state: masked(state) });
  return words.trim() === own.type ? "" : cell(words, longest);
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

/**
 * From where users may log in, which no policy says: one line, and none if the plan does not change it. `change`: what it
 * does to the list as the platform shows it; without that, to what is declared.
 */
export function whitelistLines(planned: readonly Planned[], most = 50, change?: Drift["whitelist"]): string[] {
  const isKnown = change && change.unknown.length === 0;
  const parts = isKnown ? foreseenParts(change, most) : declaredParts(planned, most);
  if (change && !isKnown)
    parts.push(
      `${parts.length > 0 ? "what else changes or stays" : "what changes"} is not known: ${said(change.unknown.join("; "))}`,
    );
  return parts.length === 0 ? [] : [`**Login whitelist: ${parts.join("; ")}**`];
}

function foreseenParts({ added, isFirst, removed, stays }: NonNullable<Drift["whitelist"]>, most: number): string[] {
  const grouped = (sign: string, addresses: typeof removed, lead = ""): string[] =>
    [...new Set(addresses.map(({ why }) => why))].map((why) => {
      const some = addresses.filter((one) => one.why === why).map(({ address }) => address);
      const count = some.length > most ? `${some.length}, ` : "";
      return `${lead}${signed(sign, some, most).join(", ")} (${count}${said(why)})`;
    });
  const add = signed("+", added, most).join(", ");
  const first = "the list is empty now: once whitelisting is enabled for the account, users can log in only from these";
  return [
    ...(add ? [add] : []),
    ...grouped("−", removed),
    ...grouped("", stays, "stays: "),
    ...(isFirst ? [first] : []),
  ];
}

/** By URN of what is removed: which of its addresses stay. */
export const stayingWords = (change: Drift["whitelist"]): Map<string, string> => {
  const words = new Map<string, string>();
  for (const { urn, address, why } of change?.stays ?? [])
    words.set(urn, `${words.has(urn) ? `${words.get(urn)}, ` : "stays on the whitelist: "}${address} (${why})`);
  return words;
};

function declaredParts(planned: readonly Planned[], most: number): string[] {
  const [before, after] = [addressesIn(planned, "before"), addressesIn(planned, "after")];
  const added = [...after].filter((address) => !before.has(address));
  const undeclared = [...before].filter((address) => !after.has(address));
  const staying = addressesIn(
    planned.filter((one) => staysBecause(one, planned)),
    "before",
  );
  const removed = undeclared.filter((address) => !staying.has(address));
  const kept = undeclared.filter((address) => staying.has(address));
  const exclusive = planned.some((one) => isExclusive(one, "after") && !isExclusive(one, "before"));
  const changes = [
    ...signed("+", added, most),
    ...signed("−", removed, most),
    ...signed("no longer declared, and stays:", kept, most),
    ...(exclusive ? ["− all others (exclusive)"] : []),
  ];
  return changes.length === 0 ? [] : [changes.join(", ")];
}

function signed(sign: string, addresses: readonly string[], most: number): string[] {
  const more = addresses.length - most;
  const shown = addresses.slice(0, most).map((address) => code(address));
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].map((one) => `${sign} ${one}`.trim());
}

function addressesIn(planned: readonly Planned[], when: "before" | "after"): ReadonlySet<string> {
  const found = planned.flatMap((one) => {
    const type = one.isCustom ? ownType(one.type) : undefined;
    if (type !== "WhitelistedIp" && type !== "IpWhitelist") return [];
    // A repair creates again what the state still has.
    if (when === "before" && one.op === "create") return [];
    return declaredAddresses({ type, properties: masked(one[when] ?? {}) });
  });
  return new Set(found.map(({ address }) => (address === unknownValue ? "known after the update" : address)));
}

const isExclusive = ({ type, ...one }: Planned, when: "before" | "after"): boolean =>
  ownType(type) === "IpWhitelist" && one[when]?.["exclusive"] === true;

function undoneBy({ definition, state }: Managed): string | undefined {
  const undone = definition?.limits.undone;
  if (!undone || !Object.values(state).includes(maskedSecret)) return undone?.(state);
  return "what it sets is a secret in the state";
}

/** By URN, what a removal would leave on the platform or set there. The state is read as exported: secrets are masked. */
export function leftIn({ deployment }: Exported, config: HeadConfig["plain"]): Map<string, string> {
  const state = masked(deployment?.resources ?? []) as StateResource[];
  // Only whether the extended API is on matters here. The token may be encrypted.
  const known = [...config, ["dataplatform:apiToken", "[secret]"] as const];
  const settingsOf = settingsFinder(state, Object.fromEntries(known.map(([key, value]) => [key, { value }])));
  return new Map(
    managedResources(state).flatMap((one) => {
      // Without the settings, nobody knows which API deletes it: say nothing rather than something wrong.
      const settings = ifConfigured(() => settingsOf(one));
      const left = settings && (leftBehind(one, settings.extendedApi) ?? undoneBy(one));
      return left === undefined ? [] : [[one.urn, left]];
    }),
  );
}
