import { expect } from "vitest";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import type { Program } from "../../harness/stack";
import { expectOk, mode, sharedStack, story } from "../../harness/stacks";
import { messagesOf, quick } from "./shared";

/**
 * What was refused half-way is known, to go back from and to destroy; what must be created only once is never sent twice,
 * and a plan keeps what identifies it. That a killed run does so too is in test/release/cli/doctor-pending.test.ts, where
 * doctor finds it.
 */

const emulator = sharedEmulator(quick);
const stack = sharedStack(emulator, { mode, env: { PULUMI_EXPERIMENTAL: "1" } });
const chapter = story();

/** One of the sets: what all of them keep is in test/fast/resources/sets.test.ts. */
const some = ["data-engineer"];
const program = (roles: readonly string[]): Program => ({
  it: { type: "GroupRoles", args: { groupId: 204, roles } },
});
const there = () => [...accountOf(emulator).groups.find(({ id }) => id === 204)!.roles];
const failHalfWay = async () => {
  emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "respond", status: 422, nth: 2 }] });
  const outcome = await stack.up(program([...some, "nothing", "security-officer"]));
  emulator.setFaults({ rules: [] });
  expect(outcome.code).not.toBe(0);
  expect(messagesOf(outcome)).toContain("1 of 2");
};
let [empty, first]: ReturnType<typeof there>[] = [];

chapter("a set that is refused half-way: going back takes away what was done", async () => {
  empty = there();
  await expectOk(stack.up(program(some)));
  first = there();
  await failHalfWay();
  expect(there()).not.toEqual(first);
  await expectOk(stack.up(program(some)));
  expect(there()).toEqual(first);
});

chapter("and so does a destroy", async () => {
  await failHalfWay();
  expect(there()).not.toEqual(first);
  await expectOk(stack.destroy());
  expect(there()).toEqual(empty);
});

const tagged = /^pulumi-dataplatform:[0-9a-f-]{32,}$/;

/** Resources that the API cannot look up by name or key. */
const once = (version: string): Program => ({
  command: { type: "Command", args: { spark: { sql: `select ${version}` } } },
  store: { type: "DataStore", args: { name: `store ${version}`, dbHost: "db.example.com", dbName: "sales" } },
  account: { type: "Account", args: { name: `team ${version}`, subAccountCreation: true } },
});
const creates = ["commands.submit", "dbTaps.create", "account.createV2"];

const commandOf = async () => (await stack.exportState()).resources.find(({ urn }) => urn.endsWith("::command"))!;
const count = () => accountOf(emulator).commands.length;

chapter("a saved plan with a command is applied", async () => {
  stack.write({ command: once("1")["command"]! });
  await expectOk(stack.operate("preview", "--save-plan", "plan.json"));
  await expectOk(stack.operate("up", "--yes", "--skip-preview", "--plan", "plan.json"));
  const { inputs } = await commandOf();
  expect(inputs["submissionTag"]).toMatch(tagged);
  expect(accountOf(emulator).commands).toHaveLength(1);
  expect(JSON.stringify(accountOf(emulator).commands)).toContain(inputs["submissionTag"]);
});

chapter(
  "a connection that breaks after the work: nothing is sent again, and what cannot be found is reported",
  async () => {
    emulator.clearRequests();
    emulator.setFaults({ rules: creates.map((operation) => ({ operation, kind: "reset-after", times: 1 })) });
    stack.write(once("2"));
    const outcome = await stack.operate("up", "--yes", "--skip-preview", "--continue-on-error");
    emulator.clearFaults();
    const { counts } = emulator.requests();
    expect(creates.map((operation) => counts[operation])).toEqual([1, 1, 1]);
    expect(outcome.code).not.toBe(0);
    const unknown = /cannot create (\w+): .*its outcome is unknown.*Look in the platform's user interface/g;
    const types = [...messagesOf(outcome).matchAll(unknown)].map(([, type]) => type);
    expect(types.sort(), outcome.text).toEqual(["Account", "DataStore"]);
    // The command is found by its tag.
    const { id } = await commandOf();
    expect(Number(id)).toBe(accountOf(emulator).commands.at(-1)!.id);
    await expectOk(stack.destroy());
  },
);

const lone: Program = { command: once("1")["command"]! };
const lose = (kind: "reset-before" | "reset-after") =>
  emulator.setFaults({
    rules: [
      { operation: "commands.submit", kind, times: 1 },
      { operation: "commands.history", kind: "respond", status: 403, body: "no" },
    ],
  });

chapter(
  "a command whose answer is lost, and whose history cannot be read, is kept under its tag, and the next up submits nothing",
  async () => {
    const before = count();
    lose("reset-after");
    const outcome = await stack.up(lone);
    emulator.clearFaults();
    expect(outcome.code).not.toBe(0);
    expect((await commandOf()).id).toMatch(tagged);
    const again = await expectOk(stack.up());
    expect(messagesOf(again)).toMatch(/this is command \d+; run "pulumi refresh"/);
    expect(count()).toBe(before + 1);
  },
);

chapter("it gets its id from a refresh, and nothing is left to do", async () => {
  await expectOk(stack.refresh());
  expect(Number((await commandOf()).id)).toBe(accountOf(emulator).commands.at(-1)!.id);
  const before = count();
  expect((await expectOk(stack.up())).changed).toEqual({});
  expect(count()).toBe(before);
});

// The mode decides how it is kept, which is tried above, and not what becomes of it.
if (mode === "dynamic")
  chapter("it is submitted by --replace where it was not, and by the next up too", async () => {
    for (const again of ["--replace", "plainly"]) {
      const before = count();
      lose("reset-before");
      const triggers = [again];
      stack.write({ command: { type: "Command", args: { ...lone["command"]!.args, triggers } } });
      expect((await stack.up()).code).not.toBe(0);
      emulator.clearFaults();
      expect(count()).toBe(before);
      const { urn, id } = await commandOf();
      expect(id).toMatch(tagged);
      const flags = again === "--replace" ? ["--replace", urn] : [];
      await expectOk(stack.operate("up", "--yes", "--skip-preview", ...flags));
      expect(count()).toBe(before + 1);
    }
    await expectOk(stack.refresh());
    expect((await expectOk(stack.up())).changed).toEqual({});
  });

chapter("and a destroy says what may stay", async () => {
  lose("reset-before");
  expect((await stack.up({ command: once("9")["command"]! })).code).not.toBe(0);
  emulator.clearFaults();
  expect(messagesOf(await expectOk(stack.destroy()))).toMatch(/nothing tells whether a command was submitted/);
});

const args = { spark: { sql: "select 1" }, wait: { intervalSeconds: 1 } };

chapter("a command that has failed fails the next run too, and is not submitted again", async () => {
  await request(emulator, "POST", "/_emulator/commands/outcome", { match: {}, outcome: "error" });
  const before = count();
  stack.write({ it: { type: "Command", args } }, {});
  for (const _ of ["first", "again"]) {
    const outcome = await stack.up();
    expect(outcome.code).not.toBe(0);
    expect(messagesOf(outcome)).toContain("ended with status error");
  }
  expect(count()).toBe(before + 1);
});
