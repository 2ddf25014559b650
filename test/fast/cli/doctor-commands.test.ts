import { describe, expect, test } from "vitest";
import type { State } from "../../../cli/pulumi/stack";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { clear, creating, examineStack, imports, later, type Options } from "./doctor-state";
import { encrypted, resource } from "./drift-state";

const emulator = freshEmulator();

const examine = (state: Partial<State>, options?: Options) => examineStack(emulator, state, options);

const tag = "pulumi-dataplatform:7b1e0c0e-6f0e-4a39-9d4c-5c8f5a3f0f11";
const command = (inputs: Record<string, unknown> = { submissionTag: tag }) =>
  resource("Command", "job", "", { spark: { sql: encrypted("select 'hidden'"), language: "sql" }, ...inputs });
async function submitted(tags: string[]): Promise<string> {
  const body = { command_type: "SparkCommand", language: "sql", sql: "select 1", tags };
  await request(emulator, "POST", "/api/v1.2/commands/", body);
  const { commands = [] } = accountOf(emulator);
  return String(Math.max(...commands.map(({ id }) => id)));
}

describe("an interrupted create of a command", () => {
  test("that was submitted is found by its tag", async () => {
    await submitted(["other"]);
    const id = await submitted(["mine", tag]);
    emulator.clearRequests();
    const findings = await examine({ pending: [creating(command())] });
    expect(findings[0]).toMatchObject({
      verdict: "problem",
      says: `Command, interrupted while creating: it was submitted: command ${id} (waiting), but it is not in the state`,
      fix: imports(`dataplatform:index:Command job ${id}`),
    });
    expect(JSON.stringify(findings)).not.toContain("hidden");
    const [asked] = emulator.requests().requests;
    expect(asked!.path).toContain("include_query_properties=true");
    expect(asked!.path).toContain("per_page=100");
  });

  test.each([
    ["inside the command", { command: { tags: [tag] } }],
    ["as one string", { tags: `a,${tag}` }],
    ["anywhere else", { qlog: JSON.stringify({ query_properties: { tags: [tag] } }) }],
  ])("whose record shows its tags %s", async (_, record) => {
    const body = { paging_info: { next_page: null }, commands: [{ id: 4711, status: "done", ...record }] };
    emulator.setFaults({ rules: [{ operation: "commands.history", kind: "respond", status: 200, body }] });
    const [finding] = await examine({ pending: [creating(command())] });
    expect(finding!.says).toMatch(/it was submitted: command 4711 \(done\)/);
  });

  test("that was not submitted, or that another user submitted", async () => {
    await submitted(["other"]);
    const pending = [creating(command())];
    expect(await examine({ pending })).toMatchObject([
      {
        verdict: "warning",
        says: expect.stringMatching(/not in the command history of the last 30 days, so it was not submitted/),
        fix: clear,
      },
    ]);
    const id = await submitted([tag]);
    const [finding] = await examine({ pending }, { token: "user" });
    expect(finding!.says).toContain(`command ${id} `);
  });

  test("in a long history: reads five pages, then says that it may be further back", async () => {
    const page = (number: number) => ({
      operation: "commands.history",
      kind: "respond" as const,
      times: 1,
      status: 200,
      body: { paging_info: { next_page: number + 1 }, commands: [{ id: number, status: "done" }] },
    });
    emulator.setFaults({ rules: Array.from({ length: 9 }, (_, index) => page(index + 1)) });
    emulator.clearRequests();
    const [finding] = await examine({ pending: [creating(command())] });
    expect(emulator.requests().counts).toEqual({ "commands.history": 5 });
    expect(finding).toMatchObject({
      verdict: "problem",
      says: expect.stringMatching(/not on any of the first 500 commands/),
    });
  });

  test("that has no tag, or that a later run submitted again", async () => {
    const [without] = await examine({ pending: [creating(command({}))] });
    expect(without).toMatchObject({
      verdict: "problem",
      says: expect.stringMatching(/submission tag is not in the state/),
    });
    const first = await submitted([tag]);
    const resources = [{ ...resource("Command", "job", "999", {}, { outputs: {} }), created: later }];
    const [twice] = await examine({ resources, pending: [creating(command())] });
    expect(twice).toMatchObject({
      verdict: "warning",
      says: expect.stringMatching(`command ${first} .*, and the state has a later one \\(id 999\\); both exist`),
      fix: clear,
    });
  });
});
