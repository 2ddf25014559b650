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

test("a missing or invalid setting fails at preview", async () => {
  const stack = await ownStack(await ownEmulator());
  const { env } = stack;
  const { DATAPLATFORM_BASE_URL: url, DATAPLATFORM_API_TOKEN: token } = env;
  stack.write({ office: { type: "WhitelistedIp", args: { ipCidr: address } } });
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
