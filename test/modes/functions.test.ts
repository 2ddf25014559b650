import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Emulator, type Seed, startEmulator } from "../../emulator";
import { mode } from "../harness/modes";
import { expectOk } from "../harness/outcomes";
import { type Program, TestStack } from "../harness/stack";
import { story } from "../harness/story";

let emulator: Emulator;

describe(`functions in ${mode} mode`, () => {
  let stack: TestStack;
  beforeAll(async () => {
    emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0 });
    stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]!, mode });
  });
  afterAll(async () => {
    stack.remove();
    await emulator.close();
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
    expect(counts["whitelist.list"] ?? 0).toBe(0);
    // The list, and a check whether the platform paginates it.
    expect(counts["accounts.getUsers"]).toBe(2);
    expect(stdout).toMatch(/ready *: true/);
    expect(stdout).toMatch(/status *: (\[unknown\]|output<string>)/);
    expect(stdout).toMatch(/addresses *: (\[unknown\]|output<)/);
    expect(stdout).not.toContain("analytics-storage-secret");
  });

  chapter("up reads and submits, and credentials are encrypted in the state", async () => {
    const up = await expectOk(stack.up());
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

describe("a history of 1,000 commands", () => {
  const submitted = Date.now() - 60_000;
  const commands = Array.from({ length: 1000 }, (_, index) => ({
    id: index + 1,
    user_id: 11,
    command_type: "SparkCommand" as const,
    command: { sql: `select ${index}` },
    submitted: submitted + index,
    label: "default",
    name: null,
    pool: null,
    timeout: 129_600,
    template: "generic",
    tags: [],
    macros: [],
    output: null,
    plan: { startAt: submitted, endAt: submitted, outcome: "done" as const, reason: null },
  }));
  const [first, ...others] = defaultSeed.accounts;
  const seed: Seed = { ...defaultSeed, accounts: [{ ...first!, commands }, ...others] };

  test("is read in ten pages of 100, by the function and by the iterator", async () => {
    emulator = await startEmulator({ seed });
    const options = { baseUrl: emulator.url, token: emulator.tokens["admin"]! };
    const stack = await TestStack.create(options);
    const example = await TestStack.create({
      ...options,
      program: "examples/get-command-history",
      env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    });
    try {
      const all: Program = { all: { type: "getCommandHistory", args: { limit: 1000 } } };
      await expectOk(
        stack.up(all, { length: { $ref: "all.commands.length" }, oldest: { $ref: "all.commands.999.id" } }),
      );
      expect(await stack.outputs()).toEqual({ length: 1000, oldest: "1" });
      expect(emulator.requests().counts["commands.history"]).toBe(10);
      emulator.clearRequests();
      // The example reads 500 with the function, then iterates over all.
      await expectOk(example.up());
      expect(await example.outputs()).toEqual({ failed: [], counts: { done: 1000 } });
      expect(emulator.requests().counts["commands.history"]).toBe(5 + 10);
    } finally {
      stack.remove();
      example.remove();
      await emulator.close();
    }
  });
});

test("an encryption key appears in no state, preview or log", async () => {
  emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0 });
  const stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
  const canary = "canary-key-4711";
  const s3DistCp = {
    src: "s3://a/b",
    dest: "s3://c/d",
    s3ServerSideEncryption: true,
    s3SSEAlgorithm: "SSE-C",
    encryptionKey: canary,
  };
  try {
    const up = await expectOk(stack.up({ it: { type: "Command", args: { s3DistCp, wait: { interval: 1 } } } }));
    const refreshed = await expectOk(stack.refresh());
    const preview = await stack.pulumi("preview", "--diff", "--stack", "test");
    const { text, resources } = await stack.exportState();
    expect([up.text, refreshed.text, preview.stdout, preview.stderr, text].join("\n")).not.toContain(canary);
    // The other options stay visible.
    expect(resources[0]!.outputs["s3DistCp"]).toMatchObject({ src: "s3://a/b", s3SSEAlgorithm: "SSE-C" });
    const submitted = emulator.state({ secrets: true }).accounts[0]!.commands[0]!.command["sub_command_args"];
    expect(submitted).toContain(`--encryptionKey ${canary}`);
  } finally {
    stack.remove();
    await emulator.close();
  }
});
