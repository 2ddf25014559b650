import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as command from "../../../cli/access";
import { markdownReport } from "../../../cli/access/markdown";
import { type AccessReport, jsonReport } from "../../../cli/access/report";
import { tableReport } from "../../../cli/access/table";
import { longestComment } from "../../../cli/report/markdown-text";
import { type Emulator, startEmulator } from "../../../emulator";
import { inside } from "../../harness/command";
import { bigReport, changedReport } from "./access-sample";

const evil = "x](http://evil.example)|<img src=x>`@all\u001b[2J";
function evilReport(): AccessReport {
  const report = changedReport();
  const [platform] = report.platforms;
  const users = platform!.users.map((user) => ({ ...user, email: evil }));
  return {
    ...report,
    project: evil,
    notes: [evil],
    platforms: [{ ...platform!, users, notes: [evil] }],
    changes: report.changes!.map((change) => ({ ...change, object: evil })),
  };
}

test("the table says who gains what, through which group, and why", () => {
  expect(tableReport(changedReport(), {})).toBe(`Lost
  user 105 (otto@example.com, disabled) loses read on note/501 through group 203 (everyone)
      allowed before, denied after: element 2 denies read: it names the user and names the action; it takes precedence over element 0

Gained
  user 104 (ana@example.com) gains delete on note/501 through group 204 (analysts)
      not said before, allowed after: element 1 allows delete: it names group 204 of the user and names the action

shop/dev on https://api.example.com
The plan changes access: 1 gained, 1 lost
`);
});

test("without a plan, the table shows everybody, with the reasons", () => {
  const { changes: _, ...report } = changedReport();
  const { changes: __, ...summary } = report.summary;
  const text = tableReport({ ...report, summary }, {});
  expect(text).toContain("note/502  policy from the platform\n  a note\n");
  expect(text).toMatch(
    /✓ allowed +\? not said +\? not said +\? not said +users 104 \(ana@example\.com\), 105 \(otto@example\.com, disabled\)/,
  );
  expect(text).toContain("      read: element 0 allows read: it names group 203 of the user and names the action\n");
  expect(text).toContain("not said: the API's manual does not say what applies; neither yes nor no\n");
  expect(text).toContain("Access of 2 users to 2 objects\n");
  // A user can be in several groups, so the rows of users and groups may differ.
  expect(text).toContain("members of a group: what that group alone gets; the row of a user counts all groups");
  const comment = markdownReport({ ...report, summary });
  expect(comment).toContain("105 (otto&#64;example.com, disabled)");
  expect(comment).toContain("In brackets: the element that decides. members of a group: what that group alone gets;");
});

test("markdown starts with the gains", () => {
  const text = markdownReport(changedReport());
  expect(text).toMatch(/^## Data platform access: `shop\/dev`\n\n\*\*The plan changes access: 1 gained, 1 lost\*\*\n/);
  expect(text).toContain(
    "<details open><summary>Gained: 1</summary>\n\n- user 104 (ana&#64;example.com) gains delete on note/501 through group 204 (analysts)\n",
  );
});

test("markdown fits in a comment, however much there is to say", () => {
  const big = bigReport(300, 300);
  const text = markdownReport(big);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(longestComment);
  expect(text).toMatch(/… and \d+ more, left out to keep this short/);
  const [change] = changedReport().changes!;
  const changes = Array.from({ length: 5_000 }, (_, index) => ({ ...change!, object: `note/${index}` }));
  expect(Buffer.byteLength(markdownReport({ ...changedReport(), changes }))).toBeLessThanOrEqual(longestComment);
});

test("what comes from the platform is text in every format", () => {
  // Nothing in a code span is markup.
  const outsideCode = markdownReport(evilReport()).replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
  expect(outsideCode).not.toMatch(/<img|\]\(http|@all/);
  expect(markdownReport(evilReport())).not.toContain("\u001b");
  expect(tableReport(evilReport(), {})).not.toContain("\u001b");
});

test("lists of ids in the JSON are on one line, and it is the report", () => {
  const report = bigReport(20, 2);
  expect(JSON.parse(jsonReport(report))).toEqual(JSON.parse(JSON.stringify(report)));
  expect(jsonReport(report)).toMatch(/"users": \[\d+(, \d+)+\]/);
});

describe("the command", () => {
  let emulator: Emulator;
  let folder: string;
  beforeAll(async () => {
    emulator = await startEmulator({ readings: { userEntry: "manual" } });
    folder = mkdtempSync(join(tmpdir(), "access-"));
  });
  afterAll(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true });
  });
  const access = (args: string[], token = "admin") =>
    inside(command, ["--cwd", folder, ...args], {
      DATAPLATFORM_BASE_URL: emulator.url,
      DATAPLATFORM_API_TOKEN: emulator.tokens[token]!,
      DATAPLATFORM_RETRIES: "0",
    });

  test("named objects need no stack", async () => {
    const ran = await access(["--object", "cluster/511", "--user", "101"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("user 101 (admin@analytics.example.com)");
    const output = join(folder, "access.html");
    const written = await access(["--object", "note/501", "--format", "html", "--output", output]);
    expect(written).toEqual({
      code: 0,
      stdout: "",
      stderr: `Access of 7 users to 1 object; report written to ${output}\n`,
    });
    expect(readFileSync(output, "utf8")).toContain("<!doctype html>");
  });

  test("a policy that cannot be read is exit code 1, with the reason in the report", async () => {
    const ran = await access(["--object", "note/501"], "powerless");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/policy unknown: .*viewing the object policy/);
    expect(ran.stdout).toContain("1 policy could not be read\n");
  });

  test.each([
    [["--object", "501"], /--object is "501"; use TYPE\/ID, such as note\/501/],
    [["--object", "table/5"], /where TYPE is one of note, cluster, scheduler, environment/],
    [
      ["--folder", "Common/reports"],
      /--folder is "Common\/reports"; use TYPE\/LOCATION, such as notes\/Common\/reports/,
    ],
    [["--group", "204"], /--group is "204"; use ID=NAME, such as 204=analysts/],
    [["--preview", "--plan-file", "x"], /use one of them/],
    [["--fail-on-gain"], /add --preview or --plan-file/],
    [["--format", "pdf"], /--format is "pdf"; use one of table, json, markdown, html/],
    [["--object", "note/501", "--user", "nobody"], /--user nobody: the platform lists no such user/],
  ])("wrong options: %j", async (args, message) => {
    const ran = await access(args);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });
});
