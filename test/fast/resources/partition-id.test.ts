import { describe, expect, test } from "vitest";
import { valueList } from "../../../provider/platform/sensors";
import { parsePartitionId, partitionId } from "../../../provider/resources/partition-sensor";

describe("ids of partitions", () => {
  test("are stable, readable and complete", () => {
    const strange = {
      schema: "a.b",
      table: "c/d",
      columns: [
        { column: "z=1", values: ["x,y", "a;b", "ü 1", "%"] },
        { column: "a", values: [2, 1, 1] },
      ],
    };
    const id = partitionId(strange);
    expect(id).toBe("a%2Eb.c%2Fd/a=1,2;z%3D1=%25,a%3Bb,x%2Cy,%C3%BC+1");
    expect(parsePartitionId(id)).toEqual({
      schema: "a.b",
      table: "c/d",
      columns: [
        { column: "a", values: ["1", "2"] },
        { column: "z=1", values: ["%", "a;b", "x,y", "ü 1"] },
      ],
    });
    expect(partitionId(parsePartitionId(id))).toBe(id);
  });

  test("a sensor without columns has one too", () => {
    expect(partitionId({ schema: "sales", table: "orders" })).toBe("sales.orders/");
    expect(parsePartitionId("sales.orders/")).toEqual({ schema: "sales", table: "orders" });
  });

  test.each([
    ["s.t/c=", []],
    ["s.t/c=,", [""]],
    ["s.t/c=,a", ["", "a"]],
  ])("%s tells no value from an empty one", (id, values) =>
    expect(parsePartitionId(id)).toEqual({ schema: "s", table: "t", columns: [{ column: "c", values }] }),
  );

  test.each(["sales", "sales.orders", "sales.orders/dt", "a.b/%=1"])("%s is not an id", (id) =>
    expect(() => parsePartitionId(id)).toThrow(/is not a partition sensor id; expected/),
  );

  test.each([
    ["[a, b]", ["a", "b"]],
    [" [ 'a, b' , \"c\",d e ] ", ["a, b", "c", "d e"]],
    ["[O'Brien, 1]", ["O'Brien", "1"]],
    ["[a,]", ["a", ""]],
    ["[]", []],
  ])("%s", (text, values) => expect(valueList(text)).toEqual(values));
});
