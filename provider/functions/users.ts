import { z } from "zod";

/** An entry of a user list. The document shows three of its fields, so the rest is taken as it comes. */
export const record = z.looseObject({
  id: z.union([z.int(), z.string()]).optional(),
  user_id: z.union([z.int(), z.string()]).optional(),
  email: z.string().optional(),
});
export type UserRecord = z.output<typeof record>;

/** A user, as the functions give it back. */
export const userShape = z
  .object({
    id: z.int().optional().describe("The id that `EnabledUser` takes."),
    userId: z.int().optional().describe("The ordinary user id, which commands and data stores carry."),
    email: z.string().optional().describe("E-mail address."),
    name: z.string().optional().describe("Name, when the platform shows it."),
    disabled: z.boolean().optional().describe("Whether the user is disabled, when the platform shows it."),
    isAdmin: z.boolean().optional().describe("Whether the user is an administrator, when the platform shows it."),
    groups: z.array(z.string()).optional().describe("Names of the user's groups, when the platform shows them."),
  })
  .meta({ id: "PlatformUser", description: "A user of the account." });

export function toUser(entry: UserRecord): z.output<typeof userShape> {
  return {
    id: integer(entry.id),
    userId: integer(entry.user_id),
    email: entry.email,
    name: typeof entry["name"] === "string" ? entry["name"] : undefined,
    disabled: typeof entry["disabled"] === "boolean" ? entry["disabled"] : undefined,
    isAdmin: typeof entry["is_admin"] === "boolean" ? entry["is_admin"] : undefined,
    groups: Array.isArray(entry["groups"]) ? entry["groups"].flatMap((group) => groupName(group) ?? []) : undefined,
  };
}

export function tokensById(entries: readonly UserRecord[]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap((entry): [string, string][] => {
      const token = entry["authentication_token"];
      const key = entry.id ?? entry.email;
      return typeof token === "string" && key !== undefined ? [[String(key), token]] : [];
    }),
  );
}

/**
 * A list in an envelope that the document does not show: the bare array, or an object that holds it under the expected
 * name or as its only array.
 */
export function listOf<T>(entry: z.ZodType<T>, name: string): z.ZodType<T[]> {
  return z.preprocess((answer) => {
    if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
    const named = (answer as Record<string, unknown>)[name];
    const arrays = Object.values(answer).filter(Array.isArray);
    return Array.isArray(named) ? named : arrays.length === 1 ? arrays[0] : answer;
  }, z.array(entry)) as unknown as z.ZodType<T[]>;
}

function integer(id: string | number | undefined): number | undefined {
  return id !== undefined && /^\d+$/.test(String(id)) ? Number(id) : undefined;
}

function groupName(group: unknown): string | undefined {
  if (typeof group === "string") return group;
  const name = typeof group === "object" && group !== null ? (group as { name?: unknown }).name : undefined;
  return typeof name === "string" ? name : undefined;
}
