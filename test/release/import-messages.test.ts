import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

async function stackIn(mode: "dynamic" | "plugin", env: NodeJS.ProcessEnv = {}): Promise<void> {
  stack = await ownStack(emulator, { mode, env });
}

async function listed(): Promise<void> {
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: address });
}

async function importing(...flags: readonly string[]) {
  const ran = await stack.pulumi("import", ...flags);
  return { ...ran, text: ran.stdout + ran.stderr };
}

function withoutPlugin(): void {
  const file = join(stack.folder, "Pulumi.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^plugins:[\s\S]*/m, ""));
}

test("without --generate-code=false the import is done, and the code is printed where the language host can", async () => {
  await stackIn("plugin");
  await listed();
  const { code, text } = await importing(...args);
  expect((await stack.exportState()).resources).toHaveLength(1);
  expect(text).toContain(code === 0 ? "new dataplatform.WhitelistedIp" : noCode);
});

describe("messages", () => {
  test("an engine that does not find the plugin and may not download one", async () => {
    await stackIn("dynamic");
    withoutPlugin();
    expect((await importing(...withoutCode)).text).toContain(notFound);
    stack.configure({ mode: "plugin" });
    expect((await stack.preview(program)).text).toContain(notFound);
  });

  test("an engine that does not find the plugin and tries to download it", async () => {
    await stackIn("dynamic", { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" });
    withoutPlugin();
    expect((await importing(...withoutCode)).text).toContain(notDownloaded);
  });

  test("an id that the platform does not have", async () => {
    await stackIn("plugin");
    const { code, text } = await importing(...withoutCode);
    expect(code).not.toBe(0);
    expect(text).toContain(notThere);
  });
});
