import fc from "fast-check";
import { expect, test } from "vitest";
import { isTooDeep } from "../../../provider/api/nesting";

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test("allows a hundred levels but not one more, whatever precedes them", () => {
  expect(isTooDeep(nested(100))).toBe(false);
  expect(isTooDeep(nested(101))).toBe(true);
  expect(isTooDeep(`["\\\\","\\"",${nested(100)}]`)).toBe(true);
  expect(isTooDeep(`[${nested(50)},${nested(50)},${nested(50)}]`)).toBe(false);
});

test("brackets inside strings do not count", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("[", "{", '"', "\\", "]", "a") }), (text) => {
      expect(isTooDeep(JSON.stringify({ [text]: [text, text.repeat(200)] }), 2)).toBe(false);
      expect(isTooDeep(JSON.stringify({ [text]: [text, [text]] }), 2)).toBe(true);
    }),
  );
});

test("terminates on text truncated inside a string", () => {
  expect(isTooDeep('{"a":"[[[[')).toBe(false);
  expect(isTooDeep(`"${'\\"'.repeat(100_000)}`)).toBe(false);
});
