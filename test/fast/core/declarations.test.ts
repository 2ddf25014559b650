import { expect, test } from "vitest";
import { Declarations } from "../../../provider/core/declarations";

test("what gets the old name of something that was renamed in this run keeps that name", () => {
  const run = new Declarations();
  run.rename("group B", "C");
  run.rename("group A", "B");
  expect([run.nextNameOf("group A"), run.nextNameOf("group B")]).toEqual(["B", "C"]);
  run.move("group B", "group C", "C");
  run.move("group A", "group B", "B");
  expect([run.movedTo("group A"), run.movedTo("group B")]).toEqual(["B", undefined]);
  expect([run.nextNameOf("group A"), run.nextNameOf("group B")]).toEqual([undefined, undefined]);
});
