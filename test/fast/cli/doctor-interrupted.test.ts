import { describe, expect, test } from "vitest";
import { extendedFindings } from "../../../cli/doctor/extended";
import type { State, StateResource } from "../../../cli/pulumi/stack";
import type { Emulator } from "../../../emulator";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { hostAt } from "../../harness/in-process";
import { clear, creating, dynamic, earlier, examineStack, imports, later, type Options } from "./doctor-state";
import { encrypted, prefix, resource } from "./drift-state";
import { quiet, whitelist } from "./platform";

const emulator = freshEmulator();
const extended = freshEmulator({ extended: true });

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

const missing = "   # Pulumi may warn of missing inputs there, as if that were a bug: expected";

/** Doctor's findings on a resource that was being replaced, by one run or by several. */
const replacing = (old: StateResource, ...runs: StateResource[]) => {
  const pending = runs.map((one) => creating({ ...one, created: earlier }));
  return examineStack(emulator, { resources: [{ ...old, created: earlier }], pending });
};
const office = (ipCidr: string, id = "") => resource("WhitelistedIp", "office", id, { ipCidr });
const adopt = "set adopt: true on it in the program, then: pulumi up --stack dev";

describe("an interrupted replacement of an address", () => {
  test("that was added: the create of the next up adopts it, because its name is taken in the state", async () => {
    const id = await whitelist(emulator, "192.0.2.2");
    expect(await replacing(office("192.0.2.1", "58"), office("192.0.2.2"))).toMatchObject([
      {
        what: "office",
        verdict: "problem",
        says: `WhitelistedIp, interrupted while creating: 192.0.2.2 is whitelisted (id ${id}), but it is not in the state; the state has the one that it replaces (id 58)`,
        fix: adopt,
      },
      { what: "pending", verdict: "warning", fix: clear },
    ]);
  });

  test("that was not added: the next up replaces it", async () => {
    expect(await replacing(office("192.0.2.1", "58"), office("192.0.2.2"))).toMatchObject([
      {
        verdict: "warning",
        says: expect.stringMatching(
          /192\.0\.2\.2 is not whitelisted; the state has the one that it replaces \(id 58\); the next "pulumi up" replaces that$/,
        ),
        fix: clear,
      },
    ]);
  });

  test("by the same address, with --replace: what is listed is the one in the state", async () => {
    const id = await whitelist(emulator, "192.0.2.1");
    expect(await replacing(office("192.0.2.1", id), office("192.0.2.1"))).toMatchObject([
      { verdict: "warning", says: expect.stringMatching(/already resolved/), fix: clear },
    ]);
  });

  test("that a later run finished", async () => {
    const id = await whitelist(emulator, "192.0.2.2");
    const resources = [{ ...office("192.0.2.2", id), created: later }];
    const pending = [creating({ ...office("192.0.2.2"), created: earlier })];
    expect(await examineStack(emulator, { resources, pending })).toMatchObject([
      { verdict: "warning", says: expect.stringMatching(/already resolved: it is in the state/), fix: clear },
    ]);
  });

  test("twice: the same address is told once, and of two addresses the later one is kept", async () => {
    const first = await whitelist(emulator, "192.0.2.2");
    const same = await replacing(office("192.0.2.1", "58"), office("192.0.2.2"), office("192.0.2.2"));
    expect(same.map(({ fix }) => fix)).toEqual([adopt, clear]);
    const second = await whitelist(emulator, "192.0.2.3");
    const [kept, left] = await replacing(office("192.0.2.1", "58"), office("192.0.2.3"), office("192.0.2.2"));
    expect(kept).toMatchObject({ says: expect.stringContaining(`(id ${second})`), fix: adopt });
    expect(left).toMatchObject({
      verdict: "warning",
      says: expect.stringMatching(`id ${first}\\); a later run, interrupted too, made another \\(id ${second}\\)`),
      fix: clear,
    });
  });
});

describe("an interrupted replacement of another resource", () => {
  const job = (id = "") => dynamic(resource("Command", "job", id, { submissionTag: tag }));
  const rename = `pulumi state rename ${prefix}pulumi-nodejs:dynamic/dataplatform:Command::job job-replaced --yes --stack dev`;

  test("a command that was submitted is imported beside the older one, so that no up submits it again", async () => {
    const id = await submitted([tag]);
    const [finding] = await replacing(job("7"), job());
    expect(finding).toMatchObject({
      verdict: "problem",
      says: expect.stringMatching(`submitted: command ${id} .*the state has the one that it replaces \\(id 7\\)$`),
      fix: `${rename} && ${imports(`dataplatform:index:Command job ${id}`)}${missing}`,
    });
  });

  test("a command that was not submitted", async () => {
    expect(await replacing(job("7"), job())).toMatchObject([{ verdict: "warning", fix: clear }]);
  });

  test("a data store, which the API cannot list: says what to look for, and how to go on in both cases", async () => {
    const store = (dbName: string, id = "") => resource("DataStore", "crm", id, { dbName, dbHost: "db1" });
    const [finding] = await replacing(store("crm", "7"), store("crm2"));
    expect(finding).toMatchObject({
      verdict: "problem",
      says: expect.stringMatching(/database crm2 at db1.*; the state has the one that it replaces \(id 7\)$/),
      fix: `check the platform's user interface first. If it exists: pulumi state rename ${prefix}dataplatform:index:DataStore::crm crm-replaced --yes --stack dev && ${imports("dataplatform:index:DataStore crm <id>")}. If not: ${clear}${missing}`,
    });
  });

  test("what is safe to repeat is only cleared", async () => {
    const { email } = accountOf(emulator).users.find(({ alias }) => alias === "analyst")!;
    const user = (svcUserId: string, id = "") => resource("EnabledUser", "ana", id, { svcUserId });
    expect(await replacing(user("107", "107"), user(email))).toMatchObject([
      { verdict: "warning", says: expect.stringMatching(/is enabled.*the next "pulumi up" repeats it$/), fix: clear },
    ]);
  });
});

