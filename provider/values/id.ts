import { z } from "zod";

/**
 * Ids are numbers on one installation and text on the next, and a value from Pulumi's configuration may arrive as
 * either: both are taken, and compared by meaning.
 */
export type Id = string | number;

/** As JSON Schema's `format`: what an id is when it comes back, as in version 0.1. */
export const numberIdFormat = "id-number";
export const textIdFormat = "id-text";

/** An id that version 0.1 took as a number. */
export const numberId = idOf(numberIdFormat);
/** An id that version 0.1 took as text. */
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
  if (text === "") return "is empty; give an id";
  if (/\s/.test(text)) return `${JSON.stringify(text)} contains spaces; give the id alone`;
  if (text === "." || text === "..")
    return `is ${JSON.stringify(text)}, which would lead to another address; give an id`;
  return /\p{Surrogate}/u.test(text) ? "contains half a character (a lone surrogate)" : undefined;
}

export function sameId(a: Id | null | undefined, b: Id | null | undefined): boolean {
  return String(a ?? "") === String(b ?? "");
}

/** A number where the text is one, as the API mostly writes ids. */
export function asNumber(id: Id): Id {
  return typeof id === "string" && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id;
}

/** An id in an answer; empty and null mean that there is none. */
export const answeredId = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((id) => (id === "" || id === null ? undefined : id));
