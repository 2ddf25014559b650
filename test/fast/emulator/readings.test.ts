import { beforeEach, describe, expect, test } from "vitest";
import { catalogue, defaultReadings, type Reading, readingNames } from "../../../emulator/readings";
import { shared } from "../../harness/shared";
import { control, emulate, send } from "./calls";
import { type Cases, readingCases } from "./reading-cases";
import { accessCases } from "./reading-cases-access";
import { workCases } from "./reading-cases-work";

const emulator = shared(() => emulate({ clock: "manual", extended: true }));
const cases: Cases = {
  ...readingCases(() => emulator),
  ...accessCases(() => emulator),
  ...workCases(() => emulator),
};
beforeEach(() => emulator.reset());

describe.each(readingNames)("%s", (name) => {
  const [look, expected] = cases[name];
  const { values, default: usual }: Reading = catalogue[name];

  test("has a test for every value", () => {
    expect(Object.keys(expected)).toEqual(expect.arrayContaining(values ? Object.keys(values) : [String(usual)]));
    expect(Object.keys(expected)).toContain(String(usual));
  });

  test.each(Object.keys(expected))("%s", async (value) => {
    // Observe the default without setting it.
    if (value !== String(usual)) emulator.setReadings({ [name]: values ? value : Number(value) });
    expect(await look()).toEqual(expected[value]);
  });
});

test("errors that the specification shows keep their form", async () => {
  emulator.setReadings({ errorBody: "message", refusalStatus: "200" });
  const call = { method: "POST", path: "/api/v1.2/partition_sensor", body: { schema: "no", table: "no" } } as const;
  expect(await send(emulator.url, emulator.tokens.admin, call)).toMatchObject({
    status: 422,
    body: { error: { error_code: 422, error_message: "table no.no is absent from the metastore" } },
  });
});

describe("switching", () => {
  test("at the start, later, or through the control API; a reset restores the start options", async () => {
    await using own = await emulate({ readings: { policyView: "array" } });
    expect(own.readings()).toEqual({ ...defaultReadings, policyView: "array" });
    own.setReadings({ idType: "text" });
    const set = await control(own.url, "POST", "/readings", { sensorStatus: "boolean" });
    expect(set.body.readings).toMatchObject({ policyView: "array", idType: "text", sensorStatus: "boolean" });
    expect((await control(own.url, "GET", "/readings")).body).toEqual({ readings: own.readings(), catalogue });
    await control(own.url, "DELETE", "/readings");
    expect(own.readings()).toEqual({ ...defaultReadings, policyView: "array" });
    own.setReadings({ policyView: "text" });
    own.reset();
    expect(own.readings().policyView).toBe("array");
  });

  test.each([
    [{ policyView: "sideways" }, /policyView/],
    [{ nothing: "x" }, /nothing/],
    [{ historyTagsLate: -1 }, /historyTagsLate/],
  ])("%j is rejected", async (readings, message) => {
    await expect(emulate({ readings: readings as never })).rejects.toThrow(message);
    const { status, body } = await control(emulator.url, "POST", "/readings", readings);
    expect([status, body.error.error_message]).toEqual([422, expect.stringMatching(message)]);
  });
});
