import { beforeAll, describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import type { Existing } from "../../../provider/core/guard";
import { resources } from "../../../provider/resources";
import { argsOf, preparedEmulator } from "../../cases";
import { inProcess } from "../../harness/in-process";
import { unclear } from "./faults";

const readable = resources.filter(({ read }) => read);
const emulator = preparedEmulator();
const made = new Map<string, Existing>();
/** By type: what a read under each fault said. */
const found = new Map<string, [fault: string, said: string][]>(readable.map(({ type }) => [type, []]));

/** What a new process, which only has the state, reads. */
async function reread(definition: AnyResource, options: object): Promise<string> {
  const { type, extended: { required: extended = false } = {} } = definition;
  const { id, state } = made.get(type)!;
  const { life, client } = inProcess(definition, emulator, { ...options, extended });
  const read = await life.read(id, state).catch((error: Error) => error.message);
  await client.close();
  return typeof read === "string" ? read : read ? `found ${read.id}` : "DROPPED";
}

beforeAll(async () => {
  for (const definition of readable) {
    const { type, extended: { required: extended = false } = {} } = definition;
    const { life, client } = inProcess(definition, emulator, { extended });
    made.set(type, await life.create(argsOf(type)));
    await client.close();
  }
  // All types at once: a time-out is waited for once, not once per type.
  for (const [fault, rule] of unclear) {
    emulator.setFaults({ rules: [rule] });
    const hasty = { retries: 1, timeoutSeconds: rule.kind === "latency" ? 1 : 30 };
    await Promise.all(readable.map(async (one) => found.get(one.type)!.push([fault, await reread(one, hasty)])));
  }
  emulator.clearFaults();
});

describe("refresh never drops an existing resource", () => {
  test.each(readable.map((definition) => [definition.type, definition] as const))("%s", async (type, definition) => {
    const { id } = made.get(type)!;
    const clear = new RegExp(`^found |cannot read ${type} ${id.replace(/[^\w]/g, "\\$&")}`);
    expect(found.get(type)).toHaveLength(unclear.length);
    expect(found.get(type)!.filter(([, said]) => !clear.test(said))).toEqual([]);
    expect(await reread(definition, {})).toBe(`found ${id}`);
  });
});
