import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sampled } from "../harness/tier";
import { callName } from "./calls";
import { catalogue } from "./catalogue";
import type { Difference } from "./compare";
import { explains, type OpenPoint } from "./open-point";
import { openPoints } from "./open-points";
import { pageOf } from "./page";
import { Comparison } from "./run";

let found: readonly Difference[] = [];

beforeAll(async () => {
  await using comparison = await Comparison.start();
  found = await comparison.differences(catalogue);
});

const of = (point: OpenPoint) => found.filter((difference) => explains(point, difference));
const place = ({ call, at }: Difference) => `${call}, ${at}`;
const line = ({ call, at, emulator, second }: Difference) => `${call} | ${at} | ${emulator} | ${second}`;

describe("the list of open points", () => {
  test("the names of calls and points are unique", () => {
    for (const names of [catalogue.map(({ name }) => name), openPoints.map(({ id }) => id)])
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("every difference is explained by exactly one point", () => {
    const wrong = found
      .map((difference) => ({ difference, by: openPoints.filter((point) => explains(point, difference)) }))
      .filter(({ by }) => by.length !== 1)
      .map(({ difference, by }) => `${line(difference)}: ${by.map(({ id }) => id).join(", ") || "not in the list"}`);
    expect(wrong).toEqual([]);
  });

  test("every point, and every pattern of it, still occurs", () => {
    const gone = openPoints.flatMap((point) =>
      point.seen
        .filter((seen) => !found.some((difference) => explains({ ...point, seen: [seen] }, difference)))
        .map(({ calls, at }) => `${point.id}: ${calls} ${at}`),
    );
    expect(gone).toEqual([]);
  });

  // After changing a platform or the catalogue: vitest run test/two-platforms -u, and review the changes.
  test("the differences match the committed ones", async () => {
    const lines = openPoints.flatMap((point) => [`## ${point.id}`, ...of(point).map(line), ""]);
    await expect(lines.join("\n")).toMatchFileSnapshot(join(__dirname, "differences.txt"));
  });

  test("docs/open-points.md shows them", async () => {
    await expect(pageOf(openPoints)).toMatchFileSnapshot(join(__dirname, "../../docs/open-points.md"));
  });
});

/** A few groups are as informative about a setting as all of them. */
const groupsPerPoint = 3;

describe("with the other reading, the two agree", () => {
  test.each(sampled(openPoints.filter(({ otherWay }) => otherWay)))("$id", async (point) => {
    const before = of(point);
    const places = new Set(before.map(place));
    const calls = new Set(before.map(({ call }) => call));
    const groups = catalogue
      .filter((group) => group.calls.some((_, index) => calls.has(callName(group, index))))
      .slice(0, groupsPerPoint);
    const { leaves, ...readers } = point.otherWay ?? {};
    await using comparison = await Comparison.start(readers);
    const after = (await comparison.differences(groups)).filter((difference) => places.has(place(difference)));
    const accepts = (status: string) => Number(status) < 400;
    const still = after.filter(({ call, at, emulator, second }) => {
      const isLeft = leaves?.calls?.test(call) ?? false;
      return !isLeft || (at === "HTTP status" && accepts(emulator) !== accepts(second));
    });
    expect(still.map(line)).toEqual([]);
  });
});