describe("an interrupted create of a command", () => {
  test("that was submitted is found by its tag", async () => {
    await submitted(["pulumi-dataplatform:another"]);
    const id = await submitted(["mine", tag]);
    emulator.clearRequests();
    const findings = await examine({ pending: [creating(command())] });
    expect(findings[0]).toMatchObject({
      verdict: "problem",
      says: `Command, interrupted while creating: it was submitted: command ${id} (waiting), but it is not in the state`,
      fix: imports(`dataplatform:index:Command job ${id}`) + missing,
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
    // Beside what a platform may have there too.
    const body = { paging_info: { next_page: "" }, commands: [null, { id: 4711, status: "done", ...record }] };
    emulator.setFaults({ rules: [{ operation: "commands.history", kind: "respond", status: 200, body }] });
    const [finding] = await examine({ pending: [creating(command())] });
    expect(finding!.says).toMatch(/it was submitted: command 4711 \(done\)/);
  });

  test("that was not submitted, or that another user submitted", async () => {
    await submitted(["pulumi-dataplatform:another"]);
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

const settingsFor = (platform: Emulator, extended: boolean, token = "admin") =>
  hostAt(platform, { extended, token }).client.settings;

describe("which operations an installation has", () => {
  test("all of them, whether or not they are used", async () => {
    const on = await extendedFindings(settingsFor(extended, true), quiet());
    expect(on[0]).toMatchObject({ area: "Extended API", what: "on", verdict: "ok" });
    expect(on.slice(1).filter(({ says }) => !/^(can|not tried)/.test(says))).toEqual([]);
    expect(on.map(({ says }) => says)).toEqual(expect.arrayContaining(["can list the groups", "can list the roles"]));
    const off = await extendedFindings(settingsFor(extended, false), quiet(), { onStack: " --stack dev" });
    expect(off[0]!.says).toContain("pulumi config set dataplatform:extendedApi true --stack dev");
  });

  test("none of them", async () => {
    const off = await extendedFindings(settingsFor(emulator, false), quiet());
    expect(off.map(({ says }) => says)).toEqual(["this installation has none of its operations"]);
    const on = await extendedFindings(settingsFor(emulator, true), quiet());
    expect(on[0]).toMatchObject({ what: "on", verdict: "warning", fix: expect.stringContaining("--extended") });
    expect(on.filter(({ says }) => says.startsWith("can "))).toEqual([]);
    expect(on.map(({ says }) => says)).toContain("cannot list the groups: the operation is lacking");
  });

  test("a token that may not use them", async () => {
    const powerless = await extendedFindings(settingsFor(extended, true, "powerless"), quiet());
    expect(powerless.map(({ says }) => says)).toContainEqual(
      expect.stringMatching(/^may not list the groups: needs system-user/),
    );
    expect(powerless[0], "its operations are there").toMatchObject({ what: "on", verdict: "ok" });
    expect(powerless.some(({ verdict }) => verdict === "problem")).toBe(false);
  });
});

describe("what an interrupted run created", () => {
  const examine = (type: string, inputs: Record<string, unknown>) =>
    examineStack(extended, { pending: [creating(resource(type, "r", "", inputs))] }, { extendedApi: true });

  test("a data store is found in the list, or is certainly not there", async () => {
    const inputs = { name: "crm", dbName: "crm", dbHost: "db1.example.com" };
    expect((await examine("DataStore", inputs))[0]).toMatchObject({
      says: expect.stringContaining("does not list it"),
    });
    await request(extended, "POST", "/api/v1.2/db_taps/", {
      name: "crm",
      db_name: "crm",
      db_host: "db1.example.com",
      skip_validation: true,
    });
    const id = accountOf(extended).dataStores.at(-1)!.id;
    expect((await examine("DataStore", inputs))[0]!.fix).toContain(imports(`dataplatform:index:DataStore r ${id}`));
  });

  test.each(["Group", "Role"])("a %s is found by its name", async (type) => {
    const [first] = extended.state().accounts[0]![type === "Group" ? "groups" : "roles"];
    expect((await examine(type, { name: first!.name }))[0]!.fix).toContain(`dataplatform:index:${type} r ${first!.id}`);
    expect((await examine(type, { name: "nobody" }))[0]!.says).toContain("does not list it");
  });
});
