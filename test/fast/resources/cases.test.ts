import { expect, test } from "vitest";
import { resources } from "../../../provider/resources";
import { companiesOf } from "../../cases";

const typesIn = (kind: "lives" | "extended") =>
  companiesOf(kind)
    .flat()
    .map(({ type }) => type)
    .toSorted();

test("every resource lives through the tests on the engine once in each mode, with the extended API and without", () => {
  expect(typesIn("extended")).toEqual(resources.map(({ type }) => type).toSorted());
  const specified = resources.filter(({ needsExtendedApi }) => !needsExtendedApi);
  expect(typesIn("lives")).toEqual(specified.map(({ type }) => type).toSorted());
});
