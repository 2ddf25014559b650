import { z } from "zod";
import { segmentProblem } from "./path-segment";

/**
 * Where the specification does not say that an id is a number, it is one on some installations and text on others; and a
 * value from Pulumi's configuration can be either. So both are accepted, and compared by meaning.
 */
export type Id = string | number;

/** JSON Schema `format`: whether an id is returned as a number or as text, as in version 0.1. */
export const numberIdFormat = "id-number";
export const textIdFormat = "id-text";

/** The id of a user or a group, which the specification gives as a number. */
export const numberId = idOf(numberIdFormat, isNumber, 'a number, also as text, such as `204` or `"204"`');
/** The same where the extended API takes the name of a group too. */
export const numberIdOrName = idOf(
  numberIdFormat,
  isOneWord,
  "a number, also as text; with the extended API, also a name",
);
/** The id of a command: a number too. */
export const commandId = idOf(textIdFormat, isNumber, "a number, also as text");
/** The id of a package environment, which may be text. It was a number in version 0.1. */
export const environmentId = idOf(numberIdFormat, isOneWord, "a number or text");
/** An id that the specification gives as text. */
export const textId = idOf(textIdFormat, isOneWord, "a number or text");

type Problem = string | undefined;

/** `form`, in words: the generator adds it to the descriptions. */
function idOf(format: string, problemWith: (text: string) => Problem, form: string) {
  return z
    .union([z.int().positive("must be a positive integer"), z.string()])
    .superRefine((id, context) => {
      const problem = typeof id === "string" ? problemWith(id) : undefined;
      if (problem) context.addIssue({ code: "custom", message: problem });
    })
    .meta({ format, form });
}

function isNumber(text: string): Problem {
  if (/^0*[1-9]\d*$/.test(text)) return undefined;
  if (text.includes("@"))
    return `is ${JSON.stringify(text)}, an e-mail address; expected the user's id, a number, presumably the one that getUsers returns`;
  return isOneWord(text) ?? `is ${JSON.stringify(text)}; expected an id, which is a number`;
}

function isOneWord(text: string): Problem {
  if (/\s/.test(text)) return `${JSON.stringify(text)} contains spaces; expected only the id`;
  return segmentProblem(text, "an id");
}

export function sameId(a: Id | null | undefined, b: Id | null | undefined): boolean {
  return String(a ?? "") === String(b ?? "");
}

/** Whether it can only be an id: a name has a letter. */
export function isNumeric(reference: Id): boolean {
  return /^\d+$/.test(String(reference));
}

/** Converts numeric text to a number, the usual form of ids in the API, unless a number cannot hold it. */
export function asNumber(id: Id): Id {
  return typeof id === "string" && /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

/** An id as an output, of which the schema promises that it is a number: that holds on platforms with numeric ids. */
export function outputId(id: Id): number;
export function outputId(id: Id | undefined): number | undefined;
export function outputId(id: Id | undefined): number | undefined {
  return id === undefined ? undefined : (asNumber(id) as number);
}

/** An id in a response; undefined if it is empty or null. */
export const answeredId = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((id) => (id === "" || id === null ? undefined : id));

/** The same where a value of another type tells nothing. */
export const shownId = answeredId.catch(undefined);

/** The id of a record, without which it is none. */
export const recordId = z.union([z.number(), z.string().min(1)]);
