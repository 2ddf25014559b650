import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root, run } from "../harness/engine";

/** Nothing that a command could work with: no engine, no settings, no home. */
const bare = { PATH: "", HOME: join(root, "no-such-home") };

const command = join(root, "dist/cli/main.js");
const tools = readdirSync(join(root, "tools")).filter((name) => name.endsWith(".mjs"));

const cases: [name: string, args: string[]][] = [
  ["dataplatform", [command]],
  ...["access", "doctor", "drift", "rehearse", "export", "conform", "pipeline", "emulator"].map(
    (name): [string, string[]] => [`dataplatform ${name}`, [command, name]],
  ),
  ...tools.map((name): [string, string[]] => [`tools/${name}`, [join(root, "tools", name)]]),
];

describe.each(cases)("%s", (_, args) => {
  test("--help answers with the usage and does nothing", async () => {
    const { code, stdout, stderr } = await run(process.execPath, [...args, "--help"], { cwd: root, env: bare });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: \S[\s\S]*--help/);
  });

  test("an unknown option is an error that hints at the usage, without a stack", async () => {
    const { code, stderr } = await run(process.execPath, [...args, "--no-such-option"], { cwd: root, env: bare });
    expect(code).toBe(1);
    expect(stderr).toContain("no-such-option");
    expect(stderr).toMatch(/Usage:|--help/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test.each([[command], [command, "drift"], [join(root, "tools/demo.mjs")]])(
  "%s %s: -h is short for it",
  async (...args) => {
    const short = await run(process.execPath, [...args, "-h"], { cwd: root, env: bare });
    expect(short).toEqual(await run(process.execPath, [...args, "--help"], { cwd: root, env: bare }));
    expect(short.code).toBe(0);
  },
);
