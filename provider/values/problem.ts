import type { z } from "zod";

/** A check of a schema, in words: what is wrong with a value, if anything. */
export function judgedBy<T>(problemWith: (value: T) => string | undefined): z.core.CheckFn<T> {
  return ({ value, issues }) => {
    const message = problemWith(value);
    if (message) issues.push({ code: "custom", input: value, message });
  };
}

/** Reports what is wrong with a property, or with the whole. */
export type Report = (property: string | undefined, message: string) => void;

/** Rules across the properties of an object. */
export function ruledBy<T>(check: (given: T, report: Report) => void): z.core.CheckFn<T> {
  return ({ value, issues }) =>
    check(value, (property, message) => {
      const path = property === undefined ? [] : [property];
      issues.push({ code: "custom", input: value, path, message, continue: true });
    });
}
