import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "../../../cli/drift";
import { leftOut, listOnly, readOnly } from "../../../cli/drift/only";
import { readable } from "../../../cli/drift/readable";
import { managedResources } from "../../../cli/pulumi/managed";
import { subjectOf } from "../../../cli/pulumi/subject";
import { htmlReport } from "../../../cli/report/html";
import { inside } from "../../harness/command";
import { testFolder } from "../../harness/folders";
import { encrypted, resource } from "./drift-state";
import { formatsOf } from "./rendered";
import { reportOf, resourceOf, sample } from "./sample-report";

describe("values of --only", () => {
  test.each([
    [[], undefined],
    [["differences"], ["drifted", "gone", "error"]],
    [["gone"], ["gone"]],
    [["gone,drifted"], ["drifted", "gone"]],
    [
      ["gone", "unverifiable, gone"],
      ["gone", "unverifiable"],
    ],
  ])("%j", (values, statuses) => expect(readOnly(values)).toEqual(statuses));

  test.each([[["changed"]], [["gone,"]], [[""]]])("%j is a clear error", (values) => {
    expect(() => readOnly(values)).toThrow(/--only is ".*"; use one of differences, drifted, gone, error/);
  });
});

describe("a report with only differences", () => {
  const whole = reportOf(sample);
  const report = listOnly(whole, readOnly(["differences"]));

  test("lists those, and counts everything", () => {
    expect(report.resources.map(({ status }) => status)).toEqual(["drifted", "drifted", "gone", "error"]);
    expect(report.summary).toEqual(whole.summary);
    expect(report.only).toEqual(["drifted", "gone", "error"]);
    expect(leftOut(report)).toBe("11 resources not listed (only drifted, gone, not readable)");
    expect(leftOut(whole)).toBeUndefined();
    expect(leftOut(listOnly(reportOf(report.resources), ["drifted", "gone", "error"]))).toBeUndefined();
  });

  test("says in every format what it hides, and keeps the headline", () => {
    for (const text of formatsOf(readable(report))) {
      expect(text).not.toMatch(/branch-\d|warehouse/);
      expect(text).toMatch(/office/);
      expect(text).toContain("11 resources not listed (only drifted, gone, not readable)");
      expect(text).toContain("Drift: 3 of 15 resources differ");
    }
    for (const text of formatsOf(readable(whole))) expect(text).not.toContain("not listed");
  });

  test("its page disables tiles that have nothing to list", () => {
    const page = htmlReport(readable(report));
    const tile = (title: string) => new RegExp(`<button[^>]*><b>\\d+</b> ${title}</button>`).exec(page)![0];
    expect(tile("as declared")).toContain("disabled");
    expect(tile("gone")).not.toContain("disabled");
  });

  test("filtering a filtered report keeps what is in both", () => {
    expect(listOnly(report, ["gone", "as-declared"])).toMatchObject({
      only: ["gone"],
      resources: [{ name: "office" }],
    });
  });
});

describe("a resource that is gone", () => {
  test.each([
    ["WhitelistedIp", { ipCidr: "203.0.113.7" }, "203.0.113.7"],
    ["IpWhitelist", { addresses: ["192.0.2.1", "192.0.2.2"] }, "192.0.2.1, 192.0.2.2"],
    [
      "IpWhitelist",
      { addresses: [1, 2, 3, 4, 5, 6, 7].map((last) => `192.0.2.${last}`) },
      "192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5 and 2 more",
    ],
    ["EnabledUser", { svcUserId: "107", email: "ana@example.com" }, "user 107 (ana@example.com)"],
    ["EnabledUser", { svcUserId: "ana@example.com", email: "ana@example.com" }, "user ana@example.com"],
    ["ObjectPolicy", { sourceType: "note", sourceId: "501" }, "note 501"],
    ["GroupRoleAssignment", { groupId: 204, role: "analyst" }, "role analyst of group 204"],
    ["WhitelistedIp", { ipCidr: encrypted("203.0.113.7") }, "[secret]"],
    ["WhitelistedIp", {}, "WhitelistedIp 12"],
    ["FutureThing", { a: 1 }, "FutureThing 12"],
  ])("%s %j is called %j", (type, inputs, words) => {
    expect(subjectOf(managedResources([resource(type, "n", "12", inputs)])[0]!)).toBe(words);
  });

  const gone = [resourceOf("WhitelistedIp", "office", "12", { status: "gone", repair: "create", lost: "203.0.113.7" })];

  test("is named in the row, in every format", () => {
    const [text, comment, page] = formatsOf(readable(reportOf(gone)));
    expect(text).toMatch(/✗ WhitelistedIp +office +12 +lost 203\.0\.113\.7 +\(a repair would recreate it\)\n/);
    expect(comment).toContain("- WhitelistedIp `office` `12` lost `203.0.113.7` (a repair would recreate it)");
    expect(page).toContain("lost <code>203.0.113.7</code> (a repair would recreate it)");
  });
});

describe("dataplatform drift --only", () => {
  const folder = testFolder();
  beforeAll(() => {
    writeFileSync(join(folder, "report.json"), JSON.stringify(reportOf(sample)));
  });

  test("with a saved report, as JSON; the exit code still covers the whole stack", async () => {
    const from = ["--from", join(folder, "report.json"), "--format", "json"];
    const ran = await inside({ run }, [...from, "--only", "gone"]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      only: ["gone"],
      summary: { resources: 15, error: 1 },
      resources: [{ name: "office", status: "gone" }],
    });
  });
});
