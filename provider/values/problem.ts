import type { z } from "zod";

/** A check of a schema, in words: what is wrong with a value, if anything. */
export function judgedBy<T>(problemWith: (value: T) => string | undefined): z.core.CheckFn<T> {
  return ({ value, issues }) => {
    const message = problemWith(value);
    if (message) issues.push({ code: "custom", input: value, message });
  };
}
