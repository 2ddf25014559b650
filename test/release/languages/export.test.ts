import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { ensureLanguages } from "../../../tools/engine/languages.mjs";
import { onStack } from "../../harness/command";
import { ownEmulator } from "../../harness/emulators";
import { run } from "../../harness/engine";
import { request } from "../../harness/http";
import type { TestStack } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";

/* What "export --missing" prints for a stack of two accounts that is not in TypeScript, done as it says. */

const inPython = `
import pulumi
import pulumi_dataplatform as dataplatform

research = dataplatform.Provider("research", base_url="URL", api_token="TOKEN")
# The export must not use these names again.
dataplatform.WhitelistedIp("account", ip_cidr="203.0.113.7")
dataplatform.WhitelistedIp("user-admin", ip_cidr="203.0.113.8", opts=pulumi.ResourceOptions(provider=research))
`;

const inYaml = `
resources:
  research:
    type: pulumi:providers:dataplatform
    properties: { baseUrl: "URL", apiToken: "TOKEN" }
  account:
    type: dataplatform:WhitelistedIp
    properties: { ipCidr: 203.0.113.7 }
  user-admin:
    type: dataplatform:WhitelistedIp
    properties: { ipCidr: 203.0.113.8 }
    options: { provider: "\${research}" }
`;

async function platform(): Promise<Emulator> {
  const emulator = await ownEmulator({ extended: true, readings: { dataStoreViewGateway: "shown" } });
  const store = { db_type: "mysql", db_host: "sales.example.com", db_name: "sales", db_user: "reader" };
  const gateway = { gateway_ip: "10.0.0.9", gateway_username: "jump", gateway_private_key: "key" };
  await request(emulator, "POST", "/api/v1.2/db_taps/", { ...store, db_passwd: "password", port: 5433 });
  await request(emulator, "POST", "/api/v1.2/db_taps/", { ...store, db_location: "on-premise", ...gateway });
  await request(emulator, "POST", "/api/v2/accounts/whitelist_ip", {
    ip_cidr: "198.51.100.7",
    description: 'a "b" \\ é 🙂',
  });
  return emulator;
}

async function stackOf(emulator: Emulator, runtime: string, env: NodeJS.ProcessEnv, program: string, file: string) {
  const config = { "dataplatform:extendedApi": "true" };
  const stack = await ownStack(emulator, { program: "test/release/languages/yaml", env, config });
  const project = join(stack.folder, "Pulumi.yaml");
  const [head] = readFileSync(project, "utf8").split("\nconfig:");
  writeFileSync(project, `${head!.replace("runtime: yaml", `runtime: ${runtime}`)}\n`);
  const text = program.replace("URL", emulator.url).replace("TOKEN", emulator.tokens["otherAdmin"]!);
  appendFileSync(join(stack.folder, file), text);
  await expectOk(stack.up());
  emulator.clearRequests();
  return stack;
}

/** The commands that were printed, one after the other, as a user runs them. */
async function runPrinted(stack: TestStack, printed: string): Promise<void> {
  const commands = printed.match(/^ {2}pulumi .*$/gm)!.map((line) => line.replace("< FILE", "< key.txt"));
  writeFileSync(join(stack.folder, "key.txt"), "the actual key");
  const script = `set -e\nexport PULUMI_NON_INTERACTIVE=true\n${commands.join("\n")}`;
  await expectOk(run("bash", ["-c", script], { cwd: stack.folder, env: stack.env, timeoutMs: 300_000 }));
}

describe("export for a stack of two accounts", async () => {
  const { python, whyNoPython } = await ensureLanguages();
  if (!python) test("in Python is not tried here, for a reason", () => expect(whyNoPython).toMatch(/python3|packages/));
  else
    test("in Python: a module for each, and the commands lead to a preview without changes", async () => {
      const emulator = await platform();
      const stack = await stackOf(emulator, "python", python.env, inPython, "__main__.py");
      const args = ["export", "--missing", "--stack", "test", "--object", "analytics:note/501", "./adopted"];
      const exported = await expectOk(onStack(stack, ...args));
      const lines = exported.stdout.match(/^ {2}(?!pulumi ).*$/gm)!.map((line) => line.trim());
      expect(lines).toContain(
        'if pulumi.get_stack() == "test": adopted_research(pulumi.ResourceOptions(provider=research))',
      );
      appendFileSync(join(stack.folder, "__main__.py"), `${lines.join("\n")}\n`);
      await runPrinted(stack, exported.stdout);
      expect((await expectOk(onStack(stack, ...args))).stdout).toMatch(/^Nothing is missing/);
      expect(emulator.requests(1000).requests.filter(({ method }) => method !== "GET")).toEqual([]);
    });

  test("in YAML: Pulumi writes the declarations, with which a preview has no changes", async () => {
    const emulator = await platform();
    const stack = await stackOf(emulator, "yaml", {}, inYaml, "Pulumi.yaml");
    const args = ["export", "--missing", "--stack", "test", "--skip", "data-stores", "./adopted"];
    const exported = await expectOk(onStack(stack, ...args));
    await runPrinted(stack, exported.stdout);
    for (const name of ["imported.yaml", "imported-2.yaml"]) {
      const written = readFileSync(join(stack.folder, name), "utf8");
      appendFileSync(join(stack.folder, "Pulumi.yaml"), written.replace("resources:\n", ""));
    }
    expect((await expectOk(stack.preview())).changed).toEqual({});
    expect(emulator.requests(1000).requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
