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
  const fold = (one: Id) => (isCaseless ? String(one).toLowerCase() : String(one));
  return (a, b) => {
    const [left, right] = [new Set(a.map(fold)), new Set(b.map(fold))];
    return left.size === right.size && [...left].every((one) => right.has(one));
  };
}
