import { beforeAll, describe, expect } from "vitest";
import { everySpecifiedType as everyType, prepare } from "../engine/upgrade/program";
import { accountOf, sharedEmulator } from "../harness/emulators";
import type { Program } from "../harness/stack";
import { expectOk, sharedStack, story } from "../harness/stacks";

/** `dataplatform:extendedApi` on and off by turns, in one stack with every type: nothing is replaced or lost. */
describe("on and off by turns", () => {
  const emulator = sharedEmulator({ extended: true });
  const stack = sharedStack(emulator);
  const turn = (extendedApi: "true" | "false") => stack.configure({ extendedApi });
  const ids = async () => (await stack.exportState()).resources.map(({ urn, id }) => `${urn} ${id}`).sort();
  /** The specified API cannot see the role, packages and store; the extended one must agree with what it set. */
  const changed: Program = {
    ...everyType,
    store: { ...everyType["store"]!, args: { ...everyType["store"]!.args, dbName: "another" } },
  };

  beforeAll(() => prepare(emulator));

  const chapter = story();
  chapter("turned on, refresh and preview show no changes", async () => {
    await expectOk(stack.up(everyType));
    const before = await ids();
    turn("true");
    const refreshed = await expectOk(stack.operate("refresh", "--yes", "--skip-preview", "--run-program"));
    expect(Object.keys(refreshed.summary), refreshed.text).toEqual(["same"]);
    const preview = await expectOk(stack.preview());
    expect(preview.changed, preview.text).toEqual({});
    expect(await ids()).toEqual(before);
  });

  chapter("while it is on, a change is made in place; turned off, nothing changes", async () => {
    const before = await ids();
    const up = await expectOk(stack.up(changed));
    expect(up.changed, up.text).toEqual({ store: "update" });
    expect(await ids()).toEqual(before);
    turn("false");
    const preview = await expectOk(stack.preview());
    expect(preview.changed, preview.text).toEqual({});
  });

  chapter("turned on again, destroy deletes the data store", async () => {
    turn("true");
    await expectOk(stack.up());
    await expectOk(stack.destroy());
    expect(accountOf(emulator).dataStores).toEqual([]);
  });
});
