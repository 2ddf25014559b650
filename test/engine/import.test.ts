import { expect, test } from "vitest";
import { ownEmulator, writesTo } from "../harness/emulators";
import { request } from "../harness/http";
import { expectOk, ownStack } from "../harness/stacks";

/* What docs/modes.md says about import in dynamic mode; in plugin mode, every resource is imported in its life. */

const address = "203.0.113.7";
const flags = ["--yes", "--skip-preview", "--stack", "test", "--generate-code=false"];

test("in dynamic mode the next up moves the resource into dynamic mode, and sends nothing", async () => {
  const emulator = await ownEmulator();
  const stack = await ownStack(emulator);
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: address });
  emulator.clearRequests();
  await expectOk(stack.pulumi("import", "dataplatform:index:WhitelistedIp", "office", address, ...flags));
  expect((await stack.exportState()).resources).toMatchObject([{ protect: true }]);
  expect((await expectOk(stack.up({ office: { type: "WhitelistedIp", args: { ipCidr: address } } }))).changed).toEqual({
    office: "update",
  });
  expect((await expectOk(stack.preview())).changed).toEqual({});
  expect((await stack.exportState()).resources).toMatchObject([
    { type: "pulumi-nodejs:dynamic/dataplatform:WhitelistedIp" },
  ]);
  expect(writesTo(emulator)).toEqual([]);
});
