import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataplatform, onStack } from "../../harness/command";
import { ExportPlace, importing } from "../../harness/export-place";
import { linkPackages, type TestStack } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";

const place = new ExportPlace({ extended: true }, { DATAPLATFORM_EXTENDED_API: "true", DATAPLATFORM_API_TOKEN: "" });

test("the accounts of several tokens: a stack for each, empty previews, and nothing missing afterwards", async () => {
  const { emulator, folder, project, env } = place;
  const tokens = join(folder, "tokens.txt");
  writeFileSync(tokens, `# two accounts\nmain  ${emulator.tokens["admin"]}\n\n${emulator.tokens["otherAdmin"]}\n`);
  emulator.clearRequests();
  const exported = await dataplatform(["export", "--tokens", tokens, "--object", "main:note/501", project], { env });
  expect([exported.code, exported.stderr]).toEqual([0, ""]);
  const accounts = readdirSync(join(project, "accounts")).sort();
  expect(accounts).toHaveLength(2);
  expect(accounts).toContain("main");
  expect(exported.stdout).toMatch(/resources of 2 accounts written to/);
  for (const token of Object.values(emulator.tokens)) expect(allTexts(project)).not.toContain(token);

  linkPackages(project);
  for (const account of accounts) {
    const token = emulator.tokens[account === "main" ? "admin" : "otherAdmin"]!;
    await place.init(account);
    await place.pulumi(["config", "set", "--secret", "dataplatform:apiToken", token, "--stack", account]);
    await place.pulumi([...importing(`accounts/${account}/import.json`), "--stack", account]);
    await place.pulumi(["preview", "--expect-no-changes", "--diff", "--stack", account]);
  }
  expect(place.writes()).toEqual([]);

  // All stacks of the project count.
  const more = join(project, "more");
  const again = await dataplatform(["export", "--missing", "--cwd", project, more], { env });
  expect([again.code, again.stderr]).toEqual([0, ""]);
  expect(again.stdout).toMatch(/^Nothing is missing: .* 2 accounts\.\n$/);
  expect(existsSync(more)).toBe(false);
});

test("the providers of a stack: only what no stack manages, next to the code that is there", async () => {
  const { emulator } = place;
  emulator.reset();
  const stack = await ownStack(emulator, { mode: "plugin" });
  const provider = (token: string) => ({
    type: "Provider",
    args: { baseUrl: emulator.url, apiToken: { $secret: emulator.tokens[token] } },
  });
  const program = {
    first: provider("admin"),
    second: provider("otherAdmin"),
    "ip-203-0-113-7": { type: "WhitelistedIp", args: { ipCidr: "203.0.113.7" }, opts: { provider: "first" } },
    // The export must not take this name for another address of the same stack.
    "ip-192-0-2-10": { type: "WhitelistedIp", args: { ipCidr: "203.0.113.8" }, opts: { provider: "second" } },
  };
  await expectOk(stack.up(program));
  const adopted = join(stack.folder, "adopted");
  const command = ["export", "--missing", "--stack", "test", "--skip", "account", adopted];
  const exported = await onStack(stack, ...command);
  expect([exported.code, exported.stderr]).toEqual([0, ""]);
  expect(readdirSync(adopted).sort()).toEqual(["first", "second"]);
  expect(exported.stdout).toContain(
    'import { resources as adoptedSecond } from "./adopted/second";\n  if (pulumi.getStack() === "test") adoptedSecond({ provider: second });',
  );
  expect(allTexts(adopted)).not.toContain('"203.0.113.7"');
  expect(allTexts(adopted)).toContain('WhitelistedIp("ip-192-0-2-10-2", { ipCidr: "192.0.2.10" }');

  callModules(
    stack,
    'for (const name of ["first", "second"]) require("./adopted/" + name).resources({ provider: made[name] });',
  );
  for (const name of ["first", "second"])
    await expectOk(stack.pulumi(...importing(`adopted/${name}/import.json`), "--stack", "test"));
  const preview = await expectOk(stack.preview());
  expect(preview.changed).toEqual({});
  const again = await onStack(stack, ...command);
  expect([again.code, again.stderr]).toEqual([0, ""]);
  expect(again.stdout).toMatch(/^Nothing is missing/);
});

/** The program is JavaScript; a TypeScript one would be compiled by Pulumi. */
function callModules(stack: TestStack, call: string): void {
  appendFileSync(
    join(stack.folder, "index.js"),
    `const ts = require("typescript");
require.extensions[".ts"] = (module, file) =>
  module._compile(ts.transpile(require("node:fs").readFileSync(file, "utf8"), { module: "commonjs" }), file);
${call}\n`,
  );
}

function allTexts(at: string): string {
  const files = readdirSync(at, { recursive: true, encoding: "utf8" }).filter((name) => !name.includes("node_modules"));
  return files
    .filter((name) => /\.(ts|json|yaml)$/.test(name))
    .map((name) => readFileSync(join(at, name), "utf8"))
    .join("\n");
}
