import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { RehearsalReport } from "../../../cli/rehearse/report";
import { type Emulator, startEmulator } from "../../../emulator";
import { dataplatform } from "../../harness/command";
import { sharedEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { testFolder } from "../../harness/folders";
import { shared } from "../../harness/shared";
import { type Program, TestStack } from "../../harness/stack";
import { expectOk, mode, sharedStack, story } from "../../harness/stacks";
import { sample } from "../../sweep/chaos/sample";
import { observe, token, world } from "../../sweep/chaos/world";

const command = join(root, "dist/cli/main.js");
const production = shared(() => startEmulator({ seed: world(4) }));
/** Where the rehearsals' temporary folders go, to see what is left of them. */
const temporary = testFolder();
const profile = join(temporary, "platform.json");
const nowhere = { path: "/api/v1.2/of_this_installation" };
writeFileSync(profile, JSON.stringify({ requests: { "POST /api/v1.2/whitelist_ip": nowhere } }));

/** Creates, changes, replaces and removes, and leaves something behind. */
function changed(): Program {
  const { DataStore: _, Command: __, EnabledUser: ___, ...rest } = sample;
  const added = { type: "WhitelistedIp", args: { ipCidr: "203.0.113.99" } };
  const whitelist = { type: "IpWhitelist", args: { addresses: ["198.51.100.1", "198.51.100.9"] } };
  const store = { name: "second", dbHost: "db.example.com", dbName: "base", dbPasswd: { $secret: "new-password-1" } };
  return { ...rest, added, IpWhitelist: whitelist, second: { type: "DataStore", args: store } };
}

/** As in a pipeline: the token may go to production, and production wants a request in its own form. */
const environmentOf = (stack: TestStack): NodeJS.ProcessEnv => ({
  ...stack.env,
  TMPDIR: temporary,
  DATAPLATFORM_TOKEN_HOSTS: new URL(production.url).host,
  DATAPLATFORM_PROFILE: profile,
});
const cli = (stack: TestStack, ...args: string[]) =>
  dataplatform(["rehearse", "--stack", "test", ...args], { cwd: stack.folder, env: environmentOf(stack) });

const methodsTo = (emulator: Emulator) => [...new Set(emulator.requests(5000).requests.map(({ method }) => method))];

/** The rehearsals' own; the engine leaves files of its own where it runs otherwise. */
const leftovers = () => readdirSync(temporary).filter((name) => name.startsWith("dataplatform-rehearsal-"));

describe(`in ${mode} mode`, () => {
  const stack = shared(() => {
    // In plugin mode through the configuration, which the state then repeats.
    const settings = { baseUrl: production.url, apiToken: token };
    return TestStack.create(mode === "plugin" ? { mode, config: settings } : { mode, baseUrl: production.url, token });
  });
  let report: RehearsalReport;
  let text: string;
  const chapter = story();

  beforeAll(async () => {
    production.reset();
    expect((await stack.up(sample)).code).toBe(0);
    stack.write(changed());
  });

  chapter("production receives reads only, and neither it nor the stack is changed", async () => {
    const files = () => [
      readFileSync(stack.stateFile(), "utf8"),
      readFileSync(join(stack.folder, "Pulumi.test.yaml"), "utf8"),
    ];
    const before = { state: production.state({ secrets: true }), files: files() };
    production.clearRequests();
    const faults = mode === "plugin" ? ["--faults"] : ["--latency", "5ms"];
    const { code, stdout, stderr } = await cli(stack, "--format", "json", ...faults);
    text = stdout;
    report = JSON.parse(stdout) as RehearsalReport;
    // A data store whose answer a fault has swallowed cannot be found again, so the next update makes another one.
    const differences = report.faults?.differences ?? [];
    expect(differences.filter((one) => !/^\d+ more: dataStores of /.test(one))).toEqual([]);
    expect({ code, stderr }, stdout).toEqual({ code: differences.length > 0 ? 2 : 0, stderr: "" });
    expect(methodsTo(production)).toEqual(["GET"]);
    expect({ state: production.state({ secrets: true }), files: files() }).toEqual(before);
    expect(leftovers()).toEqual([]);
  });

  chapter("reports calls with their bodies, what is left behind, what was assumed, and no secret", async () => {
    expect(report).toMatchObject({ outcome: "succeeded", errors: [], changes: { delete: 3, create: 2, update: 1 } });
    const add = report.calls.find(
      ({ operation, body }) => operation === "whitelist.add" && JSON.stringify(body).includes("203.0.113.99"),
    );
    expect(add).toMatchObject({ method: "POST", body: { ip_cidr: "203.0.113.99" }, status: 200 });
    const create = report.calls.find(({ operation }) => operation === "dbTaps.create");
    expect(create).toMatchObject({ body: { name: "second", db_passwd: "***" } });
    expect(report.leftBehind.join("\n")).toMatch(/data store .* stays/);
    expect(report.notShown).toContainEqual({
      what: expect.stringContaining("the roles of group"),
      assumed: expect.any(String),
    });
    expect(report.notShown).toContainEqual({
      what: "whether the platform reaches the database at db.example.com",
      assumed: "yes",
    });
    expect(report.resources.find(({ name }) => name === "second")).toMatchObject({ op: "create" });
    expect(report.resources.find(({ name }) => name === "second")).not.toHaveProperty("id");
    expect(text).not.toMatch(/new-password-1|chaos-admin|key-of-sample/);
    if (mode === "plugin") expect(report.faults).toMatchObject({ recovered: true });
    else expect(report.latencyMs).toBe(5);
  });

  if (mode === "dynamic")
    chapter("the real run ends as the rehearsal did", async () => {
      production.clearRequests();
      const before = observe(production);
      const { code, steps } = await stack.up();
      expect(code).toBe(0);
      expect(report.changes).toEqual(steps);
      const writes = (calls: readonly { method: string; path: string; body: unknown }[]) =>
        calls
          .filter(({ method }) => method !== "GET")
          .map(({ method, path, body }) =>
            JSON.stringify([method, path.replace(/\/whitelist_ip\/[\d,]+/, "/whitelist_ip/ids"), body]),
          )
          .sort();
      expect(writes(report.calls)).toEqual(writes(production.requests(5000).requests));
      expect(observe(production)).not.toEqual(before);
      const { resources } = await stack.exportState();
      expect(report.resources.map(({ urn }) => urn).sort()).toEqual(resources.map(({ urn }) => urn).sort());
      for (const { urn, id } of report.resources)
        if (id !== undefined) expect(id).toBe(resources.find((one) => one.urn === urn)?.id);
    });
  else
    chapter("an empty program deletes in the copy, although the state's provider names production", async () => {
      expect(readFileSync(stack.stateFile(), "utf8"), "the provider in the state").toContain(production.url);
      stack.write({});
      production.clearRequests();
      const { code, stdout } = await cli(stack, "--format", "json");
      const { changes, calls } = JSON.parse(stdout) as RehearsalReport;
      expect({ code, changes }).toEqual({ code: 0, changes: { delete: Object.keys(sample).length } });
      expect(calls.map(({ operation }) => operation)).toEqual(
        expect.arrayContaining(["whitelist.delete", "objectPolicy.set"]),
      );
      expect(methodsTo(production)).toEqual(["GET"]);
    });
});

// Once is enough for these, with the release's tier.
if (mode === "plugin") {
  describe("several accounts", () => {
    const platform = sharedEmulator({ waitSeconds: 0, runSeconds: 0 });
    const stack = sharedStack(platform);
    const chapter = story();
    const accountsOf = () => platform.state().accounts.map(({ id, whitelist }) => [id, whitelist.length]);

    /** An account that the component creates, and one that exists, of which the configuration has a token. */
    const declare = (...addresses: readonly string[]) =>
      writeFileSync(
        join(stack.folder, "index.js"),
        `const dp = require("pulumi-dataplatform");
const addresses = ${JSON.stringify(addresses)};
new dp.TeamEnvironment("blue", { account: { name: "blue" }, whitelist: { addresses, wayBackIn: ["198.51.100.1"] } });
const apiToken = new (require("@pulumi/pulumi").Config)().getSecret("research");
const research = new dp.Provider("research", { apiToken });
if (apiToken) for (const ipCidr of addresses) new dp.WhitelistedIp(ipCidr, { ipCidr }, { provider: research });
`,
      );

    async function rehearsed(): Promise<RehearsalReport> {
      const before = platform.state({ secrets: true });
      platform.clearRequests();
      const env = { ...stack.env, TMPDIR: temporary };
      const args = ["rehearse", "--stack", "test", "--format", "json"];
      const { code, stdout, stderr } = await dataplatform(args, { cwd: stack.folder, env });
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
      expect(methodsTo(platform)).toEqual(["GET"]);
      expect(platform.state({ secrets: true })).toEqual(before);
      expect(stdout).not.toContain(platform.tokens["otherAdmin"]);
      return JSON.parse(stdout) as RehearsalReport;
    }

    chapter("an account that the update creates, and what is in it", async () => {
      declare("203.0.113.7");
      const { calls, changes } = await rehearsed();
      expect(calls.map(({ operation }) => operation)).toEqual(
        expect.arrayContaining(["account.createV2", "whitelist.add"]),
      );
      // The project demands that it is a secret, in the rehearsal too.
      const project = join(stack.folder, "Pulumi.yaml");
      appendFileSync(project, "config:\n  research:\n    type: string\n    secret: true\n");
      await expectOk(stack.pulumi("config", "set", "--secret", "research", platform.tokens["otherAdmin"]!));
      const { code, text, steps } = await stack.up();
      expect(code, text).toBe(0);
      expect({ ...steps, create: steps["create"]! - 1 }).toEqual(changes);
    });

    chapter("the accounts of providers in the state, each with what it holds", async () => {
      declare("203.0.113.8");
      const before = accountsOf();
      const { changes, resources } = await rehearsed();
      const { code, text, steps } = await stack.up();
      expect(code, text).toBe(0);
      expect(changes).toEqual(steps);
      expect(resources.some(({ name }) => name === "203.0.113.8")).toBe(true);
      expect(accountsOf()).toEqual(before);
    });
  });

  describe("what it refuses", () => {
    const stack = sharedStack(production, { token });
    beforeAll(() => production.reset());

    test("resources of other providers, unless they are allowed; and a failing program is exit code 2", async () => {
      const ip = { type: "WhitelistedIp", args: { ipCidr: { $later: "203.0.113.1" } } };
      stack.write({ ip });
      const refused = await cli(stack);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--allow-provider pulumi-nodejs") });
      const note = { sourceType: "note", sourceId: "999", policy: [], onDestroy: "keep" };
      stack.write({ ip, bad: { type: "ObjectPolicy", args: note } });
      const failed = await cli(stack, "--allow-provider", "pulumi-nodejs", "--format", "markdown");
      expect(failed).toMatchObject({
        code: 2,
        stdout: expect.stringMatching(/failed[\s\S]*<summary>Errors<\/summary>[\s\S]*note 999/),
      });
      expect(observe(production).get("whitelist 203.0.113.1")).toBeUndefined();
    });

    test("Ctrl+C ends it, and nothing temporary is left", async () => {
      stack.write({ ip: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.3" } } });
      const child = spawn(process.execPath, [command, "rehearse", "--stack", "test"], {
        cwd: stack.folder,
        env: environmentOf(stack),
        stdio: ["ignore", "ignore", "pipe"],
      });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (piece: string) => {
        stderr += piece;
      });
      await expect.poll(() => leftovers().length, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0);
      child.kill("SIGINT");
      const [code] = await once(child, "close");
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("interrupted") });
      expect(leftovers()).toEqual([]);
    });
  });
}
