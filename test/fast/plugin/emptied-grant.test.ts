import { afterAll, beforeAll, expect, test } from "vitest";
import { fromStruct } from "../../../provider/plugin/marshal";
import { messages } from "../../../provider/plugin/stubs";
import { objectGrant } from "../../../provider/resources/object-grant";
import { args, ours, policyOf, setPolicy } from "../../cases/object-grant";
import { freshEmulator } from "../../harness/emulators";
import { createdBy, inProcess } from "../../harness/in-process";
import { messageOf, PluginProcess, urnOf, type Values } from "../../harness/plugin";

/** What the engine does with a grant whose policy somebody has emptied, and with the option `ignoreChanges`. */

const emulator = freshEmulator();
const urn = urnOf("ObjectGrant");

/** As the state has it. */
interface Known {
  readonly inputs: Values;
  readonly properties: Values;
}

let plugin: PluginProcess;
beforeAll(async () => {
  plugin = await PluginProcess.start({
    DATAPLATFORM_BASE_URL: emulator.url,
    DATAPLATFORM_API_TOKEN: emulator.tokens["admin"],
  });
  await plugin.configure({});
});
afterAll(() => plugin.stop());

async function read(id: string, { inputs, properties }: Known): Promise<Known> {
  const request = messageOf(messages.ReadRequest, { urn, id, inputs, properties });
  const answer = await plugin.call<InstanceType<typeof messages.ReadResponse>>("read", request);
  return { inputs: fromStruct(answer.getInputs()), properties: fromStruct(answer.getProperties()) };
}

async function check(olds: Values | undefined, news: Values) {
  const request = messageOf(messages.CheckRequest, { urn, news, ...(olds && { olds }) });
  const answer = await plugin.call<InstanceType<typeof messages.CheckResponse>>("check", request);
  return answer.getFailuresList().map((failure) => failure.toObject());
}

function diff(id: string, { inputs, properties }: Known, news: Values) {
  const request = messageOf(messages.DiffRequest, { urn, id, oldInputs: inputs, olds: properties, news });
  return plugin.call<InstanceType<typeof messages.DiffResponse>>("diff", request);
}

test("its actions are gone from the state and not from the inputs, so that ignoreChanges does not block the next up, which adds it", async () => {
  const { life, id, state } = await createdBy(inProcess(objectGrant, emulator), args);
  await setPolicy(emulator, []);
  let known: Known = { inputs: args, properties: state };
  for (const _refresh of [1, 2]) known = await read(id, known);
  expect(known).toMatchObject({ inputs: { allow: args.allow }, properties: { allow: [] } });

  const given = { ...args, allow: known.inputs["allow"] };
  expect(await check(known.inputs, given)).toEqual([]);
  const difference = await diff(id, known, given);
  expect(difference.getDiffsList()).toEqual(["allow"]);
  // Of the inputs, which are the same, the engine would show nothing.
  expect(difference.getDetaileddiffMap().get("allow")!.getInputdiff()).toBe(false);
  await life.update(id, known.properties, given);
  expect(policyOf(emulator.state({ secrets: true }), 501)).toEqual([ours]);
});

test("a state in which an earlier version has left an empty list goes on; a program may not have one", async () => {
  const { life, id, state } = await createdBy(inProcess(objectGrant, emulator), args);
  await setPolicy(emulator, []);
  const emptied = { ...args, allow: [] };
  expect(await check(emptied, emptied)).toEqual([]);
  expect((await diff(id, { inputs: emptied, properties: { ...state, allow: [] } }, emptied)).getDiffsList()).toEqual(
    [],
  );
  await life.update(id, { ...state, allow: [] }, { ...emptied, adopt: true });
  await life.delete(id, { ...state, allow: [] });
  for (const olds of [undefined, args])
    expect(await check(olds, emptied)).toEqual([{ property: "allow", reason: "is empty; omit it instead" }]);
});
