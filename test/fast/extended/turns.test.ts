import { expect, test } from "vitest";
import { lives } from "../../cases";
import { ownEmulator, writesTo } from "../../harness/emulators";
import { definitionOf, inProcess } from "../../harness/in-process";

/** `dataplatform:extendedApi` on and off by turns, for every type that needs it not: nothing is replaced or lost. */
test.each(lives)("$type: what was made without it is the same with it, and without it again", async (life) => {
  const { type, prepare } = life;
  const emulator = await ownEmulator({ extended: true });
  await prepare?.(emulator);
  const off = inProcess(definitionOf(type), emulator).life;
  const args = off.check({ ...life.args }).inputs;
  let { id, state } = await off.create(args);
  emulator.clearRequests();
  for (const extended of [true, false]) {
    const turned = inProcess(definitionOf(type), emulator, { extended }).life;
    const seen = await turned.read(id, state);
    expect(seen?.id).toBe(id);
    ({ id, state } = seen!);
    expect((await turned.plan(id, state, args)).changed).toEqual([]);
  }
  expect(writesTo(emulator).filter((write) => !write.includes("partition_sensor"))).toEqual([]);
});
