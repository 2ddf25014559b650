import fc from "fast-check";
import { expect, test } from "vitest";
import { isTooDeep } from "../../provider/api/nesting";

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test("a hundred levels are allowed, and one more is not, whatever stands before them", () => {
  expect(isTooDeep(nested(100))).toBe(false);
  expect(isTooDeep(nested(101))).toBe(true);
  expect(isTooDeep(`["\\\\","\\"",${nested(100)}]`)).toBe(true);
  expect(isTooDeep(`[${nested(50)},${nested(50)},${nested(50)}]`)).toBe(false);
});

test("brackets inside strings are no levels", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("[", "{", '"', "\\", "]", "a") }), (text) => {
      expect(isTooDeep(JSON.stringify({ [text]: [text, text.repeat(200)] }), 2)).toBe(false);
      expect(isTooDeep(JSON.stringify({ [text]: [text, [text]] }), 2)).toBe(true);
    }),
  );
});

test("text that is cut off inside a string comes to an end", () => {
  expect(isTooDeep('{"a":"[[[[')).toBe(false);
  expect(isTooDeep(`"${'\\"'.repeat(100_000)}`)).toBe(false);
});
