import { z } from "zod";
import { judgedBy } from "./problem";

/** A name or id that becomes one segment of a URL path. Checked here, so that preview already reports a bad one. */
export const pathSegment = z.string().check(
  judgedBy((text) => {
    if (text !== text.trim()) return `${JSON.stringify(text)} has leading or trailing spaces`;
    return segmentProblem(text, "a name or an id");
  }),
);

/** What keeps a text from being one segment of a URL path: a URL parser resolves "." and "..". */
export function segmentProblem(text: string, expected: string): string | undefined {
  if (text === "") return `is empty; expected ${expected}`;
  if (text === "." || text === "..")
    return `is ${JSON.stringify(text)}, which would change the URL path; expected ${expected}`;
  return /\p{Surrogate}/u.test(text) ? "contains a lone surrogate, which is half a character" : undefined;
}
