import { describe, expect, test } from "vitest";
import { lives } from "../../cases";
import { ownEmulator, writesTo } from "../../harness/emulators";
import { definitionOf, inProcess } from "../../harness/in-process";
import { plainArgs } from "../../harness/lifecycle";
import { SmallEngine } from "../../sweep/chaos/small-engine";

/** `dataplatform:extendedApi`, for every type that needs it not. */
describe.each(lives)("$type", ({ type, prepare, changes = [], ...life }) => {
  /** What a program sends from nothing to destroyed while it is off. */
  async function sentTo(extended: boolean): Promise<string[]> {
    const emulator = await ownEmulator({ extended });
    await prepare?.(emulator);
    emulator.clearRequests();
    const engine = new SmallEngine({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
    const stages = [life.args, ...changes.map(({ args }) => args)].map((args) => ({
      it: { type, args: plainArgs(args) },
    }));
    for (const program of [...stages, {}]) {
      expect([...(await engine.up(program as never)), ...(await engine.refresh())]).toEqual([]);
    }
    await engine.close();
    const sent = emulator.requests(1000).requests.map(({ operation, body }) => `${operation} ${JSON.stringify(body)}`);
    // Tags of submissions are random, and addresses are added in any order.
    return sent.map((request) => request.replace(/pulumi-dataplatform:[0-9a-f-]+/, "TAG")).sort();
  }

  test("off: the same requests to a platform that has it as to one without", async () => {
    expect(await sentTo(true)).toEqual(await sentTo(false));
  });

  test("on and off by turns: what was made without it is the same with it, and without it again", async () => {
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
});
