import { describe, expect, test } from "vitest";
import { hasGroup } from "../../../emulator/expressions";
import { type Call, copy, goodCalls, refusal } from "./calls";
import { testEmulator } from "./test-emulator";

const { get, as, control } = testEmulator();

const list = (filter: string) => get(`/hive/default?filter=${encodeURIComponent(filter)}`);

test("a filter with catastrophic backtracking is rejected, and does not block the emulator", async () => {
  // Measured: 28 letters block for 5 s, and each one more doubles that. So these would outlast the test.
  const name = `${"a".repeat(34)}!`;
  await control("PUT", "/state/hiveTables", { schema: "default", name, columns: [] });
  expect(await list("(a+)+$")).toMatchObject({ status: 422, body: refusal(422, /^filter: .*more than 1000 ms/) });
  expect((await list("^c")).body).toEqual(["customers"]);
});

describe("our own expressions do not take quadratic time, in which they would outlast the test", () => {
  const long = 1_000_000;
  const rename = goodCalls["folders.rename"]!;
  test.each<[string, Call, number]>([
    ["brackets in groupBy", { method: "POST", path: "/api/v1.2/commands", body: grouped("[".repeat(long)) }, 200],
    ["parentheses in groupBy", { method: "POST", path: "/api/v1.2/commands", body: grouped("(".repeat(long)) }, 200],
    [
      "space in package_names",
      {
        ...goodCalls["package.add"]!,
        body: { source_type: "python_package", package_names: `a${" ".repeat(long)}!` },
      },
      422,
    ],
    [
      "slashes in a location",
      { ...rename, body: { ...(rename.body as object), location: `a${"/".repeat(long)}b` } },
      404,
    ],
    [
      "slashes in a destination",
      {
        method: "POST",
        path: "/api/v1.2/commands",
        body: { ...copy, sub_command_args: `--src s3://in/a --dest s3://out/${"/".repeat(long)}b` },
      },
      200,
    ],
    [
      "repeated values of a sensor",
      {
        ...goodCalls["partitionSensor.create"]!,
        body: {
          schema: "default",
          table: "daily_ticks",
          columns: [1, 2, 3, 4].map(() => ({ column: "dt", values: Array(1000).fill("2024-01-01") })),
        },
      },
      200,
    ],
  ])("%s", async (_title, call, status) => {
    expect((await as("admin", call)).status).toBe(status);
  });
});

function grouped(groupBy: string): unknown {
  return { ...copy, groupBy };
}

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
