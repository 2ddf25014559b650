import { expect, test } from "vitest";
import { hasGroup } from "../../../emulator/expressions";
import { refusal } from "./calls";
import { testEmulator } from "./test-emulator";

const { get, control } = testEmulator();

const list = (filter: string) => get(`/hive/default?filter=${encodeURIComponent(filter)}`);

/** How long another request waits while the call is in flight. */
async function delayOfOthers(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const under = call();
  await control("GET", "/health");
  const waited = performance.now() - started;
  await under;
  return waited;
}

test("a filter with catastrophic backtracking is rejected, and does not block other requests", async () => {
  // Measured: 28 letters block for 5 s, and each one more doubles that.
  const name = `${"a".repeat(34)}!`;
  await control("PUT", "/state/hiveTables", { schema: "default", name, columns: [] });
  expect(await delayOfOthers(() => list("(a+)+$"))).toBeLessThan(3000);
  expect(await list("(a+)+$")).toMatchObject({ status: 422, body: refusal(422, /^filter: .*more than 1000 ms/) });
  expect((await list("^c")).body).toEqual(["customers"]);
});

test.each([
  ["(a)", true],
  ["(?<name>a)", true],
  [".*/(\\d+)/.*", true],
  ["a", false],
  ["(?:a)", false],
  ["(?<=a)b", false],
  ["\\(a\\)", false],
  ["[(]a[)]", false],
  ["(a", false],
])("%s has a group: %s", (expression, expected) => {
  expect(hasGroup(expression)).toBe(expected);
});
