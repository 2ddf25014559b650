import { describe, expect, test } from "vitest";
import { freshEmulator } from "../harness/emulators";
import { engineMessages } from "../harness/engine-messages";
import { request } from "../harness/http";
import type { TestStack } from "../harness/stack";
import { ownStack } from "../harness/stacks";

/* What docs/troubleshooting.md says about an import that goes wrong; that it works is in the lives of the resources. */

const address = "203.0.113.7";
const args = ["dataplatform:index:WhitelistedIp", "office", address, "--yes", "--skip-preview", "--stack", "test"];
const withoutCode = [...args, "--generate-code=false"];
const program = { office: { type: "WhitelistedIp", args: { ipCidr: address } } };
const [notFound, notDownloaded, notThere, noCode] = engineMessages as [string, string, string, string];

const emulator = freshEmulator();
let stack: TestStack;

async function importing(...flags: readonly string[]) {
  const ran = await stack.pulumi("import", ...flags);
  return { ...ran, text: ran.stdout + ran.stderr };
}

test("without --generate-code=false the import is done, and the code is printed where the language host can", async () => {
  stack = await ownStack(emulator, { mode: "plugin" });
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: address });
  const { code, text } = await importing(...args);
  expect((await stack.exportState()).resources).toHaveLength(1);
  expect(text).toContain(code === 0 ? "new dataplatform.WhitelistedIp" : noCode);
});

describe("messages", () => {
  test("an engine that does not find the plugin and may not download one", async () => {
    stack = await ownStack(emulator);
    stack.forgetPlugin();
    expect((await importing(...withoutCode)).text).toContain(notFound);
    stack.configure({ mode: "plugin" });
    expect((await stack.preview(program)).text).toContain(notFound);
  });

  test("an engine that does not find the plugin and tries to download it", async () => {
    stack = await ownStack(emulator, { env: { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" } });
    stack.forgetPlugin();
    expect((await importing(...withoutCode)).text).toContain(notDownloaded);
  });

  test("an id that the platform does not have", async () => {
    stack = await ownStack(emulator, { mode: "plugin" });
    const { code, text } = await importing(...withoutCode);
    expect(code).not.toBe(0);
    expect(text).toContain(notThere);
  });
});
