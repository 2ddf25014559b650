import { beforeAll, expect } from "vitest";
import type { CoverageReport } from "../../../cli/drift/coverage/report";
import type { DriftReport } from "../../../cli/drift/report";
import { dataplatform, onStack } from "../../harness/command";
import { accountOf, sharedEmulator, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import type { Program } from "../../harness/stack";
import { expectOk, sharedStack, story } from "../../harness/stacks";

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

const emulator = sharedEmulator();
const stack = sharedStack(emulator, { config: { retries: "1", "other:key": "value" } });
let before: string;

beforeAll(async () => {
  await expectOk(stack.up(program));
  before = (await stack.exportState()).text;
});

const statusesOf = (text: string) =>
  Object.fromEntries((JSON.parse(text) as DriftReport).resources.map(({ name, status }) => [name, status]));

const setPolicy = (changed: string) =>
  request(emulator, "PUT", "/api/v1.2/object_policy/policy", {
    source_id: "501",
    source_type: "note",
    policy: changed,
  });

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
  const { whitelist } = accountOf(emulator);
  const office = whitelist.find(({ ip_cidr }) => ip_cidr === "203.0.113.7")!;
  await request(emulator, "DELETE", `/api/v1.2/whitelist_ip/${office.id}`);
  await setPolicy('[{"access":"deny","action":["all"]}]');
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

chapter("the suggested repair removes the drift", async () => {
  await expectOk(stack.pulumi("up", "--refresh", "--yes", "--skip-preview", "--stack", "test"));
  const ran = await onStack(stack, "drift", "--format", "json");
  expect(ran.code).toBe(0);
  expect(statusesOf(ran.stdout)["note"]).toBe("as-declared");
  expect(JSON.parse(ran.stdout)).not.toHaveProperty("refreshedAt");
});

chapter(
  "a refresh overwrites what was declared: drift says so until the next up, and never just no drift",
  async () => {
    await setPolicy('[{"access":"deny","action":["all"]}]');
    const refreshed = await stack.refresh();
    expect(refreshed.found, refreshed.text).toMatchObject({ note: "update" });
    const ran = await expectOk(onStack(stack, "drift"));
    expect(ran.stdout).toMatch(
      /No drift since the refresh of \d{4}-\d\d-\d\dT\d\d:\d\dZ; \d cannot be verified; "pulumi preview" shows/,
    );
    expect(ran.stdout).toContain("it cannot see what that refresh overwrote");
    const up = await stack.up();
    expect(up.changed, "what the program declared").toEqual({ note: "update" });
    expect((await onStack(stack, "drift")).stdout).toContain("No drift: every readable resource is as declared");
  },
);

chapter("--coverage: what is in no stack of either account; the printed import adopts it", async () => {
  const coverage = async () => {
    emulator.clearRequests();
    const ran = await onStack(stack, "drift", "--coverage", "--format", "json");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: "" });
    expect(writesTo(emulator)).toEqual([]);
    expect(ran.stdout).not.toMatch(/research-admin|analytics-admin/);
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
  await expectOk(stack.pulumi(...command.split(" ").slice(1), "--yes", "--protect=false"));
  expect((await coverage()).unmanaged.map(({ what }) => what)).not.toContain("203.0.113.99");
});

chapter("outside a project: one sentence, and what to do", async () => {
  const ran = await dataplatform(["drift", "--cwd", "/"], { env: stack.env });
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toBe(
    "dataplatform: there is no Pulumi project in / or above it; run this in the project's folder, or name it with --cwd\n",
  );
});
