import { describe, expect, test } from "vitest";
import {
  composed,
  forTerminal,
  gateLines,
  refusalReport,
  type Updated,
  updateReport,
} from "../../../cli/pipeline/report";

/* How a step ends, in its report and in the terminal. */

test("in a terminal there are no escapes and no tags, and code stays as it is", () => {
  const report = composed(["### Plan"], gateLines(["`office_1` is <wide> & [open] | @team"]), [
    { lines: ["| `a&#96;<br>` | `b`: 1<br>`c`: 2 |", "<details><summary>Access: x</summary>\n\ny\n\n</details>"] },
  ]);
  expect(report).toContain("&#96;office_1&#96;");
  expect(forTerminal(report)).toBe(
    "### Plan\n\n- `office_1` is <wide> & [open] | @team\n\n| `a&#96;<br>` | `b`: 1; `c`: 2 |\nAccess: x\n\ny\n\n\n",
  );
});

describe("a refusal", () => {
  const told = (...reasons: string[]) => refusalReport("Plan", reasons, "make it").markdown;

  test("says how a new plan is made, where one helps", () => {
    for (const reason of ["stale: x", "missing: x", "too old: x", "other key: x", "drifted: x"])
      expect(told(reason)).toContain("Make a new plan: `make it`.");
  });

  test("and not where one would be refused as well", () => {
    for (const reason of ["not committed: x", "foreign code: x", "not verifiable: x", "too large: x"])
      expect(told("stale: y", reason)).not.toContain("Make a new plan");
  });
});

describe("an update that failed", () => {
  const report = (progress: Updated["progress"] & object, stdout = "") =>
    updateReport("Plan", { ran: { code: 1, stdout, stderr: "" }, signer: undefined, progress }, "make it").brief!;
  const progress = { done: [], open: [], unknown: [], isUsedUp: false };

  test("and one that did not is told by the state, whatever was printed", () => {
    const ran = { code: 0, stdout: "Resources:\n    + 99 created\n", stderr: "" };
    const done = { ...progress, done: ["create A"], open: ["update B"] };
    expect(updateReport("Plan", { ran, signer: undefined, progress: done }, "make it").brief).toContain(
      "**Done: 1 of 2 changes of the plan**: create A; not in the state: update B",
    );
  });

  test("says what it did and what not, and whether the plan is of use", () => {
    const some = report({
      ...progress,
      done: ["create A <b>"],
      open: ["update B"],
      unknown: ["create C"],
      isUsedUp: true,
    });
    expect(some).toContain("The plan is used up: the state has moved. Make a new plan: `make it`.");
    expect(some).toContain("**Done before it failed:**\n\n- create A &#60;b&#62;\n");
    expect(some).toContain("**Begun, with an outcome that is not known:**\n\n- create C\n");
    expect(some).toContain("**Not done:**\n\n- update B\n");
  });

  test("that it departed from its plan: what departed, and that it is not to be tried again", () => {
    const stderr =
      "    error: resource urn:pulumi:dev::p::pulumi-nodejs:dynamic/dataplatform:WhitelistedIp::office violates plan: properties changed: ~~ipCidr\n";
    const told = (output: string, isUsedUp = false) => report({ ...progress, isUsedUp }, output);
    expect(told(stderr)).toContain(
      "**The program departed from its plan, and was stopped.**\n\n- WhitelistedIp office: properties changed: &#126;&#126;ipCidr\n\n**Do not run it again before",
    );
    expect(told(stderr)).toContain("The state has not moved.\n");
    expect(told(stderr)).not.toContain("can be applied again");
    expect(told(stderr, true).match(/ake a new plan/g)).toHaveLength(1);
    expect(told("error: create is not allowed by the plan: no steps were expected for this resource")).toContain(
      "\n- create is not allowed by the plan: no steps",
    );
    expect(told("error: expected resource operations for urn:pulumi:dev::p::a:b:C::x but none were seen")).toContain(
      "departed from its plan",
    );
    expect(told("error: another one")).toContain("**Failed with exit code 1.**");
    const missing = "    error: expected resource operations for urn:pulumi:dev::p::a:b:C::x but none were seen\n";
    const failed = told(`${missing}    error: update failed\n    error: cannot create C: it is there already\n`);
    expect(failed, "what follows from a failure").toContain(
      "**Failed with exit code 1.**\n\n- cannot create C: it is there already\n",
    );
    expect(failed).not.toContain("departed");
    expect(failed, "a program may have printed the errors itself").toMatch(
      /\nThen expected resource operations for .* none were seen\. .*do not run it again before you know why\./,
    );
  });

  test("or that it did nothing", () => {
    const nothing = report({ ...progress, open: ["update B"] });
    expect(nothing).toContain("**Nothing of the plan was done.**");
    expect(nothing).toContain("the plan can be applied again");
  });
});
