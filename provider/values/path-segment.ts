import { z } from "zod";

/** A name or id that becomes one segment of a URL path. Checked here, so that preview already reports a bad one. */
export const pathSegment = z.string().check((context) => {
  const problem = problemWith(context.value);
  if (problem) context.issues.push({ code: "custom", input: context.value, message: problem });
});

function problemWith(text: string): string | undefined {
  if (text === "") return "is empty; expected a name or an id";
  if (text === "." || text === "..")
    return `is ${JSON.stringify(text)}, which would change the URL path; expected a name or an id`;
  if (text !== text.trim()) return `${JSON.stringify(text)} has leading or trailing spaces`;
  if (/\p{Surrogate}/u.test(text)) return "contains a lone surrogate, which is half a character";
  return undefined;
}
