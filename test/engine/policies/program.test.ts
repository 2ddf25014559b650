import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzer } from "../../../policies/stubs";
import { fromPulumi } from "../../../provider/engine/stubs";
import { root, run } from "../../harness/engine";
import { testFolder } from "../../harness/folders";
import { grpc } from "../../harness/grpc";
import { linkPackages } from "../../harness/stack";

/* The pack as a process. The engine's part is played by an address where nobody answers. */

const main = join(root, "dist/policies/main.js");
const address = "127.0.0.1:9";
const folder = testFolder();

const { AnalyzerClient } = fromPulumi(
  "./proto/analyzer_grpc_pb.js",
) as typeof import("@pulumi/pulumi/proto/analyzer_grpc_pb");

/** The first line that a pack prints, as the engine reads it, and how it ends when the engine ends it. */
function started(program: string): Promise<{ readonly line: string; readonly code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, address], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    let line = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      line += text;
      if (line.endsWith("\n")) child.kill("SIGINT");
    });
    child.on("error", reject).on("close", (code) => resolve({ line, code }));
  });
}

describe("dataplatform-policies", () => {
  test("prints a port, and ends when the engine ends it", async () => {
    const { line, code } = await started(main);
    expect(line).toMatch(/^\d+\n$/);
    expect(code).toBe(0);
  });

  test("ends when the engine is gone, which told where it was", async () => {
    const child = spawn(process.execPath, [main, address], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.on("close", resolve));
    const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const client = new AnalyzerClient(`127.0.0.1:${line.trim()}`, grpc.credentials.createInsecure());
    const request = new analyzer.AnalyzerHandshakeRequest();
    request.setEngineAddress(address);
    await new Promise((resolve) => client.handshake(request, resolve));
    client.close();
    child.stdin.end();
    expect(await ended).toBe(0);
  });

  test("says how to use it, to people who start it themselves", async () => {
    for (const flag of ["--help", "-h"]) {
      const help = await run(process.execPath, [main, flag], { cwd: folder, env: process.env });
      expect(help).toMatchObject({
        code: 0,
        stderr: "",
        stdout: expect.stringMatching(/^Usage: pulumi preview --policy-pack/),
      });
    }
    const alone = await run(process.execPath, [main], { cwd: folder, env: process.env });
    expect(alone).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Usage: ") });
  });

  test("without @pulumi/pulumi, says which package to install", async () => {
    const alone = join(folder, "node_modules/pulumi-dataplatform");
    mkdirSync(alone, { recursive: true });
    cpSync(join(root, "dist/policies"), join(alone, "dist/policies"), { recursive: true });
    cpSync(join(root, "dist/provider"), join(alone, "dist/provider"), { recursive: true });
    const { code, stderr } = await run(process.execPath, [join(alone, "dist/policies/main.js"), address], {
      cwd: folder,
      env: process.env,
    });
    expect(code).toBe(1);
    expect(stderr).toContain("Install it in your project: npm install @pulumi/pulumi");
    expect(stderr).not.toMatch(/^\s+at /m);
    rmSync(alone, { recursive: true });
  });
});

describe("a pack of one's own", () => {
  const page = readFileSync(join(root, "docs/policies.md"), "utf8");
  const [own = "", withSdk = ""] = [...page.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);

  beforeAll(() => {
    linkPackages(folder);
    symlinkSync(join(root, "node_modules/@pulumi/policy"), join(folder, "node_modules/@pulumi/policy"), "dir");
  });

  test("the program on the page runs", async () => {
    const { outputText } = ts.transpileModule(own, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
    writeFileSync(join(folder, "own.js"), outputText);
    expect(await started(join(folder, "own.js"))).toEqual({ line: expect.stringMatching(/^\d+\n$/), code: 0 });
    writeFileSync(join(folder, "twice.js"), outputText.replaceAll('"named-by-team"', '"whole-internet"'));
    const twice = await run(process.execPath, [join(folder, "twice.js"), address], { cwd: folder, env: process.env });
    expect(twice.stderr).toContain(
      "policy pack our-rules: there are two rules named whole-internet; rename one of them",
    );
  });

  test("both programs on the page compile against the package's declarations", () => {
    writeFileSync(join(folder, "own.ts"), own);
    writeFileSync(join(folder, "with-sdk.ts"), `const ourOwn: import("@pulumi/policy").Policies = [];\n${withSdk}`);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: "nodenext",
      target: "es2022",
      types: ["node"],
      skipLibCheck: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["own.ts", "with-sdk.ts"] }));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const compile = () => execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8", stdio: "pipe" });
    expect(compile).not.toThrow();
  });
});
