import { describe, expect, test } from "vitest";
import { extendedFindings } from "../../../cli/doctor/extended";
import type { State, StateResource } from "../../../cli/pulumi/stack";
import type { Emulator } from "../../../emulator";
import { accountOf, answers, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { hostAt } from "../../harness/in-process";
import {
  clear,
  creating,
  dynamic,
  earlier,
  examineStack,
  imports,
  later,
  type Options,
  problem,
  warning,
} from "./doctor-state";
import { encrypted, prefix, quiet, resource, whitelist } from "./stacks";

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
    const says = `WhitelistedIp, interrupted while creating: 192.0.2.2 is whitelisted (id ${id}), but it is not in the state; the state has the one that it replaces (id 58)`;
    expect(await replacing(office("192.0.2.1", "58"), office("192.0.2.2"))).toMatchObject([
      { what: "office", verdict: "problem", says, fix: adopt },
      { what: "pending", ...warning("") },
    ]);
  });

  test("that was not added, that has the same address, or that a later run finished", async () => {
    const says =
      '192.0.2.2 is not whitelisted; the state has the one that it replaces (id 58); the next "pulumi up" replaces that';
    expect(await replacing(office("192.0.2.1", "58"), office("192.0.2.2"))).toMatchObject([warning(says)]);
    // With --replace, what is listed is the one in the state.
    const same = await whitelist(emulator, "192.0.2.1");
    const found = await replacing(office("192.0.2.1", same), office("192.0.2.1"));
    expect(found).toMatchObject([warning("already resolved")]);
    const resources = [{ ...office("192.0.2.2", await whitelist(emulator, "192.0.2.2")), created: later }];
    const pending = [creating({ ...office("192.0.2.2"), created: earlier })];
    expect(await examine({ resources, pending })).toMatchObject([warning("already resolved: it is in the state")]);
  });

  test("twice: the same address is told once, and of two addresses the later one is kept", async () => {
    const first = await whitelist(emulator, "192.0.2.2");
    const same = await replacing(office("192.0.2.1", "58"), office("192.0.2.2"), office("192.0.2.2"));
    expect(same.map(({ fix }) => fix)).toEqual([adopt, clear]);
    const second = await whitelist(emulator, "192.0.2.3");
    const found = await replacing(office("192.0.2.1", "58"), office("192.0.2.3"), office("192.0.2.2"));
    expect(found.slice(0, 2)).toMatchObject([
      problem(`(id ${second})`, adopt),
      warning(`id ${first}); a later run, interrupted too, made another (id ${second})`),
    ]);
  });
});

describe("an interrupted replacement of another resource", () => {
  const job = (id = "") => dynamic(resource("Command", "job", id, { submissionTag: tag }));
  const renames = (what: string) => `pulumi state rename ${prefix}${what}-replaced --yes --stack dev`;

  test("a command that was submitted is imported beside the older one, so that no up submits it again", async () => {
    expect(await replacing(job("7"), job()), "not submitted").toMatchObject([warning("")]);
    const id = await submitted([tag]);
    const rename = renames("pulumi-nodejs:dynamic/dataplatform:Command::job job");
    const fix = `${rename} && ${imports(`dataplatform:index:Command job ${id}`)}${missing}`;
    const [finding] = await replacing(job("7"), job());
    expect(finding).toMatchObject(problem(`submitted: command ${id} `, fix));
    expect(finding!.says).toMatch(/the state has the one that it replaces \(id 7\)$/);
  });

  test("a data store, which the API cannot list: says what to look for, and how to go on in both cases", async () => {
    const store = (dbName: string, id = "") => resource("DataStore", "crm", id, { dbName, dbHost: "db1" });
    const rename = renames("dataplatform:index:DataStore::crm crm");
    const ifThere = `${rename} && ${imports("dataplatform:index:DataStore crm <id>")}`;
    const fix = `check the platform's user interface first. If it exists: ${ifThere}. If not: ${clear}${missing}`;
    const [finding] = await replacing(store("crm", "7"), store("crm2"));
    expect(finding).toMatchObject(problem("database crm2 at db1", fix));
  });

  test("what is safe to repeat is only cleared", async () => {
    const { email } = accountOf(emulator).users.find(({ alias }) => alias === "analyst")!;
    const user = (svcUserId: string, id = "") => resource("EnabledUser", "ana", id, { svcUserId });
    const [finding] = await replacing(user("107", "107"), user(email));
    expect(finding).toMatchObject(warning("is enabled"));
    expect(finding!.says).toMatch(/the next "pulumi up" repeats it$/);
  });
});

