import { z } from "zod";

/**
 * Ids are numbers on some installations and text on others, and a value from Pulumi's configuration can be either. So
 * both are accepted, and compared by meaning.
 */
export type Id = string | number;

/** JSON Schema `format`: whether an id is returned as a number or as text, as in version 0.1. */
export const numberIdFormat = "id-number";
export const textIdFormat = "id-text";

/** An id that was a number in version 0.1. */
export const numberId = idOf(numberIdFormat);
/** An id that was text in version 0.1. */
export const textId = idOf(textIdFormat);

function idOf(format: string) {
  return z
    .union([z.int().positive("must be a positive integer"), z.string()])
    .superRefine((id, context) => {
      const problem = typeof id === "string" ? problemWith(id) : undefined;
      if (problem) context.addIssue({ code: "custom", message: problem });
    })
    .meta({ format });
}

function problemWith(text: string): string | undefined {
  if (text === "") return "is empty; expected an id";
  if (/\s/.test(text)) return `${JSON.stringify(text)} contains spaces; expected only the id`;
  if (text === "." || text === "..")
    return `is ${JSON.stringify(text)}, which would change the URL path; expected an id`;
  return /\p{Surrogate}/u.test(text) ? "contains a lone surrogate, which is half a character" : undefined;
}

export function sameId(a: Id | null | undefined, b: Id | null | undefined): boolean {
  return String(a ?? "") === String(b ?? "");
}

/** Converts numeric text to a number, the usual form of ids in the API. */
export function asNumber(id: Id): Id {
  return typeof id === "string" && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id;
}

/** An id in a response; undefined if it is empty or null. */
export const answeredId = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((id) => (id === "" || id === null ? undefined : id));
