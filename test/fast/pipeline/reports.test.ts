import { describe, expect, test } from "vitest";
import { accessPart } from "../../../cli/pipeline/access-part";
import { stayingWords, whitelistLines } from "../../../cli/pipeline/differences";
import { driftIn } from "../../../cli/pipeline/drift";
import type { Bound } from "../../../cli/pipeline/plan";
import { composed, forTerminal, gateLines, refusalReport, updateReport } from "../../../cli/pipeline/report";

import { everybodyIn, withAdviceLast } from "../../../cli/pipeline/seal";
import * as show from "../../../cli/pipeline/seal-report";
import { plainSecret } from "../../harness/secret-values";
import { ruleOf } from "../policies/cases";
import { planned, table, urn } from "./planned";

const part = (one: ReturnType<typeof show.changesPart>) => composed([], [], [one]);

test("what is approved is shown in full, to the end of a long value", () => {
  const cmdline = `${"echo 1; ".repeat(60)}curl evil.example`;
  expect(table(planned({ urn: urn("a"), after: { cmdline } }))).toContain("curl evil.example");
});

test("a rule that cannot judge comes before advice, and no line has a path of the installed package", () => {
  const rule = ruleOf("all-to-everybody");
  const finding = { rule, level: "advisory" as const, urn: urn("a"), message: `a problem. (${rule.page})` };
  expect(show.findingsPart([finding, { ...finding, message: "it lacks an option.", isBlind: true }])).toEqual({
    title: "**Guardrails: 0 mandatory violated, 1 advisory, 1 cannot judge**",
    lines: ["- **cannot judge** it lacks an option.", "- advisory `all-to-everybody`: a problem."],
  });
  expect(show.findingGate(finding)).toBe("mandatory all-to-everybody: a problem.");
});

test("access has its headline once, and what the whitelist gains and loses, whichever resource does it", () => {
  const stdout = "## Data platform access\n\n**The plan changes no access by policies**\n\nChecked.\n";
  const told = (type: string, op: string, before: object, after: object) => {
    const changed = { op, before: { ...before }, after: { ...after } };
    const one = planned({ urn: urn("a"), type: `dataplatform:index:${type}`, ...changed });
    return accessPart({ stdout, stderr: "" }, [one]).lines;
  };
  const folded = "<details><summary>Access: The plan changes no access by policies</summary>\n\nChecked.\n\n</details>";
  const [office, all] = [{ ipCidr: "203.0.113.7" }, { ipCidr: "0.0.0.0/0" }];
  expect(told("WhitelistedIp", "same", office, office), "nothing about one that stays as it is").toEqual([folded]);
  const changed = "**Login whitelist: + `0.0.0.0/0`, − `203.0.113.7`**\n";
  expect(told("WhitelistedIp", "replace", office, all)).toEqual([changed, folded]);
  const [before, after] = [{ addresses: ["192.0.2.1", "192.0.2.2"] }, { addresses: ["192.0.2.2"], exclusive: true }];
  const fewer = "**Login whitelist: − `192.0.2.1`, − all others (exclusive)**\n";
  expect(told("IpWhitelist", "update", before, after)[0]).toBe(fewer);
});

test("a policy that denies manage and allows it to nobody comes first", () => {
  const element = (access: string, ...action: string[]) => ({ access, action, condition: { svcGroups: [203] } });
  const allowing = element("allow", "manage");
  const told = (...policy: object[]) => {
    const type = "dataplatform:index:ObjectPolicy";
    const after = { policy, destroyPolicy: [allowing] };
    const one = planned({ urn: `urn:pulumi:dev::p::${type}::notebook`, type, op: "update", after });
    return accessPart({ stdout: "**1 lost**\n", stderr: "" }, [one]).lines.slice(0, -1);
  };
  const deny = element("deny", "all", "manage");
  expect(told(deny)).toEqual([
    "**Policies deny `manage`, and allow it to nobody, so perhaps nobody can change them again: `ObjectPolicy notebook`**\n",
  ]);
  expect([told(deny, allowing), told(element("deny", "all"))]).toEqual([[], []]);
});

