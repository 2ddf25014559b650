import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { resources } from "../../../provider/resources";
import { expectOk } from "../../harness/outcomes";
import { type Program, TestStack } from "../../harness/stack";
import { story } from "../../harness/story";
import { everyExtendedType, everyType } from "../upgrade/program";

/** With secrets, omitted defaults and nested values. */
const program: Program = { ...everyType, ...everyExtendedType };

const idsByName = (state: Awaited<ReturnType<TestStack["exportState"]>>) =>
  Object.fromEntries(state.resources.map(({ urn, id }) => [urn.split("::").at(-1), id]));
const names = Object.keys(program);
const sent = (emulator: Emulator) => emulator.requests().requests.map(({ method, path }) => `${method} ${path}`);

test("covers every resource", () => {
  const types = Object.values(program).map(({ type }) => type);
  expect(types.sort()).toEqual(resources.map(({ type }) => type).sort());
});

describe.each([
  { from: "dynamic", to: "plugin" },
  { from: "plugin", to: "dynamic" },
] as const)("a stack made in $from mode", ({ from, to }) => {
  let emulator: Emulator;
  let stack: TestStack;
  beforeAll(async () => {
    emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });
    const config = { extendedApi: "true" };
    stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]!, mode: from, config });
    await expectOk(stack.up(program));
  });
  afterAll(async () => {
    stack?.remove();
    await emulator?.close();
  });

  const chapter = story();
  chapter(`moves to ${to} mode with the same ids, nothing replaced and nothing sent`, async () => {
    const before = await stack.exportState();
    emulator.clearRequests();
    stack.configure({ mode: to, extendedApi: "true" });
    const moved = await expectOk(stack.up());
    expect(sent(emulator)).toEqual([]);
    // Back in dynamic mode, the __provider text is added to the state: an update that sends nothing.
    const update = Object.fromEntries(names.map((name) => [name, "update"]));
    expect(moved.changed).toEqual(to === "plugin" ? {} : update);
    const after = await stack.exportState();
    expect(idsByName(after)).toEqual(idsByName(before));
    for (const { type } of after.resources)
      expect(type).toMatch(to === "plugin" ? /^dataplatform:index:/ : /^pulumi-nodejs:dynamic\/dataplatform:/);
    expect(after.text).not.toMatch(/recorded-(storage|password)/);
  });

  chapter("refresh and preview then show no changes", async () => {
    const refreshed = await expectOk(stack.refresh());
    expect(Object.keys(refreshed.summary), refreshed.text).toEqual(["same"]);
    expect((await expectOk(stack.preview())).changed).toEqual({});
  });

  chapter(`is destroyed in ${to} mode`, async () => {
    await expectOk(stack.destroy());
    expect((await stack.exportState()).resources).toEqual([]);
    const left = emulator.state().accounts[0]!.whitelist.map(({ ip_cidr }) => ip_cidr);
    expect(left, "all but what is in keep").toEqual(["198.51.100.1"]);
  });
});
