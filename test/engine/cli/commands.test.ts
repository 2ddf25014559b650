import { expect, test } from "vitest";
import * as exportCommand from "../../../cli/export";
import { dataplatform } from "../../harness/command";

test("dataplatform lists every command, and shows the help of one", async () => {
  const { stdout, code } = await dataplatform(["--help"]);
  expect(code).toBe(0);
  for (const name of ["emulator", "doctor", "drift", "export", "access", "rehearse", "conform"])
    expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
  expect(await dataplatform(["export", "--help"])).toEqual({ code: 0, stdout: exportCommand.help, stderr: "" });
});

test("an invalid option is an error, not a finding", async () => {
  expect(await dataplatform(["drift", "--format", "pdf"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^dataplatform: .*\n.*drift --help/),
  });
});
