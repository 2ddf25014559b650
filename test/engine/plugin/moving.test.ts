import { beforeAll, describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { resources } from "../../../provider/resources";
import { addressesOf, sharedEmulator } from "../../harness/emulators";
import type { TestStack } from "../../harness/stack";
import { expectOk, type Mode, sharedStack, story } from "../../harness/stacks";
import { everyType, prepare } from "../upgrade/program";

const idsByName = (state: Awaited<ReturnType<TestStack["exportState"]>>) =>
  Object.fromEntries(state.resources.map(({ urn, id }) => [urn.split("::").at(-1), id]));
const names = Object.keys(everyType);
const sent = (emulator: Emulator) => emulator.requests().requests.map(({ method, path }) => `${method} ${path}`);

test("covers every resource", () => {
  const types = Object.values(everyType).map(({ type }) => type);
  expect(types.sort()).toEqual(resources.map(({ type }) => type).sort());
});

describe("a stack made in plugin mode", () => {
  const emulator = sharedEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });
  const stack = sharedStack(emulator, { mode: "plugin", config: { extendedApi: "true" } });
  beforeAll(async () => {
    await prepare(emulator);
    await expectOk(stack.up(everyType));
  });

  const chapter = story();
  /** Moves the stack; then neither refresh nor preview shows changes. */
  const move = (to: Mode, changed: Record<string, string>, token: RegExp) =>
    chapter(`moves to ${to} mode with the same ids, nothing replaced and nothing changed`, async () => {
      const before = await stack.exportState();
      emulator.clearRequests();
      stack.configure({ mode: to, extendedApi: "true" });
      expect((await expectOk(stack.up())).changed).toEqual(changed);
      // Each mode's process asks once whose token it has.
      expect(new Set(sent(emulator))).toEqual(new Set(["GET /api/v1.2/account/"]));
      const after = await stack.exportState();
      expect(idsByName(after)).toEqual(idsByName(before));
      for (const { type } of after.resources) expect(type).toMatch(token);
      expect(after.text).not.toMatch(/recorded-(storage|password)/);
      const refreshed = await expectOk(stack.refresh());
      expect(Object.keys(refreshed.summary), refreshed.text).toEqual(["same"]);
      expect((await expectOk(stack.preview())).changed).toEqual({});
    });
  // In dynamic mode, the __provider text is added to the state: an update that sends nothing.
  const update = Object.fromEntries(names.map((name) => [name, "update"]));
  move("dynamic", update, /^pulumi-nodejs:dynamic\/dataplatform:/);
  move("plugin", {}, /^dataplatform:index:/);

  chapter("is destroyed", async () => {
    await expectOk(stack.destroy());
    expect((await stack.exportState()).resources).toEqual([]);
    const left = addressesOf(emulator);
    expect(left, "all but what is in keep").toEqual(["198.51.100.1"]);
  });
});
