import type { z } from "zod";

/** A check of a schema, in words: what is wrong with a value, if anything. `expected`: what to add to each of them. */
export function judgedBy<T>(problemWith: (value: T) => string | undefined, expected?: string): z.core.CheckFn<T> {
  return ({ value, issues }) => {
    const problem = problemWith(value);
    const message = expected === undefined ? problem : `${problem}; expected ${expected}`;
    if (problem) issues.push({ code: "custom", input: value, message });
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
