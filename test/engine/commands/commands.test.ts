import { describe, expect } from "vitest";
import { startEmulator } from "../../../emulator";
import { expectOk } from "../../harness/outcomes";
import { shared } from "../../harness/shared";
import { type Program, TestStack } from "../../harness/stack";
import { story } from "../../harness/story";

const emulator = shared(() => startEmulator({ waitSeconds: 0, runSeconds: 0 }));
const stack = shared(() => TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! }));

const commands = () => emulator.state({ secrets: true }).accounts.find(({ id }) => id === 1001)!.commands;
describe("a data store, a sensor that gates a command, and the command's id", () => {
  const password = "canary-password-4711";
  const program = (version: string): Program => ({
    store: {
      type: "DataStore",
      args: {
        name: "orders",
        dbName: "orders",
        dbHost: "db.example.com",
        dbUser: "etl",
        dbPasswd: { $secret: password },
        dbType: "postgresql",
        dbLocation: "us-east-1",
      },
    },
    sensor: {
      type: "PartitionSensor",
      args: { schema: "sales", table: "orders", columns: [{ column: "region", values: ["emea"] }], wait: true },
    },
    job: {
      type: "Command",
      args: { spark: { sql: "select 1" }, name: { $ref: "store.name" }, triggers: [version], wait: { interval: 1 } },
      opts: { dependsOn: ["sensor"] },
    },
  });
  const outputs = { commandId: { $ref: "job.id" }, status: { $ref: "job.status" } };

  const chapter = story();
  chapter("preview submits nothing", async () => {
    await expectOk(stack.preview(program("1"), outputs));
    expect(emulator.requests().requests).toEqual([]);
  });
  chapter("up submits one, after the sensor", async () => {
    await expectOk(stack.up());
    expect(await stack.outputs()).toEqual({ commandId: String(commands()[0]!.id), status: "done" });
    expect(commands()).toHaveLength(1);
    const order = emulator.requests().requests.map(({ operation }) => operation);
    expect(order.indexOf("partitionSensor.create")).toBeLessThan(order.indexOf("commands.submit"));
    expect((await stack.exportState()).text).not.toContain(password);
  });
  chapter("a second up submits none", async () => {
    expect((await expectOk(stack.up())).changed).toEqual({});
    expect(commands()).toHaveLength(1);
  });
  chapter("a changed trigger submits one more", async () => {
    await expectOk(stack.up(program("2"), outputs));
    expect(commands()).toHaveLength(2);
    expect(await stack.outputs()).toMatchObject({ commandId: String(commands()[1]!.id) });
  });
});
