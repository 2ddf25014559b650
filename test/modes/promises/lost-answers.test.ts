import { describe, expect, test } from "vitest";
import { accountOf, ownEmulator, sharedEmulator } from "../../harness/emulators";
import type { Outcome, Program } from "../../harness/stack";
import { expectOk, mode, ownStack, sharedStack } from "../../harness/stacks";
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
