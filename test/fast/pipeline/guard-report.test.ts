import { expect, test } from "vitest";
import { guardedPart, settingsPart } from "../../../cli/pipeline/seal-report";

/* What a comment says about rules, workflows, packages and settings. */

const since = { loosened: [], isKnown: true, words: "the last deployment of dev" };
const compared = "Compared with the protected branch, and with the last deployment of dev.";
const [refused, approved] = [false, true].map((isApproved) => ({ digest: "d", isApproved }));
const fileOf = (path: string, words: string, loosens = true) => ({ path, blobs: "", changes: [{ words, loosens }] });
const npmrc = fileOf(".npmrc", "changed");
const settings = fileOf("Pulumi.dev.yaml", "x changes", false);
const part = (more: object, hasBase?: boolean) =>
  guardedPart({ guarded: [], since, loosening: undefined, ...more }, hasBase);

test("a commit that is judged by itself is not said to change nothing", () => {
  const about = "Rules, workflows, packages and settings";
  const itself = `${about}: judged by those of this commit itself. Compared with the last deployment of dev.`;
  expect(part({}, false).lines).toEqual([itself]);
  expect(part({}).lines).toEqual([`${about}: no change. ${compared}`]);
});

test("what was merged before is told from what the change does", () => {
  expect(part({ since: { ...since, loosened: [npmrc] }, loosening: refused })).toEqual({
    title: `**What guards the platform may have been loosened, not approved.** ${compared}`,
    lines: ["- **needs approval** `.npmrc`: changed (on the protected branch already)"],
  });
  expect(part({ guarded: [npmrc], loosening: refused }).lines).toEqual(["- **needs approval** `.npmrc`: changed"]);
});

test("a rule is listed once, and only what main itself did is said to be there already", () => {
  const rule = (...words: string[]) => ({
    ...fileOf("policies.json", ""),
    changes: words.map((one) => ({ words: one, loosens: true })),
  });
  const loosened = [rule("a: mandatory → advisory", "b: its options change", "c: mandatory → disabled")];
  const merged = [rule("b: its options change", "c: mandatory → advisory")];
  const guarded = [rule("a: mandatory → advisory", "c: advisory → disabled")];
  expect(part({ guarded, since: { ...since, loosened, merged }, loosening: approved }).lines).toEqual([
    "- approved: `policies.json`: b: its options change (on the protected branch already)",
    "- approved: `policies.json`: c: mandatory → disabled (since the last deployment)",
    "- approved: `policies.json`: a: mandatory → advisory",
    "- approved: `policies.json`: c: advisory → disabled",
  ]);
});

test("what is compared with nothing is one line, apart from rules, and not said to be loosened", () => {
  const changes = Array.from({ length: 200 }, (_, at) => ({ words: `package ${at} is new`, loosens: true }));
  const lock = { path: "package-lock.json", blobs: "", changes };
  const loosened = [npmrc, lock, fileOf("policies.json", "a rule is off")];
  const nothing = "with nothing earlier";
  expect(part({ since: { loosened, isKnown: false, words: "nothing earlier" }, loosening: refused })).toEqual({
    title: `**What guards the platform is judged anew, not approved.** Compared with the protected branch, and ${nothing}.`,
    lines: [
      "- **needs approval** `policies.json`: a rule is off",
      `- **needs approval** \`.npmrc\`, \`package-lock.json\`: as on the protected branch, ${nothing} to compare with`,
    ],
  });
});

test("ordinary settings are no alarm, and what is approved needs no approval", () => {
  const calm = "Settings and packages change; none of these changes loosens what guards the platform.";
  expect(part({ guarded: [settings] }).lines).toEqual([`${calm} ${compared}`]);
  const { title, lines } = part({ guarded: [settings, npmrc], loosening: approved });
  expect(title).toContain("**This change touches what guards the platform, approved as `d`.**");
  expect(lines).toEqual(["- approved: `.npmrc`: changed"]);
  for (const guarded of [[settings], [settings, npmrc]])
    expect(settingsPart({ guarded }).lines).toEqual(["- `Pulumi.dev.yaml`: x changes"]);
});
