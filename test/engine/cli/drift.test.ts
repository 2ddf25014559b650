import { afterAll, beforeAll, expect, test } from "vitest";
import type { CoverageReport } from "../../../cli/drift/coverage/report";
import type { DriftReport } from "../../../cli/drift/report";
import { type Emulator, startEmulator } from "../../../emulator";
import { dataplatform, onStack } from "../../harness/command";
import { request } from "../../harness/http";
import { type Program, TestStack } from "../../harness/stack";
import { story } from "../../harness/story";

const policy = [{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }];
const database = { dbName: "sales", dbHost: "db.example.com", dbUser: "u", dbPasswd: { $secret: "hidden-password" } };

/** Both modes in one stack, and two accounts. */
const program: Program = {
  office: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.7" } },
  branch: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.8" } },
  note: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: "501", policy } },
  store: { type: "DataStore", args: database },
  research: { type: "Provider", args: { apiToken: { $secret: "research-admin" } } },
  lab: { type: "WhitelistedIp", args: { ipCidr: "198.51.100.1" }, opts: { provider: "research" } },
};

let emulator: Emulator;
let stack: TestStack;
let before: string;

beforeAll(async () => {
  emulator = await startEmulator();
  stack = await TestStack.create({
    baseUrl: emulator.url,
    token: emulator.tokens["admin"]!,
    config: { retries: "1", "other:key": "value" },
  });
  const up = await stack.up(program);
  expect(up.code, up.text).toBe(0);
  before = (await stack.exportState()).text;
});
afterAll(async () => {
  stack?.remove();
  await emulator?.close();
});

const statusesOf = (text: string) =>
  Object.fromEntries((JSON.parse(text) as DriftReport).resources.map(({ name, status }) => [name, status]));

const chapter = story();
chapter("without drift: exit code 0, and no progress without a terminal", async () => {
  emulator.clearRequests();
  const ran = await onStack(stack, "drift");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain(`project/test against ${emulator.url}: 1 not verifiable, 4 as declared`);
  expect(ran.stdout).toContain("No drift");
  expect(emulator.requests().counts, "one list for each account").toEqual({
    "account.view": 4,
    "whitelist.list": 2,
    "objectPolicy.view": 1,
  });
});

chapter("with drift: exit code 2, each resource by name, no secrets, and the state unchanged", async () => {
  const { whitelist } = emulator.state().accounts.find(({ id }) => id === 1001)!;
  const office = whitelist.find(({ ip_cidr }) => ip_cidr === "203.0.113.7")!;
  await request(emulator, "DELETE", `/api/v1.2/whitelist_ip/${office.id}`);
  const changed = '[{"access":"deny","action":["all"]}]';
  await request(emulator, "PUT", "/api/v1.2/object_policy/policy", {
    source_id: "501",
    source_type: "note",
    policy: changed,
  });
  const ran = await dataplatform(["drift", "--stack", "test", "--cwd", stack.folder, "--format", "json"], {
    env: stack.env,
  });
  expect(ran).toMatchObject({ code: 2, stderr: "" });
  expect(statusesOf(ran.stdout)).toEqual({
    office: "gone",
    branch: "as-declared",
    note: "drifted",
    store: "unverifiable",
    lab: "as-declared",
  });
  expect(ran.stdout).not.toMatch(/hidden-password|research-admin|analytics-admin/);
  expect((await stack.exportState()).text).toBe(before);
});

chapter("--only differences, with the address that is gone; the exit code covers the whole stack", async () => {
  const ran = await onStack(stack, "drift", "--only", "differences");
  expect(ran.code).toBe(2);
  expect(ran.stdout).toMatch(/✗ gone +WhitelistedIp +office +\d+ +203\.0\.113\.7\n/);
  expect(ran.stdout).toContain("3 resources not listed (only drifted, gone, not readable)\n");
  expect(ran.stdout).not.toMatch(/\b(branch|store|lab)\b/);
});

test("a token of another account: exit code 1, both accounts named, and nothing is gone", async () => {
  const env = { ...stack.env, DATAPLATFORM_API_TOKEN: emulator.tokens["otherAdmin"]! };
  const ran = await dataplatform(["drift", "--cwd", stack.folder], { env });
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(
    /Wrong account: the token .* account 1002 \(Research\), but 4 resources .* account 1001\n/,
  );
  expect(ran.stdout).not.toContain("gone");
  expect(ran.stdout).toMatch(/✓ as declared +WhitelistedIp +lab/);
});

test("an unreadable resource: exit code 1, with the missing permission", async () => {
  const env = { ...stack.env, DATAPLATFORM_API_TOKEN: emulator.tokens["powerless"]! };
  const ran = await dataplatform(["drift", "--cwd", stack.folder], { env });
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/! not readable +WhitelistedIp +office[^\n]*\n[^\n]*editing an account/);
  expect(ran.stdout).toMatch(/✓ as declared +WhitelistedIp +lab/);
});

test("a stack that does not exist: exit code 1, with pulumi's message", async () => {
  const ran = await onStack(stack, "drift", "--stack", "nowhere");
  expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/no stack named 'nowhere' found/) });
});

test("--coverage: what is in no stack of either account; the printed import adopts it", async () => {
  const coverage = async () => {
    emulator.clearRequests();
    const ran = await onStack(stack, "drift", "--coverage", "--stack", "test", "--format", "json");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: "" });
    expect(new Set(emulator.requests().requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(ran.stdout).not.toMatch(/hidden-password|research-admin|analytics-admin/);
    return JSON.parse(ran.stdout) as CoverageReport;
  };
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "203.0.113.99" });
  const report = await coverage();
  expect(report.accounts.map(({ id }) => id)).toEqual(["1001", "1002"]);
  expect(report.stacks).toEqual([{ project: "project", stack: "test", resources: 5 }]);
  const addresses = report.unmanaged.filter(({ kind }) => kind === "address").map(({ what }) => what);
  expect(addresses).toContain("203.0.113.99");
  expect(addresses).not.toContain("203.0.113.8");
  const { command } = report.unmanaged.find(({ what }) => what === "203.0.113.99")!.import!;
  const imported = await stack.pulumi(...command.split(" ").slice(1), "--yes", "--protect=false");
  expect(imported.code, imported.stdout + imported.stderr).toBe(0);
  expect((await coverage()).unmanaged.map(({ what }) => what)).not.toContain("203.0.113.99");
});

chapter("the suggested repair removes the drift", async () => {
  const up = await stack.pulumi("up", "--refresh", "--yes", "--skip-preview", "--stack", "test");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const ran = await onStack(stack, "drift", "--format", "json");
  expect(ran.code).toBe(0);
  expect(statusesOf(ran.stdout)["note"]).toBe("as-declared");
});
