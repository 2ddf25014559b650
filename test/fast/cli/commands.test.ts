import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as doctor from "../../../cli/doctor";
import * as drift from "../../../cli/drift";
import * as emulator from "../../../cli/emulator";
import * as exportCommand from "../../../cli/export";
import { asTyped } from "../../../cli/terminal/as-typed";
import { StatusLine } from "../../../cli/terminal/status-line";
import { root } from "../../harness/engine";

const commands = { doctor, drift, emulator, export: exportCommand };

describe.each(Object.entries(commands))("%s --help", (name, { help }) => {
  test("shows usage, exit codes and an example", () => {
    expect(help).toMatch(new RegExp(`^Usage: dataplatform ${name} \\[options\\]`));
    expect(help).toMatch(/\nExit code: 0 /);
    expect(help).toMatch(new RegExp(`\\nExamples?:\\n  dataplatform ${name} --`));
    for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(110);
  });

  test("every option is documented on its page, and the overview page links to it", () => {
    const page = readFileSync(join(root, `docs/${name}.md`), "utf8");
    for (const [option] of help.matchAll(/--(?!help)[a-z]+/g)) expect(page, option).toContain(option);
    expect(readFileSync(join(root, "docs/cli.md"), "utf8")).toContain(`(${name}.md)`);
  });
});

test.each([
  ["dataplatform doctor --stack dev", "npx --no-install dataplatform doctor --stack dev"],
  ['Run "dataplatform drift --help" for usage.', 'Run "npx --no-install dataplatform drift --help" for usage.'],
  ["then run dataplatform doctor again", "then run npx --no-install dataplatform doctor again"],
  ["npx --no-install dataplatform doctor", "npx --no-install dataplatform doctor"],
  ["pulumi config set dataplatform:baseUrl", "pulumi config set dataplatform:baseUrl"],
])("after npx, %j names commands as they were typed", (text, typed) => {
  expect(asTyped(text, { npm_lifecycle_event: "npx" })).toBe(typed);
  expect(asTyped(text, {})).toBe(text);
});

describe("progress", () => {
  function terminal(isTTY: boolean) {
    const written: string[] = [];
    return { written, progress: new StatusLine({ isTTY, columns: 20, write: (text) => void written.push(text) }) };
  }

  test("is one transient line on a terminal, no wider than it", async () => {
    const { written, progress } = terminal(true);
    const results = await progress.each("reading a great many things", [1, 2, 3], 2, async (item) => item * 2);
    expect(results).toEqual([2, 4, 6]);
    expect(written.at(-1)).toBe("\r\x1b[2K");
    for (const line of written) expect(line.replace("\r\x1b[2K", "").length).toBeLessThan(20);
  });

  test("prints nothing without a terminal; an error clears the line too", async () => {
    const quiet = terminal(false);
    await quiet.progress.during("waiting", async () => "done");
    expect(quiet.written).toEqual([]);
    const loud = terminal(true);
    const failing = loud.progress.each("trying", [1, 2], 1, async () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(loud.written.at(-1)).toBe("\r\x1b[2K");
  });
});
