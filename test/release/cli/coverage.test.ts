import { beforeAll, expect, test } from "vitest";
import type { CoverageReport } from "../../../cli/drift/coverage/report";
import { onStack } from "../../harness/command";
import { sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { expectOk, sharedStack } from "../../harness/stacks";

const emulator = sharedEmulator();
const stack = sharedStack(emulator);
beforeAll(async () => {
  await expectOk(
    stack.up({
      office: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.8" } },
      research: { type: "Provider", args: { apiToken: { $secret: "research-admin" } } },
      lab: { type: "WhitelistedIp", args: { ipCidr: "198.51.100.1" }, opts: { provider: "research" } },
    }),
  );
});

test("--coverage: what is in no stack of either account; the printed import adopts it", async () => {
  const coverage = async () => {
    emulator.clearRequests();
    const ran = await onStack(stack, "drift", "--coverage", "--stack", "test", "--format", "json");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: "" });
    expect(new Set(emulator.requests().requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(ran.stdout).not.toMatch(/research-admin|analytics-admin/);
    return JSON.parse(ran.stdout) as CoverageReport;
  };
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "203.0.113.99" });
  const report = await coverage();
  expect(report.accounts.map(({ id }) => id)).toEqual(["1001", "1002"]);
  expect(report.stacks).toEqual([{ project: "project", stack: "test", resources: 2 }]);
  const addresses = report.unmanaged.filter(({ kind }) => kind === "address").map(({ what }) => what);
  expect(addresses).toContain("203.0.113.99");
  expect(addresses).not.toContain("203.0.113.8");
  const { command } = report.unmanaged.find(({ what }) => what === "203.0.113.99")!.import!;
  await expectOk(stack.pulumi(...command.split(" ").slice(1), "--yes", "--protect=false"));
  expect((await coverage()).unmanaged.map(({ what }) => what)).not.toContain("203.0.113.99");
});