describe("what the plan does to the whitelist, as the platform shows it", () => {
  const urn0 = urn("logins");
  const changes = (why: string, ...addresses: string[]) => addresses.map((address) => ({ urn: urn0, address, why }));
  const change = {
    added: ["192.0.2.1"],
    removed: [...changes("no longer declared", "192.0.2.2"), ...changes("exclusive", "192.0.2.3", "192.0.2.4", "::5")],
    stays: changes("keep", "192.0.2.6"),
    unknown: [],
  };
  const one = planned({ urn: urn0, type: "dataplatform:index:IpWhitelist", after: { addresses: ["192.0.2.1"] } });

  test("is one line, with reasons; of many, a count", () => {
    const all =
      "+ `192.0.2.1`; − `192.0.2.2` (no longer declared); − `192.0.2.3`, − `192.0.2.4`, − `::5` (exclusive); stays: `192.0.2.6` (keep)";
    expect(whitelistLines([one], 3, change)).toEqual([`**Login whitelist: ${all}**`]);
    expect(whitelistLines([one], 2, change)[0]).toContain("; − `192.0.2.3`, − `192.0.2.4`, − 1 more (3, exclusive); ");
    const none = { added: [], removed: [], stays: [], unknown: [] };
    expect(whitelistLines([one], 2, none)).toEqual([]);
    expect(whitelistLines([one], 2, { ...none, added: ["::5"], isFirst: true })[0]).toMatch(
      /^\*\*Login whitelist: \+ `::5`; the list is empty now: .*only from these\*\*$/,
    );
  });

  test("what is deleted says what it leaves", () => {
    expect([...stayingWords(change)]).toEqual([[urn0, "stays on the whitelist: 192.0.2.6 (keep)"]]);
  });

  test("if the list cannot be read, the line says so, also where nothing is declared otherwise", () => {
    const unknown = { added: [], removed: [], stays: [], unknown: ["not allowed (403)"] };
    expect(whitelistLines([one], 9, unknown)).toEqual([
      "**Login whitelist: + `192.0.2.1`; what else changes or stays is not known: not allowed (403)**",
    ]);
    const words = "**Login whitelist: what changes is not known: not allowed (403)**";
    expect(whitelistLines([], 9, unknown)).toEqual([words]);
  });
});

test("a warning is said once, and so is the word; what the preview's token may not look at is left out", () => {
  const late = { severity: "warning", message: "warning: it is late" };
  expect(show.warningsPart([late, { ...late, message: "it is late" }])).toEqual({
    title: "**Warnings of the program: 1**",
    lines: ["- warning: it is late"],
  });
  const why = "could not list the whitelisted IPs: the token's user is not allowed to do this (403); ask";
  const message = `IpWhitelist: cannot preview what this changes on the platform: ${why}`;
  expect(show.warningsPart([{ severity: "warning", message }]).lines).toEqual([]);
  expect(show.warningsPart([{ severity: "warning", message }], show.inFull).lines).toHaveLength(1);
  const down = { severity: "warning", message: message.replace("(403)", "(503)") };
  expect(show.warningsPart([down]).lines).toHaveLength(1);
});

test("a plan says who signed it, or that nobody did, and a repair is not called a merge", () => {
  const bound = { platform: "p", commit: "c", tree: "t", base: "b", rules: { pack: "k" }, approved: ["0123"] };
  const told = (more: object, signer?: string) =>
    show.planPart("id", { ...bound, ...more } as unknown as Bound, signer).lines[0];
  expect(told({}, "0123456789abcdef")).toContain("Signed by the key `0123456789abcdef`.");
  expect(told({})).toContain("Approved beside the review: `0123`. Not signed: ");
  expect(told({ kind: "repair" })).toContain("The repair applies this plan");
  expect(show.headlines(undefined, ["x"], "repair")).toEqual(["**A repair would be refused, for 1 reason:**"]);
});

