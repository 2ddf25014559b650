import { createHmac } from "node:crypto";
import { signatureKey, signatures } from "../../provider/core/engine-values";
import { secretSettings } from "../../provider/core/provider-config";
import { type PropertyPath, pathsOf, secretsOf } from "../../provider/core/secrets";
import { providerToken } from "../../provider/core/urn";
import { definitionOf } from "../pulumi/managed";
import { shortName } from "../pulumi/subject";
import { changedNames } from "./differences";
import { isApproved } from "./guarded";
import { approvalVariable } from "./place";
import type { Planned } from "./planned";
import { changesIn } from "./seal-report";
import { canonical } from "./state";

/**
 * A program may mark any value as a secret, and reports then show none. Of a password that is right. An address or a
 * policy that nobody can read is not one that somebody approves by reading: it needs an approval of its own. `key`: so that
 * the digest does not tell the values.
 */
export function hiddenGates(planned: readonly Planned[], key = ""): string[] {
  const hidden = changesIn(planned).flatMap((one) => hiddenIn(one).map((name) => ({ urn: one.urn, name, one })));
  if (hidden.length === 0) return [];
  const contents = hidden.map(({ urn, name, one }) => [urn, name, one.after?.[name]]);
  const digest = createHmac("sha256", key).update(canonical(contents)).digest("hex").slice(0, 32);
  if (isApproved(digest)) return [];
  const names = hidden.map(({ urn, name }) => `${name} of ${shortName(urn)}`);
  return [
    `hidden: ${names.join(", ")}: marked as a secret, so that nobody can read here what is approved; the program passes it unmarked, or whoever may decide that, and knows the value, sets ${approvalVariable} to ${digest}, for this seal job, and runs it again`,
  ];
}

/** The changed properties that are hidden, although they are no secrets of the platform. */
function hiddenIn({ type, before, after = {} }: Planned): string[] {
  const usual = usualSecrets(type);
  if (!usual) return [];
  const isUsual = (path: PropertyPath): boolean =>
    usual.some((one) => one.every((part, index) => part === path[index]));
  return changedNames(before, after).filter((name) => !secretPaths(after[name], [name]).every(isUsual));
}

/** Undefined for what is not ours: others know what is a secret there. */
function usualSecrets(type: string): PropertyPath[] | undefined {
  if (type === providerToken) return pathsOf(secretSettings);
  const definition = definitionOf(type);
  return definition && pathsOf(secretsOf(definition));
}

/** Without the indexes of lists. */
function secretPaths(value: unknown, path: PropertyPath): PropertyPath[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((inner) => secretPaths(inner, path));
  if ((value as Record<string, unknown>)[signatureKey] === signatures.secret) return [path];
  return Object.entries(value).flatMap(([name, inner]) => secretPaths(inner, [...path, name]));
}
