import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mode } from "../../harness/modes";
import { expectOk } from "../../harness/outcomes";
import { shared } from "../../harness/shared";
import type { Outcome, Program } from "../../harness/stack";
import { GoBetween } from "../../sweep/chaos/go-between";
import { descendants, kill, startUp } from "../../sweep/chaos/real-engine";
import { Bench, messagesOf } from "./shared";

/** What must be created only once is never sent twice, and a plan or a killed run keeps what identifies it. */

const tagged = /^pulumi-dataplatform:[0-9a-f-]{32,}$/;

/** Resources that the API cannot look up by name or key. */
const once = (version: string): Program => ({
  command: { type: "Command", args: { spark: { sql: `select ${version}` } } },
  store: { type: "DataStore", args: { name: `store ${version}`, dbHost: "db.example.com", dbName: "sales" } },
  account: { type: "Account", args: { name: `team ${version}`, subAccountCreation: true } },
});
const creates = ["commands.submit", "dbTaps.create", "account.createV2"];

describe(`in ${mode} mode`, () => {
  const bench = shared(() => Bench.open(mode, { env: { PULUMI_EXPERIMENTAL: "1" } }));

  const commandOf = async () =>
    (await bench.stack.exportState()).resources.find(({ urn }) => urn.endsWith("::command"))!;

  test("a saved plan with a command is applied", async () => {
    bench.stack.write({ command: once("1")["command"]! });
    await expectOk(bench.stack.operate("preview", "--save-plan", "plan.json"));
    await expectOk(bench.stack.operate("up", "--yes", "--skip-preview", "--plan", "plan.json"));
    const { inputs } = await commandOf();
    expect(inputs["submissionTag"]).toMatch(tagged);
    expect(bench.account().commands).toHaveLength(1);
    expect(JSON.stringify(bench.account().commands)).toContain(inputs["submissionTag"]);
  });

  /** One request each; the command is found by its tag, and the outcome of the others is reported as unknown. */
  async function expectOnce(outcome: Outcome): Promise<void> {
    const { counts } = bench.emulator.requests();
    expect(creates.map((operation) => counts[operation])).toEqual([1, 1, 1]);
    expect(outcome.code).not.toBe(0);
    const unknown = /cannot create (\w+): .*its outcome is unknown.*Look in the platform's user interface/g;
    const types = [...messagesOf(outcome).matchAll(unknown)].map(([, type]) => type);
    expect(types.sort(), outcome.text).toEqual(["Account", "DataStore"]);
    const { id } = await commandOf();
    expect(Number(id)).toBe(bench.account().commands.at(-1)!.id);
  }

  test.each([
    ["a 503 after the work", { kind: "503", work: "do" }, "2"],
    ["a connection that breaks after the work", { kind: "reset-after" }, "3"],
  ] as const)("%s: nothing is sent again", async (_, fault, version) => {
    bench.emulator.clearRequests();
    bench.emulator.setFaults({ rules: creates.map((operation) => ({ operation, ...fault, times: 1 })) });
    bench.stack.write(once(version));
    const outcome = await bench.stack.operate("up", "--yes", "--skip-preview", "--continue-on-error");
    bench.emulator.clearFaults();
    await expectOnce(outcome);
  });

  test("a killed run leaves the tag of its command in the pending operations", async () => {
    const between = await GoBetween.start(bench.emulator.url);
    try {
      bench.stack.env["DATAPLATFORM_BASE_URL"] = between.url;
      bench.stack.write({ command: once("4")["command"]! });
      const sent = between.withhold(({ method, url }) => method === "POST" && url.includes("/commands"));
      const run = startUp(bench.stack);
      await Promise.race([sent, run.ended.then(({ text }) => expect.unreachable(text))]);
      for (const { pid } of [...descendants(run.child.pid!), { pid: run.child.pid! }]) kill(pid);
      await run.ended;
      const [pending] = pendingIn(bench.stack.stateFile());
      expect(pending).toMatchObject({
        type: "creating",
        resource: { inputs: { submissionTag: expect.stringMatching(tagged) } },
      });
      const { submissionTag } = pending!.resource.inputs;
      expect(JSON.stringify(bench.account().commands.at(-1))).toContain(submissionTag);
    } finally {
      await between.stop();
    }
  });
});

interface Pending {
  readonly type: string;
  readonly resource: { readonly urn: string; readonly inputs: Record<string, unknown> };
}

function pendingIn(file: string): Pending[] {
  const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as {
    checkpoint: { latest: { pending_operations?: Pending[] } };
  };
  return (checkpoint.latest.pending_operations ?? []).filter(({ resource }) => resource.urn.endsWith("::command"));
}

if (mode === "dynamic")
  test("a missing or invalid setting fails at preview", async () => {
    const bench = await Bench.open("dynamic");
    const { env } = bench.stack;
    const { DATAPLATFORM_BASE_URL: url, DATAPLATFORM_API_TOKEN: token } = env;
    bench.stack.write(once("0"));
    delete env["DATAPLATFORM_BASE_URL"];
    const noUrl = await bench.stack.preview();
    Object.assign(env, { DATAPLATFORM_BASE_URL: url, DATAPLATFORM_API_TOKEN: "two words" });
    const badToken = await bench.stack.preview();
    Object.assign(env, { DATAPLATFORM_API_TOKEN: token });
    expect([noUrl.code, badToken.code]).not.toContain(0);
    expect(noUrl.text).toMatch(/dataplatform:baseUrl.*DATAPLATFORM_BASE_URL/);
    expect(badToken.text).toMatch(/apiToken/);
    expect(badToken.text).not.toContain("two words");
    await bench.close();
  });
