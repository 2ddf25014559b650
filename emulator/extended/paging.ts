import { z } from "zod";
import { ApiError } from "../errors";
import type { Readings } from "../readings";

/** The parameters of a list in pages. */
export const pageParams = z.strictObject({
  page: z.int().min(1).optional().describe("Default 1"),
  per_page: z.int().min(1).optional().describe("Default 10"),
});

export const pagingInfo = z.object({
  previous_page: z.int().nullable(),
  next_page: z.int().nullable(),
  per_page: z.int(),
});

export interface Page<T> {
  paging_info: z.infer<typeof pagingInfo>;
  items: T[];
}

export function pageOf<T>(
  all: readonly T[],
  { page = 1, per_page = 10 }: z.infer<typeof pageParams>,
  readings: Readings,
): Page<T> {
  const start = (page - 1) * per_page;
  if (page > 1 && start >= all.length)
    throw new ApiError(Number(readings.pageOutOfBounds), `Page number: ${page} is out of bounds.`);
  return {
    paging_info: {
      previous_page: page > 1 ? page - 1 : null,
      next_page: all.length > start + per_page ? page + 1 : null,
      per_page,
    },
    items: all.slice(start, start + per_page),
  };
}

/** A list that is never in pages: with a key of its own, bare, or as names or ids alone. */
export function listForms<Name extends string>(name: Name, all: readonly { id: number; name: string }[]) {
  const forms = { array: all, names: all.map((one) => one.name), ids: all.map(({ id }) => id) };
  return { ...forms, [name]: { [name]: all } } as typeof forms & Record<Name, object>;
}

/** A list in the form of a reading: with a key of its own, bare, or in pages. */
export function showList(
  form: "named" | "array" | "paged",
  name: string,
  all: readonly unknown[],
  params: z.infer<typeof pageParams>,
  readings: Readings,
): unknown {
  const pages = form === "paged" || params.page !== undefined || params.per_page !== undefined;
  if (!pages) return form === "array" ? all : { [name]: all };
  const { paging_info, items } = pageOf(all, params, readings);
  if (form === "array") return items;
  return { ...(form === "paged" && { paging_info }), [name]: items };
}
