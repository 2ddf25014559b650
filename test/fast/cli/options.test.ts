import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as access from "../../../cli/access";
import * as conform from "../../../cli/conform";
import * as doctor from "../../../cli/doctor";
import * as drift from "../../../cli/drift";
import * as emulatorCommand from "../../../cli/emulator";
import * as exportCommand from "../../../cli/export";
import * as pipeline from "../../../cli/pipeline";
import { asTyped } from "../../../cli/terminal/as-typed";
import { StatusLine } from "../../../cli/terminal/status-line";
import { inside } from "../../harness/command";
import { freshEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { testFolder } from "../../harness/folders";
import { envOf } from "./stacks";

const commands = { access, conform, drift, export: exportCommand };
const emulator = freshEmulator();
const folder = testFolder();

test.each([
  ["doctor", doctor, "doctor.md"],
  ["drift", drift, "drift.md"],
  ["emulator", emulatorCommand, "emulator.md"],
  ["export", exportCommand, "export.md"],
  ["pipeline", pipeline, "gitops.md"],
])("%s --help shows usage, exit codes and an example; its page has every option", (name, { help }, file) => {
  expect(help).toMatch(RegExp(`^Usage: dataplatform ${name} `));
  expect(help).toMatch(/\nExit code: 0 /);
  expect(help).toMatch(RegExp(`\\nExamples?:\\n  dataplatform ${name} `));
  for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(110);
  const page = readFileSync(join(root, "docs", file), "utf8");
  for (const [, option] of help.matchAll(/^ {2}(--(?!help)[a-z-]+)/gm)) expect(page, option).toContain(option!);
  expect(readFileSync(join(root, "docs/cli.md"), "utf8")).toContain(`(${file})`);
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

test.each<[keyof typeof commands, string, RegExp]>([
  ["access", "--object 501", /--object is "501"; use TYPE\/ID, such as note\/501/],
  ["access", "--object table/5", /where TYPE is one of note, cluster, scheduler, environment/],
  ["access", "--folder Common/x", /--folder is "Common\/x"; use TYPE\/LOCATION, such as notes\/Common\/reports/],
  ["access", "--group 204", /--group is "204"; use ID=NAME, such as 204=analysts/],
  ["access", "--preview --plan-file x", /use one of them/],
  ["access", "--fail-on-gain", /add --preview or --plan-file/],
  ["access", "--format pdf", /--format is "pdf"; use one of table, json, markdown, html/],
  ["access", "--object note/501 --user nobody", /--user nobody: the platform lists no such user/],
  ["conform", "--object notebook/1", /use TYPE\/ID/],
  ["conform", "--folder notes/1", /use TYPE\/ID\/LOCATION/],
  ["conform", "--table orders", /use SCHEMA\.TABLE/],
  ["conform", "--format html", /use one of table, json, markdown/],
  ["conform", "--wait soon", /use whole seconds/],
  ["conform", "--write --account 1 --skip all", /use one of account, whitelist/],
  ["conform", "--write --account 1 --group-role 205", /use GROUP\/ROLE/],
  ["conform", "--write", /--account ID/],
  ["conform", "--user x", /add --write/],
  ["drift", "--format pdf", /--format is "pdf"; use one of table, json, markdown, html/],
  ["drift", "--wings", /--wings/],
  ["drift", "--from /nowhere.json", /cannot read the report \/nowhere\.json/],
  ["drift", `--from ${join(root, "package.json")}`, /is not a report from "dataplatform drift --format json"/],
  ["drift", "--from x --stack dev", /cannot be combined with --stack/],
  ["drift", "--cwd /nowhere", /the folder \/nowhere does not exist; set --cwd/],
  ["drift", "--stack a --stack b", /--stack can be repeated with --coverage only/],
  ["drift", "--state x", /--state needs --coverage/],
  ["drift", "--min-coverage 5", /--min-coverage needs --coverage/],
  ["drift", "--coverage --min-coverage 101", /--min-coverage is "101"; use a percentage/],
  ["drift", "--coverage --only gone", /--only chooses resources by their drift/],
  ["drift", "--coverage --from x --state y", /cannot be combined with --state/],
  ["drift", "--coverage --state /nowhere/x", /cannot read the state \/nowhere\/x: .*pulumi stack export/],
  ["export", "", /name exactly one folder/],
  ["export", "--object 501 x", /--object is "501"; use TYPE\/ID, such as note\/501/],
  ["export", "--skip moon x", /--skip is "moon"; use one of account/],
  ["export", "--tokens /nowhere/tokens x", /cannot read the tokens: ENOENT/],
  ["export", "--tokens y --stack dev x", /both --tokens and --stack say which accounts to read/],
  ["export", "--state y.json x", /--state says what is managed already, so it needs --missing/],
  ["export", "--missing --state /nowhere/x.json x", /cannot read the state .*ENOENT/],
])("%s %s is a clear error, and nothing is written", async (name, args, says) => {
  const ran = await inside(commands[name], args.split(" ").filter(Boolean), envOf(emulator));
  expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(says) });
  expect(emulator.requests().requests.every(({ method }) => method === "GET")).toBe(true);
});

test("so is a name with a space, and missing settings", async () => {
  const wrong = await inside(exportCommand, ["--name", "a b", "x"]);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/--name is "a b"; use letters/) });
  const unset = await inside(exportCommand, ["/nowhere/x"]);
  expect(unset.stderr).toMatch(/not configured; missing:\n.*DATAPLATFORM_BASE_URL/);
});

test("so is a machine without pulumi", async () => {
  const ran = await inside(drift, ["--cwd", folder], { PATH: folder });
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toMatch(/pulumi is not on PATH; install it/);
});
