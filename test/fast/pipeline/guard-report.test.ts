import { describe, expect, test } from "vitest";
import * as show from "../../../cli/pipeline/seal-report";

describe("rules, workflows, packages and settings", () => {
  const none = {
    guarded: [],
    since: { loosened: [], isKnown: true, words: "the last deployment of dev" },
    loosening: undefined,
  };
  const loosened = [{ path: ".npmrc", blobs: "", changes: [{ words: "changed", loosens: true }] }];

  test("a commit that is judged by itself is not said to change nothing", () => {
    expect(show.guardedPart(none, false).lines).toEqual([
      "Rules, workflows, packages and settings: judged by those of this commit itself. Compared with the last deployment of dev.",
    ]);
    expect(show.guardedPart(none).lines).toEqual([
      "Rules, workflows, packages and settings: no change. Compared with the protected branch, and with the last deployment of dev.",
    ]);
  });

  test("what was merged before is told from what the change does", () => {
    const loosening = { digest: "d", isApproved: false };
    const title =
      "**What guards the platform was loosened, not approved.** Compared with the protected branch, and with the last deployment of dev.";
    expect(show.guardedPart({ ...none, since: { ...none.since, loosened }, loosening })).toEqual({
      title,
      lines: ["- **needs approval** `.npmrc`: changed (on the protected branch already)"],
    });
    expect(show.guardedPart({ ...none, guarded: loosened, loosening }).lines).toEqual([
      "- **needs approval** `.npmrc`: changed",
    ]);
  });

  test("what is compared with nothing is one line, apart from rules, and not said to be loosened", () => {
    const changes = Array.from({ length: 200 }, (_, at) => ({ words: `package ${at} is new`, loosens: true }));
    const off = { path: "policies.json", blobs: "", changes: [{ words: "a rule is off", loosens: true }] };
    const all = [...loosened, { path: "package-lock.json", blobs: "", changes }, off];
    const since = { loosened: all, isKnown: false, words: "nothing earlier" };
    expect(show.guardedPart({ ...none, since, loosening: { digest: "d", isApproved: false } })).toEqual({
      title:
        "**What guards the platform is judged anew, not approved.** Compared with the protected branch, and with nothing earlier.",
      lines: [
        "- **needs approval** `policies.json`: a rule is off",
        "- **needs approval** `.npmrc`, `package-lock.json`: as on the protected branch, with nothing earlier to compare with",
      ],
    });
  });

  test("ordinary settings are no alarm, and what is approved needs no approval", () => {
    const settings = { path: "Pulumi.dev.yaml", blobs: "", changes: [{ words: "x changes", loosens: false }] };
    const plain = { ...none, guarded: [settings] };
    expect(show.guardedPart(plain).lines).toEqual([
      expect.stringMatching(
        /^Settings and packages change; none of these changes loosens what guards the platform\. Compared with /,
      ),
    ]);
    expect(show.settingsPart(plain).lines).toEqual(["- `Pulumi.dev.yaml`: x changes"]);
    const both = { ...none, guarded: [settings, ...loosened], loosening: { digest: "d", isApproved: true } };
    expect(show.guardedPart(both).title).toMatch(
      /^\*\*This change touches what guards the platform, approved as `d`\.\*\*/,
    );
    expect(show.guardedPart(both).lines).toEqual(["- approved: `.npmrc`: changed"]);
    expect(show.settingsPart(both).lines).toEqual(["- `Pulumi.dev.yaml`: x changes"]);
  });
});
