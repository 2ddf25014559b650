import { z } from "zod";
import { invalid } from "./errors";
import type { Readings } from "./readings";

const ids = z.array(z.int());

const objectActions = ["read", "update", "delete", "manage", "all"] as const;
const folderActions = [...objectActions, "write"] as const;

const element = <A extends readonly [string, ...string[]]>(actions: A) =>
  z.strictObject({
    access: z.enum(["allow", "deny"]),
    action: z.array(z.enum(actions)).optional(),
    condition: z.strictObject({ svc_users: ids.optional(), svc_groups: ids.optional() }).optional(),
  });

const strict = { object: element(objectActions), folder: element(folderActions) };

export const policySchema = z.array(strict.folder);
export type Policy = z.infer<typeof policySchema>;

type Schema = z.ZodType<Policy[number], Policy[number]>;

const withOtherFields = (known: (typeof strict)["object" | "folder"]) =>
  known.loose().extend({ condition: known.shape.condition.unwrap().loose().optional() }) as unknown as Schema;

const loose = { object: withOtherFields(strict.object), folder: withOtherFields(strict.folder) };

/** As stored: has unknown fields only if the reading `policyFields` allows them. */
export const storedPolicySchema = z.array(loose.folder);

/** A policy arrives as a JSON-encoded string. */
export function parsePolicy(
  text: string,
  kind: "object" | "folder",
  otherFields: Readings["policyFields"] = "refused",
): Policy {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("policy: must be a JSON-encoded array of policy elements");
  }
  const schema: Schema = (otherFields === "refused" ? strict : loose)[kind];
  const result = z.array(schema).safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw invalid(`policy: element ${issue?.path.join(".") || "list"}: ${issue?.message}`);
}

interface Subject {
  id: number;
  groups: readonly number[];
}

/**
 * Whether a policy allows a user's action: elements that name the user beat those that name one of the user's groups,
 * a named action beats `all`, and at the same rank deny wins. `all` covers read, update (write) and delete only.
 */
export function allows(policy: Policy, subject: Subject, action: string): boolean {
  for (const appliesTo of [
    (e: Policy[number]) => e.condition?.svc_users?.includes(subject.id) ?? false,
    (e: Policy[number]) => e.condition?.svc_groups?.some((g) => subject.groups.includes(g)) ?? false,
  ]) {
    for (const name of action === "manage" ? [action] : [action, "all"]) {
      const matching = policy.filter((e) => appliesTo(e) && (e.action as string[] | undefined)?.includes(name));
      if (matching.length > 0) return matching.every((e) => e.access === "allow");
    }
  }
  return false;
}
