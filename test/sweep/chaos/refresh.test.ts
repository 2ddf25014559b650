import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { resources } from "../../../provider/resources";
import { inProcess } from "../../harness/in-process";
import { sampled } from "../../harness/tier";
import { unclear } from "./faults";
import { sampleArgs } from "./sample";
import { world } from "./world";

const readable = sampled(resources.filter(({ read }) => read));
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ seed: world(2), extended: true });
});
afterEach(() => emulator.clearFaults());
afterAll(() => emulator.close());

describe("refresh never drops an existing resource", () => {
  test.each(readable.map((definition) => [definition.type, definition] as const))("%s", async (type, definition) => {
    const extended = definition.needsExtendedApi ?? false;
    const make = inProcess(definition, emulator, { extended });
    const { id, state } = await make.life.create(sampleArgs(type));
    const kept: Record<string, string> = {};
    for (const [what, rule] of unclear) {
      emulator.setFaults({ rules: [rule] });
      const { life, client } = inProcess(definition, emulator, { retries: 1, timeoutSeconds: 1, extended });
      const found = await life.read(id, state).catch((error: Error) => error);
      if (!(found instanceof Error)) kept[what] = found ? "kept" : "DROPPED";
      else expect(found.message, what).toContain(`cannot read ${type} ${id}`);
      await client.close();
    }
    expect(Object.entries(kept).filter(([, word]) => word === "DROPPED")).toEqual([]);
    emulator.clearFaults();
    expect((await make.life.read(id, state))?.id).toBe(id);
  });
});