test.each([
  [["as-declared", "as-declared"], /^Drift: none\.$/],
  [["as-declared", "unverifiable"], /^Drift: none\. 1 cannot be compared: the API does not show them\.$/],
  [[], /^Drift: not known, because nothing was read\. The stack has no resources of the platform yet\.$/],
  [["unverifiable"], /^Drift: not known, because nothing was read\. 1 cannot be compared: the API .* show them\.$/],
  [["error"], /^\*\*Drift: 0 differ .*, 1 could not be read/],
  [undefined, /^\*\*Drift could not be checked\.\*\*$/],
])("drift of %j in a preview's report: none, only if something was compared", (statuses, says) => {
  const found = statuses?.map((status, index) => ({ urn: `urn:pulumi:dev::p::a:b:C::${index}`, status }));
  const { title, lines } = show.driftPart(found && driftIn(found));
  expect(title ?? lines[0]).toMatch(says);
});

describe("what does not fit", () => {
  test("changes are counted in full, and cut before a gate is; warnings go first", () => {
    const changes = Array.from({ length: 5000 }, (_, index) =>
      planned({ urn: urn(`address-${index}`), after: { ipCidr: "203.0.113.7" } }),
    );
    const message = `warning ${"x".repeat(80)}`;
    const warnings = changes.map((_, index) => ({ severity: "warning", message: `${message} ${index}` }));
    const gates = gateLines(["mandatory whole-internet: the gate"]);
    const parts = [show.changesPart(changes), show.warningsPart(warnings)];
    const report = composed([show.headlineOf(changes)], gates, parts);
    expect(report.length).toBeLessThan(65_536);
    const texts = ["**5000 to create**", "the gate", "`address-0`", "Warnings of the program: 5000**: 5000 left out"];
    const places = texts.map((text) => report.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test("the output of a run is cut, and cannot end its fence", () => {
    const report = (stdout: string) => {
      const ran = { code: 1, stdout, stderr: "why" };
      return updateReport("Update", { stack: "dev", ran, signer: undefined }, "renew").markdown;
    };
    expect(report("`".repeat(10) + "x".repeat(100_000)).length).toBeLessThan(65_536);
    expect(report("```\n# forged")).toContain("````text");
  });
});

describe("what others wrote stays text", () => {
  const nasty = "a | b` <!-- <img src=x>\n| c | @team [x](http://evil) ![y](z)";

  test.each([
    ["a value", planned({ urn: urn("it"), after: { a: nasty } })],
    ["a property's name", planned({ urn: urn("it"), after: { [nasty]: 1 } })],
    ["a resource's name", planned({ urn: urn(nasty), after: { a: 1 } })],
    ["an operation", planned({ urn: urn("it"), op: nasty })],
  ])("%s", (_what, one) => {
    const line = table(one).trimEnd().split("\n").at(-1)!;
    // What is in a code span is text; nothing of it is outside one.
    const outside = line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, "code");
    expect(outside).not.toMatch(/[<@[]/);
    expect(line.match(/(?<!\\)\|/g)).toHaveLength(4);
  });

  const guarded = [{ path: nasty, blobs: "", changes: [{ words: nasty, loosens: true }] }];
  const since = { loosened: [], isKnown: true, words: nasty };

  test.each([
    ["a gate", composed([], gateLines([nasty]), [])],
    ["a refusal", refusalReport("Plan", [nasty], undefined).markdown],
    ["a warning", part(show.warningsPart([{ severity: "warning", message: nasty, urn: urn(nasty) }]))],
    ["drift", part(show.driftPart(driftIn([{ urn: urn(nasty), status: "error", reason: nasty }])))],
    ["a guarded file", part(show.guardedPart({ guarded, since, loosening: undefined }))],
  ])("%s", (_what, report) => {
    const outside = report.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/gs, "code");
    expect(outside).not.toMatch(/<|@team|\]\(/);
  });

  test("names of people, numbers of issues and addresses are no links", () => {
    const [gate = ""] = gateLines(["ask @bank/security, closes #1, see https://evil.example or www.evil.example"]);
    expect(gate).toBe(
      "- ask &#64;&#8203;bank/security, closes &#35;&#8203;1, see https:&#8203;//evil.example or www&#8203;.evil.example",
    );
    expect(forTerminal(gate)).toContain("ask @bank/security, closes #1, see https://evil.example or www.evil.example");
  });

  test("secrets are masked, and a changed one is listed", () => {
    const [before, after] = [{ p: plainSecret("canary-1") }, { p: plainSecret("canary-2") }];
    const report = table(planned({ urn: urn("it"), op: "update", before, after }));
    expect(report).toContain("| update | `WhitelistedIp` `it` | `p`: `[secret]` → `[secret]` |");
    expect(report).not.toContain("canary");
  });
});

test("the count is that of the list: neither what the engine makes, nor the stack", () => {
  const inside = "urn:pulumi:dev::platform::dataplatform:index:TeamEnvironment$";
  const all = [
    planned({ urn: `${inside}dataplatform:index:WhitelistedIp::blue::office`, after: { ipCidr: "203.0.113.7" } }),
    planned({ urn: "urn:pulumi:dev::platform::pulumi:providers:dataplatform::default_0_2_0", isMade: true }),
    planned({ urn: `${inside}pulumi:providers:dataplatform::blue`, after: { baseUrl: "https://api.example.com" } }),
    planned({ urn: "urn:pulumi:dev::platform::pulumi:pulumi:Stack::platform-dev", isMade: true }),
    planned({ urn: urn("a::pulumi:b"), after: { ipCidr: "203.0.113.7" } }),
    planned({ urn: urn("same"), op: "same" }),
  ];
  expect(show.headlineOf(all)).toBe("**3 to create**");
  expect(table(...all).match(/^\| create /gm)).toHaveLength(3);
  expect(table(...all)).toMatch(/\| create \| .*`blue`.*https:\/\/api\.example\.com/);
  expect(table(...all)).toContain("| create | `WhitelistedIp` `blue::office` |");
  expect(table(...all)).toContain("| create | `WhitelistedIp` `a::pulumi:b` |");
  expect(show.headlineOf([planned({ urn: urn("same"), op: "same" })])).toBe("No changes.");
});

test("what to do about groups without a name comes last, as the step that can do it", () => {
  const command = "dataplatform access --stack dev --group 203=everyone --group 204=NAME";
  const text = `## Access\n\n**1 may lose**\n\n**What to do next**\n\n- Say which: \`${command}\`\n\n<details>\n</details>\n`;
  const before =
    "## Access\n\n**1 may lose**\n\n<details>\n</details>\n\nTo see who is in these groups, say how the platform calls them: ";
  expect(withAdviceLast(text, undefined, ["7=a b"])).toBe(
    `${before}add \`--group 204=NAME\` to the step \`seal\` in the workflow.\n`,
  );
  expect(withAdviceLast(text, "preview dev", ["7=a b"])).toBe(
    `${before}run \`dataplatform pipeline preview dev --group '7=a b' --group 204=NAME\`.\n`,
  );
  expect(withAdviceLast("nothing", undefined, [])).toBe("nothing");
});

test("the rules of main say which group everybody is in", () => {
  const of = (everybodyGroups: unknown) => everybodyIn(JSON.stringify({ "all-to-everybody": { everybodyGroups } }));
  expect(of([203, "253", "everyone"])).toEqual(["203=everyone", "253=everyone"]);
  expect([of("x"), everybodyIn("{"), everybodyIn(undefined)]).toEqual([[], [], []]);
});
