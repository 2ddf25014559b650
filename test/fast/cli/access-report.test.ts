import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as command from "../../../cli/access";
import { accessPage } from "../../../cli/access/html";
import { readable } from "../../../cli/access/readable";
import { jsonReport } from "../../../cli/access/report";
import { inside } from "../../harness/command";
import { freshEmulator } from "../../harness/emulators";
import { testFolder } from "../../harness/folders";
import { bigReport, changedReport } from "./access-sample";
import { envOf, formatsOf, table } from "./stacks";

test("the table says who gains what, through which group, and why", () => {
  expect(table(readable(changedReport()))).toBe(`Lost: 1
  user 105 (otto@example.com, disabled) loses read on note/501 through group 203 (everyone)
      allowed before, denied after: element 2 denies read: it names the user and names the action; it takes precedence over element 0

Gained: 1
  user 104 (ana@example.com) gains delete on note/501 through group 204 (analysts)
      not said before, allowed after: element 1 allows delete: it names group 204 of the user and names the action

manage: change the object's permissions; all, in a policy: read, update and delete, but not manage
shop/dev against https://api.example.com
The plan changes access: 1 gained, 1 lost
`);
});

test("without a plan, the table shows everybody, with the reasons", () => {
  const { changes: _, ...report } = changedReport();
  const { changes: __, ...summary } = report.summary;
  const text = table(readable({ ...report, summary }));
  expect(text).toContain("note/502: a note\n");
  expect(text).toMatch(
    /✓ allowed +\? not said +\? not said +\? not said +users 104 \(ana@example\.com\), 105 \(otto@example\.com, disabled\)/,
  );
  expect(text).toContain("      read: element 0 allows read: it names group 203 of the user and names the action\n");
  expect(text).toContain("not said: the API's manual does not say what applies; neither yes nor no\n");
  expect(text).toContain("Access of 2 users to 2 objects\n");
  // A user can be in several groups, so the rows of users and groups may differ.
  expect(text).toContain("members of a group: what that group alone gets; the row of a user counts all groups");
});

test("every format says what manage and all are", () => {
  const report = changedReport();
  for (const text of [...formatsOf(readable(report)), accessPage(report)])
    expect(text).toContain("permissions; all, in a policy: read, update and delete, but not manage");
  const folders = { ...report, objects: report.objects.map((object) => ({ ...object, kind: "folder" as const })) };
  const text = table(readable(folders));
  expect(text).toContain("all, in the policy of a folder: the API's manual does not say what it covers");
  expect(text).not.toContain("but not manage");
});

test("lists of ids in the JSON are on one line, and it is the report", () => {
  const report = bigReport(20, 2);
  expect(JSON.parse(jsonReport(report))).toEqual(JSON.parse(JSON.stringify(report)));
  expect(jsonReport(report)).toMatch(/"users": \[\d+(, \d+)+\]/);
});

describe("the command", () => {
  const emulator = freshEmulator({ readings: { userEntry: "manual" } });
  const folder = testFolder();
  const access = (args: string[]) => inside(command, ["--cwd", folder, ...args], envOf(emulator));

  test("named objects need no stack", async () => {
    const ran = await access(["--object", "cluster/511", "--user", "ADMIN@analytics.example.com", "--user", "102"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/✓ allowed .* user 101 \(admin@analytics\.example\.com\)/);
    expect(ran.stdout).toContain("Access of 2 users to 1 object\n");
    const output = join(folder, "access.html");
    const written = await access(["--object", "note/501", "--format", "html", "--output", output]);
    expect(written).toEqual({
      code: 0,
      stdout: "",
      stderr: `Access of 7 users to 1 object; report written to ${output}\n`,
    });
    expect(readFileSync(output, "utf8")).toContain("<!doctype html>");
  });
});
