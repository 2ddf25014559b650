import { join } from "node:path";
import { expect, test } from "vitest";
import * as access from "../../../cli/access";
import * as conform from "../../../cli/conform";
import * as drift from "../../../cli/drift";
import * as exportCommand from "../../../cli/export";
import { inside } from "../../harness/command";
import { freshEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { testFolder } from "../../harness/folders";
import { envOf } from "./platform";

const commands = { access, conform, drift, export: exportCommand };
const emulator = freshEmulator();
const folder = testFolder();

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
