import { z } from "zod";

/** A name or id that becomes one segment of a path. What cannot be one is refused at preview, not at the request. */
export const pathSegment = z.string().check((context) => {
  const problem = problemWith(context.value);
  if (problem) context.issues.push({ code: "custom", input: context.value, message: problem });
});

function problemWith(text: string): string | undefined {
  if (text === "") return "is empty; give a name or an id";
  if (text === "." || text === "..")
    return `is ${JSON.stringify(text)}, which would lead to another address; give a name or an id`;
  if (text !== text.trim()) return `${JSON.stringify(text)} has spaces around it`;
  if (/\p{Surrogate}/u.test(text)) return "contains half a character (a lone surrogate)";
  return undefined;
}
