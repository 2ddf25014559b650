import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedEmulator } from "../harness/emulators";
import type { Program } from "../harness/stack";
import { expectOk, mode, sharedStack, story } from "../harness/stacks";

describe(`functions in ${mode} mode`, () => {
  const emulator = sharedEmulator({ waitSeconds: 0, runSeconds: 0 });
  const stack = sharedStack(emulator, { mode, config: { profile: "platform.json" } });
  beforeAll(() => {
    const requests = {
      "POST /api/v1.2/whitelist_ip": { path: "/api/v1.2/whitelist_ip/" },
      "GET /api/v1.2/hive/default/": { path: "/api/v1.2/hive/default" },
    };
    writeFileSync(join(stack.folder, "platform.json"), JSON.stringify({ requests }));
  });

  const program: Program = {
    account: { type: "getAccount", args: {} },
    users: { type: "getUsers", args: {}, opts: { promise: true } },
    tables: { type: "getHiveTables", args: { filter: { $later: "^page_" }, describe: true } },
    partition: {
      type: "checkPartition",
      args: { schema: "default", table: "daily_ticks", columns: [{ column: "dt", values: ["2024-01-01"] }] },
    },
    office: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.7" } },
    list: { type: "getWhitelistedIps", args: {}, opts: { dependsOn: ["office"] } },
    run: { type: "submitCommand", args: { spark: { sql: "select 1" }, wait: { interval: 1 } } },
  };
  const outputs = {
    accountName: { $ref: "account.name" },
    key: { $ref: "account.storageSecretKey" },
    users: { $ref: "users.users.length" },
    columns: { $ref: "tables.tables.0.columns.length" },
    ready: { $ref: "partition.ready" },
    addresses: { $ref: "list.whitelistedIps.length" },
    status: { $ref: "run.status" },
  };

  const chapter = story();
  chapter("at preview, reads with known arguments run, others are unknown, and nothing is submitted", async () => {
    const { stdout } = await expectOk(stack.preview(program, outputs));
    const counts = emulator.requests().counts;
    expect(counts["commands.submit"] ?? 0).toBe(0);
    expect(counts["hive.list"] ?? 0).toBe(0);
    // Not by the function: the preview of an address looks whether it is the first.
    expect(counts["whitelist.list"]).toBe(1);
    expect(counts["accounts.getUsers"]).toBe(1);
    // A check creates a sensor.
    expect(counts["partitionSensor.create"] ?? 0).toBe(0);
    expect(stdout).toMatch(/ready *: (\[unknown\]|output<boolean>)/);
    expect(stdout).toMatch(/status *: (\[unknown\]|output<string>)/);
    expect(stdout).toMatch(/addresses *: (\[unknown\]|output<)/);
    expect(stdout).not.toContain("analytics-storage-secret");
  });

  chapter("up reads and submits, and credentials are encrypted in the state", async () => {
    const up = await expectOk(stack.up());
    const sent = emulator.requests().requests.map(({ method, path }) => `${method} ${path}`);
    expect(sent, "a resource follows the profile beside the program").toContain("POST /api/v1.2/whitelist_ip/");
    expect(
      sent.find((one) => one.includes("/hive/")),
      "and so does a function",
    ).toMatch(/^GET \/api\/v1.2\/hive\/default(\?|$)/);
    expect(await stack.outputs()).toEqual({
      accountName: "Analytics",
      key: "analytics-storage-secret",
      users: 7,
      columns: 4,
      ready: true,
      addresses: 1,
      status: "done",
    });
    expect(emulator.requests().counts["commands.submit"]).toBe(1);
    expect(up.text).not.toContain("analytics-storage-secret");
    expect((await stack.exportState()).text).not.toContain("analytics-storage-secret");
  });

  test("an error says which function failed, and why", async () => {
    const { code, text } = await stack.preview({
      it: { type: "getObjectPolicy", args: { sourceType: "folder", sourceId: "1" } },
    });
    expect(code).not.toBe(0);
    expect(text).toContain("getObjectPolicy");
    expect(text).toContain('is "folder"; expected one of "cluster", "environment", "note", "scheduler"');
  });
});
