import { expect, test } from "vitest";
import { resources } from "../../../provider/resources";
import { companiesOf } from "../../cases";
import { checkOf, inputsOf } from "../../harness/lifecycle";

const [specified, extended] = [companiesOf("lives").flat(), companiesOf("extended").flat()];
for (const life of specified) inputsOf(life);
for (const life of extended) inputsOf(life, true);

test("every resource lives through the tests on the engine: with the extended API, and without it unless it needs it", () => {
  const types = (lives: readonly { readonly type: string }[]) => lives.map(({ type }) => type).toSorted();
  const wanted = resources.filter(({ type }) => [undefined, type].includes(process.env["RESOURCE"]));
  expect(types(extended)).toEqual(types(wanted));
  expect(types(specified)).toEqual(types(wanted.filter(({ extended }) => !extended?.required)));
});

test("every resource records its account, by which a token of another one is noticed", () => {
  const others = resources.filter(({ outputs }) => !("accountId" in outputs.shape)).map(({ type }) => type);
  expect(others).toEqual(["Account"]);
});

test.each(extended.filter(({ bad }) => bad))("without the extended API, there is no $type", ({ type, args }) =>
  expect(checkOf(type, args)).toEqual([
    { property: "", reason: expect.stringContaining(`${type} needs the extended API; set dataplatform:extendedApi`) },
  ]),
);
