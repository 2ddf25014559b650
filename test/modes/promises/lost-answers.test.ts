import { describe, expect, test } from "vitest";
import { accountOf, ownEmulator, sharedEmulator } from "../../harness/emulators";
import type { Outcome, Program } from "../../harness/stack";
import { expectOk, mode, ownStack, sharedStack, story } from "../../harness/stacks";
import { messagesOf, quick } from "./shared";

/**
 * What must be created only once is never sent twice, and a plan keeps what identifies it. That a killed run does so too is
 * in test/release/cli/doctor-pending.test.ts, where doctor finds it.
 */

const tagged = /^pulumi-dataplatform:[0-9a-f-]{32,}$/;

/** Resources that the API cannot look up by name or key. */
const once = (version: string): Program => ({
  command: { type: "Command", args: { spark: { sql: `select ${version}` } } },
  store: { type: "DataStore", args: { name: `store ${version}`, dbHost: "db.example.com", dbName: "sales" } },
  account: { type: "Account", args: { name: `team ${version}`, subAccountCreation: true } },
});
const creates = ["commands.submit", "dbTaps.create", "account.createV2"];

describe(`in ${mode} mode`, () => {
  const emulator = sharedEmulator(quick);
  const stack = sharedStack(emulator, { mode, env: { PULUMI_EXPERIMENTAL: "1" } });

  const commandOf = async () => (await stack.exportState()).resources.find(({ urn }) => urn.endsWith("::command"))!;

  test("a saved plan with a command is applied", async () => {
    stack.write({ command: once("1")["command"]! });
    await expectOk(stack.operate("preview", "--save-plan", "plan.json"));
    await expectOk(stack.operate("up", "--yes", "--skip-preview", "--plan", "plan.json"));
    const { inputs } = await commandOf();
    expect(inputs["submissionTag"]).toMatch(tagged);
    expect(accountOf(emulator).commands).toHaveLength(1);
    expect(JSON.stringify(accountOf(emulator).commands)).toContain(inputs["submissionTag"]);
  });

  /** One request each; the command is found by its tag, and the outcome of the others is reported as unknown. */
  async function expectOnce(outcome: Outcome): Promise<void> {
    const { counts } = emulator.requests();
    expect(creates.map((operation) => counts[operation])).toEqual([1, 1, 1]);
    expect(outcome.code).not.toBe(0);
    const unknown = /cannot create (\w+): .*its outcome is unknown.*Look in the platform's user interface/g;
    const types = [...messagesOf(outcome).matchAll(unknown)].map(([, type]) => type);
    expect(types.sort(), outcome.text).toEqual(["Account", "DataStore"]);
    const { id } = await commandOf();
    expect(Number(id)).toBe(accountOf(emulator).commands.at(-1)!.id);
  }

  test.each([
    ["a 503 after the work", { kind: "503", work: "do" }, "2"],
    ["a connection that breaks after the work", { kind: "reset-after" }, "3"],
  ] as const)("%s: nothing is sent again", async (_, fault, version) => {
    emulator.clearRequests();
    emulator.setFaults({ rules: creates.map((operation) => ({ operation, ...fault, times: 1 })) });
    stack.write(once(version));
    const outcome = await stack.operate("up", "--yes", "--skip-preview", "--continue-on-error");
    emulator.clearFaults();
    await expectOnce(outcome);
  });
});

describe(`a command whose answer is lost, and whose history cannot be read, in ${mode} mode`, () => {
  const emulator = sharedEmulator(quick);
  const stack = sharedStack(emulator, { mode });
  const chapter = story();
  const program: Program = { command: once("1")["command"]! };
  const count = () => accountOf(emulator).commands.length;
  const commandOf = async () => (await stack.exportState()).resources.find(({ urn }) => urn.endsWith("::command"))!;
  const lose = (kind: "reset-before" | "reset-after") =>
    emulator.setFaults({
      rules: [
        { operation: "commands.submit", kind, times: 1 },
        { operation: "commands.history", kind: "respond", status: 403, body: "no" },
      ],
    });

  chapter("is kept under its tag, and the next up submits nothing", async () => {
    lose("reset-after");
    const outcome = await stack.up(program);
    emulator.clearFaults();
    expect(outcome.code).not.toBe(0);
    expect((await commandOf()).id).toMatch(tagged);
    const again = await expectOk(stack.up());
    expect(messagesOf(again)).toMatch(/this is command \d+; run "pulumi refresh"/);
    expect(count()).toBe(1);
  });

  chapter("gets its id from a refresh, and nothing is left to do", async () => {
    await expectOk(stack.refresh());
    expect(Number((await commandOf()).id)).toBe(accountOf(emulator).commands[0]!.id);
    expect((await expectOk(stack.up())).changed).toEqual({});
    expect(count()).toBe(1);
  });

  chapter("is submitted by --replace where it was not, and by the next up too", async () => {
    for (const again of ["--replace", "plainly"]) {
      const before = count();
      lose("reset-before");
      const triggers = [again];
      stack.write({ command: { type: "Command", args: { ...program["command"]!.args, triggers } } });
      expect((await stack.up()).code).not.toBe(0);
      emulator.clearFaults();
      expect(count()).toBe(before);
      const { urn, id } = await commandOf();
      expect(id).toMatch(tagged);
      const flags = again === "--replace" ? ["--replace", urn] : [];
      await expectOk(stack.operate("up", "--yes", "--skip-preview", ...flags));
      expect(count()).toBe(before + 1);
      await expectOk(stack.refresh());
      expect((await expectOk(stack.up())).changed).toEqual({});
    }
  });

  chapter("and a destroy says what may stay", async () => {
    lose("reset-before");
    expect((await stack.up({ command: once("9")["command"]! })).code).not.toBe(0);
    emulator.clearFaults();
    expect(messagesOf(await expectOk(stack.destroy()))).toMatch(/nothing tells whether a command was submitted/);
  });
});

if (mode === "dynamic")
  test("a missing or invalid setting fails at preview", async () => {
    const stack = await ownStack(await ownEmulator(quick), { mode });
    const { env } = stack;
    const { DATAPLATFORM_BASE_URL: url, DATAPLATFORM_API_TOKEN: token } = env;
    stack.write(once("0"));
    delete env["DATAPLATFORM_BASE_URL"];
    const noUrl = await stack.preview();
    Object.assign(env, { DATAPLATFORM_BASE_URL: url, DATAPLATFORM_API_TOKEN: "two words" });
    const badToken = await stack.preview();
    Object.assign(env, { DATAPLATFORM_API_TOKEN: token });
    expect([noUrl.code, badToken.code]).not.toContain(0);
    expect(noUrl.text).toMatch(/dataplatform:baseUrl.*DATAPLATFORM_BASE_URL/);
    expect(badToken.text).toMatch(/apiToken/);
    expect(badToken.text).not.toContain("two words");
  });
