import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { valueList } from "../../../provider/platform/sensors";
import { parsePartitionId, partitionId, partitionSensor } from "../../../provider/resources/partition-sensor";
import { args, ticks } from "../../cases/partition-sensor";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, failureOf, inProcess } from "../../harness/in-process";
import { ScriptedServer } from "../../harness/scripted-server";
import { shared } from "../../harness/shared";

const tomorrow = "2024-01-04";
async function arrive(emulator: Emulator): Promise<void> {
  const table = accountOf(emulator).hiveTables.find(({ name }) => name === "daily_ticks")!;
  const record = { ...table, partitions: [...table.partitions, { dt: tomorrow }] };
  await request(emulator, "PUT", "/_emulator/state/hiveTables", record);
}

describe("PartitionSensor", () => {
  const emulator = freshEmulator();

  test("waits until the partition is there", async () => {
    const { life, said } = inProcess(partitionSensor, emulator);
    setTimeout(() => void arrive(emulator), 300);
    const { state } = await life.create({ ...ticks(tomorrow), wait: { intervalSeconds: 1 } });
    expect(state["ready"]).toBe(true);
    expect(said.infos).toHaveLength(1);
    expect(emulator.requests().counts["partitionSensor.create"]).toBe(2);
  });

  test("an aborted wait stops at once, and the sensor is kept", async () => {
    const stop = new AbortController();
    const { life } = inProcess(partitionSensor, emulator, { signal: stop.signal });
    setTimeout(() => stop.abort(), 200);
    const wait = { intervalSeconds: 600 };
    const { existing, reason } = await failureOf(life.create({ ...ticks(tomorrow), wait }));
    expect(existing.state).toMatchObject({ ready: false });
    const says =
      /cancelled\. That ended the wait for the partitions of default\.daily_ticks.*next "pulumi up" checks again$/;
    expect(reason).toMatch(says);
  });

  test("a wait that times out keeps the sensor, and the next up waits again", async () => {
    const { life, said } = inProcess(partitionSensor, emulator);
    const inputs = { ...ticks(tomorrow), wait: { timeoutSeconds: 1.2, intervalSeconds: 1 } };
    const { existing, message } = await failureOf(life.create(inputs));
    expect(message).toMatch(/timed out after 1.2 s.*run "pulumi up" to wait again/);
    expect(said.infos.join()).toMatch(/is not ready after \d s; waiting for up to 1.2 s/);
    expect(existing).toMatchObject({ id: `default.daily_ticks/dt=${tomorrow}`, state: { ready: false } });
    await arrive(emulator);
    expect((await life.update(existing.id, existing.state, inputs)).state).toMatchObject({ ready: true });
  });

  test("refresh updates ready; a missing table keeps the sensor with a warning", async () => {
    const { life, said, id, state } = await createdBy(inProcess(partitionSensor, emulator), ticks(tomorrow));
    expect(state["ready"]).toBe(false);
    await arrive(emulator);
    expect((await life.read(id, state))!.state["ready"]).toBe(true);
    await request(emulator, "DELETE", "/_emulator/state/hiveTables/default.daily_ticks");
    expect(await life.read(id, state)).toMatchObject({ id, state: { ready: false } });
    expect(said.warnings.join()).toMatch(
      /is not ready; the sensor is kept in the state: .*default.daily_ticks \(422\).*absent from the metastore/,
    );
    await expect(life.read(id, {}), "an import of it").rejects.toThrow("absent from the metastore");
  });
});

describe("PartitionSensor paths and answers", () => {
  const server = shared(() => ScriptedServer.start());
  const life = () => inProcess(partitionSensor, { url: server.url, tokens: {} } as unknown as Emulator).life;

  const paths = ["partition_sensor", "sensors/partition_sensor"];
  const asked = () =>
    server.received.map(({ url }) => url.replace("/api/v1.2/", "")).filter((url) => url.endsWith("_sensor"));

  test.each([
    ["the other path is tried on 404, and remembered", [args, args, { ...args, apiPath: paths[0] }], [0, 1, 1, 1]],
    ["the configured path is tried first", [{ ...args, apiPath: paths[1] }], [1, 0]],
  ])("%s", async (_, creations, expected) => {
    server.script({ status: 404 }, { body: { status: "true" } });
    const sensor = life();
    for (const inputs of creations) await sensor.create(inputs);
    expect(asked()).toEqual(expected.map((index) => paths[index]));
  });

  test("neither path is served", async () => {
    server.script({ status: 404 });
    const says = "The platform serves neither partition_sensor nor sensors/partition_sensor";
    await expect(life().create(args)).rejects.toThrow(says);
  });

  test.each([
    ["true", true],
    ["false", false],
    [true, true],
    [false, false],
  ])("status %j is %j", async (status, ready) => {
    server.script({ body: { status } });
    expect((await life().create(args)).state["ready"]).toBe(ready);
  });

  test("a status that is neither is an error", async () => {
    server.script({ body: { status: "maybe" } });
    await expect(life().create(args)).rejects.toThrow("does not have the documented shape at status");
  });
});

describe("ids of partitions", () => {
  test("are stable, readable and complete", () => {
    const table = { schema: "a.b", table: "c/d" };
    const given = { a: [2, 1, 1], "z=1": ["x,y", "a;b", "ü 1", "%"] };
    const columns = Object.entries(given).map(([column, values]) => ({ column, values }));
    const id = partitionId({ ...table, columns: columns.toReversed() });
    expect(id).toBe("a%2Eb.c%2Fd/a=1,2;z%3D1=%25,a%3Bb,x%2Cy,%C3%BC+1");
    const sorted = [
      ["1", "2"],
      ["%", "a;b", "x,y", "ü 1"],
    ];
    const shown = columns.map(({ column }, index) => ({ column, values: sorted[index] }));
    expect(parsePartitionId(id)).toEqual({ ...table, columns: shown });
    expect(partitionId(parsePartitionId(id))).toBe(id);
  });

  test("a sensor without columns has one too", () => {
    expect(partitionId({ schema: "sales", table: "orders" })).toBe("sales.orders/");
    expect(parsePartitionId("sales.orders/")).toEqual({ schema: "sales", table: "orders" });
  });

  test.each([
    ["s.t/c=", []],
    ["s.t/c=,", [""]],
    ["s.t/c=,a", ["", "a"]],
  ])("%s tells no value from an empty one", (id, values) =>
    expect(parsePartitionId(id)).toEqual({ schema: "s", table: "t", columns: [{ column: "c", values }] }),
  );

  test.each([
    ["[a, b]", ["a", "b"]],
    [" [ 'a, b' , \"c\",d e ] ", ["a, b", "c", "d e"]],
    ["[O'Brien, 1]", ["O'Brien", "1"]],
    ["[a,]", ["a", ""]],
    ["[]", []],
  ])("%s", (text, values) => expect(valueList(text)).toEqual(values));
});
