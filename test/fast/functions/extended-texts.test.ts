import { expect, test } from "vitest";
import { rowsIn } from "../../../provider/platform/commands/results";
import { valuesIn } from "../../../provider/platform/hive-tables";

test.each([
  ["", false, []],
  ["a", false, ["a"]],
  ["a\tb\r\nc\td\r\n", false, ["a|b", "c|d"]],
  ["a\tb\nc\t\n", false, ["a|b", "c|"]],
  ["a\nb\tc\r\nd\te", false, ["a\nb|c", "d|e"]],
  ["a\u0001b\tc\r\nd\u0001e", true, ["a|b\tc", "d|e"]],
  ["a\u0001b\nc\u0001d", false, ["a|b", "c|d"]],
  ["a\u0001b\tc", false, ["a\u0001b|c"]],
  ["a\n\nb", true, ["a", "", "b"]],
])("the rows of %j (raw: %j)", (text, isRaw, rows) => {
  expect(rowsIn(text, isRaw).map((row) => row.join("|"))).toEqual(rows);
});

test.each([
  ["at=10%3A30%2F5/b=", { at: "10:30/5", b: "" }],
  ["a=b=c", { a: "b=c" }],
  ["rate=5%", { rate: "5%" }],
  ["", {}],
])("the values of partition %j", (name, values) => {
  expect(valuesIn(name)).toEqual(values);
});
