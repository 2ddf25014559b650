import { z } from "zod";
import { type Id, textId, textIdFormat } from "./id";
import { pathSegment } from "./path-segment";

/** How a program names users, groups and roles: by an id or by a name. */

const noList = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    `is ${JSON.stringify(input)}, a list; write each ${what} by itself`,
});

/** The API takes users in a comma list. */
export const userReference = textId
  .refine((user) => !String(user).includes(","), noList("user"))
  .meta({ format: textIdFormat });

/** A group or a role: its name, or its id. */
export const nameOrId = z
  .union([z.int().positive("must be a positive integer"), pathSegment])
  .meta({ format: textIdFormat });

/** Whether two lists name the same things, as far as their spelling tells. `isCaseless`: e-mail addresses. */
export function sameReferences(isCaseless: boolean): (a: readonly Id[], b: readonly Id[]) => boolean {
  return sameLists((one) => (isCaseless ? String(one).toLowerCase() : String(one)));
}

/** Whether two lists have the same things, in whatever order and spelling. */
export function sameLists<T>(meaning: (one: T) => string): (a: readonly T[], b: readonly T[]) => boolean {
  const holds = (list: readonly T[], others: readonly T[]) => {
    const known = new Set(list.map(meaning));
    return others.every((one) => known.has(meaning(one)));
  };
  return (a, b) => holds(a, b) && holds(b, a);
}