describe("an interrupted create of a command", () => {
  const pending = [creating(command())];

  test("that was submitted is found by its tag", async () => {
    await submitted(["pulumi-dataplatform:another"]);
    const id = await submitted(["mine", tag]);
    emulator.clearRequests();
    const findings = await examine({ pending });
    const says = `Command, interrupted while creating: it was submitted: command ${id} (waiting), but it is not in the state`;
    const fix = imports(`dataplatform:index:Command job ${id}`) + missing;
    expect(findings[0]).toMatchObject({ verdict: "problem", says, fix });
    expect(JSON.stringify(findings)).not.toContain("hidden");
    expect(emulator.requests().requests[0]!.path).toMatch(/(?=.*include_query_properties=true).*per_page=100/);
  });

  test.each([
    ["inside the command", { command: { tags: [tag] } }],
    ["as one string", { tags: `a,${tag}` }],
    ["anywhere else", { qlog: JSON.stringify({ query_properties: { tags: [tag] } }) }],
  ])("whose record shows its tags %s", async (_, record) => {
    // Beside what a platform may have there too.
    const commands = [null, { id: 4711, status: "done", ...record }];
    answers(emulator, "commands.history", 200, { paging_info: { next_page: "" }, commands });
    const [finding] = await examine({ pending });
    expect(finding!.says).toMatch(/it was submitted: command 4711 \(done\)/);
  });

  test("that was not submitted, or that another user submitted", async () => {
    await submitted(["pulumi-dataplatform:another"]);
    const says = "not in the command history of the last 30 days, so it was not submitted";
    expect(await examine({ pending })).toMatchObject([warning(says)]);
    const id = await submitted([tag]);
    const [finding] = await examine({ pending }, { token: "user" });
    expect(finding!.says).toContain(`command ${id} `);
  });

  test("in a long history: reads five pages, then says that it may be further back", async () => {
    const rules = Array.from({ length: 9 }, (_, index) => {
      const body = { paging_info: { next_page: index + 2 }, commands: [{ id: index + 1, status: "done" }] };
      return { operation: "commands.history", kind: "respond" as const, times: 1, status: 200, body };
    });
    emulator.setFaults({ rules });
    emulator.clearRequests();
    const [finding] = await examine({ pending });
    expect(emulator.requests().counts).toEqual({ "commands.history": 5 });
    const says = expect.stringMatching(/on any of the first 500 commands/);
    expect(finding).toMatchObject({ verdict: "problem", says });
  });

  test("that has no tag, or that a later run submitted again", async () => {
    const [without] = await examine({ pending: [creating(command({}))] });
    const says = expect.stringMatching(/submission tag is not in the state/);
    expect(without).toMatchObject({ verdict: "problem", says });
    const first = await submitted([tag]);
    const resources = [{ ...resource("Command", "job", "999", {}, { outputs: {} }), created: later }];
    const [twice] = await examine({ resources, pending });
    expect(twice).toMatchObject(warning(`command ${first} `));
    expect(twice!.says).toContain(", and the state has a later one (id 999); both exist");
  });
});

describe("which operations an installation has", () => {
  const findings = (platform: Emulator, extended: boolean, token = "admin") =>
    extendedFindings(hostAt(platform, { extended, token }).client.settings, quiet(), { onStack: " --stack dev" });

  test("all of them, whether or not they are used", async () => {
    const on = await findings(extended, true);
    expect(on[0]).toMatchObject({ area: "Extended API", what: "on", verdict: "ok" });
    expect(on.slice(1).filter(({ says }) => !/^(can|not tried)/.test(says))).toEqual([]);
    expect(on.map(({ says }) => says)).toEqual(expect.arrayContaining(["can list the groups", "can list the roles"]));
    const [off] = await findings(extended, false);
    expect(off!.says).toContain("pulumi config set dataplatform:extendedApi true --stack dev");
  });

  test("none of them", async () => {
    const off = await findings(emulator, false);
    expect(off.map(({ says }) => says)).toEqual(["this installation has none of its operations"]);
    const on = await findings(emulator, true);
    expect(on[0]).toMatchObject({ what: "on", verdict: "warning", fix: expect.stringContaining("--extended") });
    expect(on.filter(({ says }) => says.startsWith("can "))).toEqual([]);
    expect(on.map(({ says }) => says)).toContain("cannot list the groups: the operation is lacking");
  });

  test("a token that may not use them", async () => {
    const powerless = await findings(extended, true, "powerless");
    const needs = expect.stringMatching(/^may not list the groups: needs system-user/);
    expect(powerless.map(({ says }) => says)).toContainEqual(needs);
    expect(powerless[0], "its operations are there").toMatchObject({ what: "on", verdict: "ok" });
    expect(powerless[0]!.says).toMatch(/^this installation has 0 of \d+ operations that read, and \d+ were not tried$/);
    expect(powerless.map(({ says }) => says)).toContain("not tried: the token is shown no tables");
    expect(powerless.some(({ verdict }) => verdict === "problem")).toBe(false);
  });
});

describe("what an interrupted run created", () => {
  const examine = (type: string, inputs: Record<string, unknown>) =>
    examineStack(extended, { pending: [creating(resource(type, "r", "", inputs))] }, { extendedApi: true });

  test("a data store is found in the list, or is certainly not there", async () => {
    const inputs = { name: "crm", dbName: "crm", dbHost: "db1.example.com" };
    expect((await examine("DataStore", inputs))[0]!.says).toContain("does not list it");
    const body = { name: "crm", db_name: "crm", db_host: "db1.example.com", skip_validation: true };
    await request(extended, "POST", "/api/v1.2/db_taps/", body);
    const id = accountOf(extended).dataStores.at(-1)!.id;
    expect((await examine("DataStore", inputs))[0]!.fix).toContain(imports(`dataplatform:index:DataStore r ${id}`));
  });

  test.each(["Group", "Role"])("a %s is found by its name", async (type) => {
    const [first] = extended.state().accounts[0]![type === "Group" ? "groups" : "roles"];
    expect((await examine(type, { name: first!.name }))[0]!.fix).toContain(`dataplatform:index:${type} r ${first!.id}`);
    expect((await examine(type, { name: "nobody" }))[0]!.says).toContain("does not list it");
  });
});
