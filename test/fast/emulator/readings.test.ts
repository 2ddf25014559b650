import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { catalogue, defaultReadings, type Reading, readingNames } from "../../../emulator/readings";
import { shared } from "../../harness/shared";
import { control, emulate, goodCalls, send } from "./calls";

/* What each value does is tried by test/sweep/cli/conform/readings.test.ts: the examination finds every one of them out. */
const emulator = shared(() => emulate({ clock: "manual", extended: true }));
beforeEach(() => emulator.reset());

test("the id of a created account, which no examination can find out", async () => {
  emulator.setReadings({ createdAccountId: "text" });
  const { body } = await send(emulator.url, emulator.tokens.admin, goodCalls["account.create"]!);
  expect(body.account_id).toBe("1003");
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

test("the page lists every reading with all of its values, as: section, what is open, the choice, the switch", () => {
  const page = readFileSync(join(__dirname, "../../../docs/emulator-readings.md"), "utf8");
  const rowsBelow = (first: string) =>
    page
      .split(`| ${first} | What is open | The emulator's choice | Switch |\n|---|---|---|---|\n`)[1]!
      .split("\n\n")[0]!
      .trim()
      .split("\n");
  const rowOf = (name: string, { section, open, values, default: usual, number }: Reading): string => {
    const value = (of: string) => `\`${of}\`: ${values?.[of]}`;
    const others = Object.keys(values ?? {}).filter((other) => other !== usual);
    const choice = values ? value(String(usual)) : `\`${usual}\``;
    const other = values ? others.map(value).join("; ") : `a whole number: ${number}`;
    return `| ${section} | ${open} | ${choice} | **${name}** ${other} |`;
  };
  const listed = ["Section", "Operations"].flatMap(rowsBelow);
  expect(listed).toEqual(readingNames.map((name) => rowOf(name, catalogue[name])));
});
