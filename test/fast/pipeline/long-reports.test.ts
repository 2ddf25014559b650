import { expect, test } from "vitest";
import { accessPart } from "../../../cli/pipeline/access-part";
import type { Planned } from "../../../cli/pipeline/planned";
import { composed, gateLines } from "../../../cli/pipeline/report";
import { type Shown, sealParts } from "../../../cli/pipeline/seal";
import * as show from "../../../cli/pipeline/seal-report";
import { unknownValue } from "../../../provider/core/engine-values";
import { planned, table, urn } from "./planned";

/* What a comment has no room for is in the log, and what matters most comes first. */

const gates = gateLines(["mandatory whole-internet: the gate"]);
const inLog = (parts: Parameters<typeof composed>[2]) => composed([], gates, parts, Number.POSITIVE_INFINITY);
const whitelist = "pulumi-nodejs:dynamic/dataplatform:IpWhitelist";

test("what is long is cut in a comment, and in full in the log: values, access, addresses", () => {
  const addresses = Array.from({ length: 60 }, (_, index) => `203.0.113.${index}`);
  const list = planned({ urn: urn("all"), type: whitelist, after: { addresses, note: `${"x".repeat(11_000)}end` } });
  const granted = { stdout: "# Access\n**1 gain**\n", stderr: "", whole: `gains\n${"y".repeat(70_000)}` };
  const parts = (limits: show.Limits) => [
    accessPart(granted, [list], limits),
    show.changesPart([list], new Map(), limits),
  ];
  const comment = composed([], gates, parts(show.inComment));
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).toContain("The list is long: it is in the job's log.");
  const log = inLog(parts(show.inFull));
  for (const text of ["+ `203.0.113.59`", "xend", granted.whole]) {
    expect(comment).not.toContain(text);
    expect(log).toContain(text);
  }
});

test("thousands of settings that need no approval crowd out neither the plan's id, access nor changes", () => {
  const changes = Array.from({ length: 5000 }, (_, at) => ({ words: `platform:filler${at} is new`, loosens: false }));
  const off = { path: "policies.json", blobs: "", changes: [{ words: "a rule is off", loosens: true }] };
  const since = { loosened: [], isKnown: true, words: "the last deployment" };
  const guarded = [{ path: "Pulumi.dev.yaml", blobs: "", changes }, off];
  const shown = {
    guard: { guarded, since, loosening: { digest: "d", isApproved: true } },
    id: "1".repeat(64),
    facts: { base: "b", commit: "c", tree: "t", platform: "https://a", rules: { pack: "p" }, approved: [] },
    planned: [planned({ urn: urn("open"), after: { ipCidr: "198.51.100.66" } })],
    granted: { stdout: "**1 gain**", stderr: "" },
    ...{ left: new Map(), findings: [], diagnostics: [] },
  } as unknown as Shown;
  const comment = composed([], gates, sealParts(shown, show.inComment));
  const inOrder = ["a rule is off", shown.id!, "platform:filler0 ", "more; the job's log", "1 gain", "198.51.100.66"];
  const places = inOrder.map((text) => comment.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(inLog(sealParts(shown, show.inFull))).toContain("platform:filler4999 ");
});

test("a reason is never cut, and a long one takes no other with it", () => {
  const hidden = `hidden: ${"property, ".repeat(400)}sets APPROVED to 0123`;
  const [invisible, short] = [`mandatory: ${"\u200b".repeat(300)} is 0.0.0.0/0`, "needs approval: 4567"];
  expect(composed([], gateLines([hidden, invisible]), [])).toMatch(/to 0123\n.* is 0\.0\.0\.0\/0/);
  const comment = composed([], gateLines([hidden.repeat(20), short]), []);
  expect(comment).toContain("**1 more reasons do not fit here; the job's log has all.**");
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).toContain(short);
});

test("what is imported is named by its id, and what the import adds to that is listed", () => {
  const one = planned({ urn: urn("a"), op: "import", importId: "12" });
  expect(table(one)).toContain("as it is on the platform: `12` |");
  const adding = table({ ...one, after: { packages: ["x"] } });
  expect(adding).toContain('as it is on the platform: `12`, then<br>`packages`: `["x"]` |');
});

test("a long change takes no other out of the table, and is named itself", () => {
  const packages = Array.from({ length: 1500 }, (_, index) => `package-${index}-${"x".repeat(40)}`);
  const [before, after] = [{ packages: ["a"] }, { packages: ["a", ...packages] }];
  const long = planned({ urn: urn("long"), op: "update", before, after });
  const short = planned({ urn: urn("short"), after: { ipCidr: "198.51.100.66" } });
  const report = table(long, short);
  expect(report).toContain("`long` | **long: the job's log has it** |");
  expect(report).toContain("`ipCidr`: `198.51.100.66`");
  expect(composed([], [], [{ lines: ["x".repeat(70_000), "short"] }])).toContain("short\n\n… and 1 more");
});

test("no text leaves its code span: GitHub gives up on long fences", () => {
  const value = `${"`".repeat(80)}<!-- hidden -->`;
  const report = table(planned({ urn: urn("a"), after: { sql: value } }));
  expect(report).toContain("`(80 backticks)<!-- hidden -->`");
  const access = accessPart({ stdout: "**1 gain**", stderr: "", whole: value }, [], show.inFull);
  expect(access.lines[0]).toContain("```text\n(80 backticks)");
});

test("a value that is said to be unknown, and depends on nothing that changes, is marked", () => {
  const one = (dependencies: Planned["dependencies"]) =>
    table(planned({ urn: urn("a"), after: { ipCidr: unknownValue }, dependencies }), planned({ urn: urn("b") }));
  expect(one({})).toContain("`known after the update` **(nothing that it depends on changes)**");
  expect(one({ ipCidr: [urn("b")] })).not.toContain("nothing that it depends on");
});

test("what takes away comes first, whatever the order of the plan", () => {
  const ops = ["create", "update", "protect", "replace", "delete", "strange"];
  const report = table(...ops.map((op, index) => planned({ urn: urn(`${9 - index}`), op })));
  expect([...report.matchAll(/^\| (\w+) \|/gm)].map(([, op]) => op)).toEqual([
    ...["strange", "delete", "replace", "protect", "update", "create"],
  ]);
});
