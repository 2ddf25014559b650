import { z } from "zod";
import { judgedBy } from "./problem";

/** A name or id that becomes one segment of a URL path. Checked here, so that preview already reports a bad one. */
export const pathSegment = z.string().check(judgedBy(problemWith));

function problemWith(text: string): string | undefined {
  if (text === "") return "is empty; expected a name or an id";
  if (text === "." || text === "..")
    return `is ${JSON.stringify(text)}, which would change the URL path; expected a name or an id`;
  if (text !== text.trim()) return `${JSON.stringify(text)} has leading or trailing spaces`;
  if (/\p{Surrogate}/u.test(text)) return "contains a lone surrogate, which is half a character";
  return undefined;
}
