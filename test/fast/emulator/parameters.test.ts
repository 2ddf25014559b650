import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { sharedEmulator } from "../../harness/emulators";
import { type Call, callOf, send, specifiedRows } from "./calls";
import { extendedRows } from "./extended-calls";

/** Every operation refuses a parameter that it does not have, wherever it stands, before it does anything. */
const specified = sharedEmulator();
const extended = sharedEmulator({ extended: true });

const refusal = async (emulator: Emulator, call: Call) => {
  const before = emulator.state();
  const { status, body } = await send(emulator.url, "analytics-admin", call);
  expect(emulator.state()).toEqual(before);
  return { status, text: JSON.stringify(body) };
};

describe.each([
  ["specified", specified, specifiedRows],
  ["extended", extended, [...specifiedRows, ...extendedRows]],
])("%s", (_, emulator, rows) => {
  test.each(rows.map((row): [string, Call] => [row[0], callOf(row)]))("%s", async (__, call) => {
    const queried = { ...call, path: `${call.path}?misspelt=1` };
    const added = { ...call, body: { ...(call.body as object | undefined), misspelt: 1 } };
    for (const wrong of [queried, added]) {
      const { status, text } = await refusal(emulator, wrong);
      expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining("misspelt") });
    }
  });
});

test.each([
  ["commands/10001/results?inline=True&include_headers=False", "done"],
  ["commands/10001/results?inline=FALSE&raw=true", "done"],
  ["commands?include_query_properties=True", "done"],
  ["hive/default?describe=True", "done"],
  ["hive/default?describe=False", "describe"],
  ["commands/10001/results?inline=1", "inline"],
  ["commands/10001/results?inline=yes", "inline"],
])("booleans in a query come in any case: %s", async (path, end) => {
  const { status, body } = await send(extended.url, "analytics-admin", { method: "GET", path: `/api/v1.2/${path}` });
  // There is no such command: its parameters are judged first.
  if (end === "done") expect([200, 404]).toContain(status);
  else expect({ status, text: JSON.stringify(body) }).toEqual({ status: 422, text: expect.stringContaining(end) });
});
