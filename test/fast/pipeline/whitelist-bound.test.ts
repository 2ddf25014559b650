import { describe, expect, test } from "vitest";
import { driftIn, overwrittenIn, removedFrom } from "../../../cli/pipeline/drift";
import { type Bound, driftMisfits } from "../../../cli/pipeline/plan";
import { changesPart, inComment } from "../../../cli/pipeline/seal-report";
import { planned, urn } from "./planned";

const none = { added: [], removed: [], stays: [], unknown: [] };
const removing = (...addresses: string[]) => ({
  ...driftIn([]),
  whitelist: { ...none, removed: addresses.map((address) => ({ urn: urn("it"), address, why: "exclusive" })) },
});
const unread = { ...driftIn([]), whitelist: { ...none, unknown: ["not allowed (403)"] } };
const sealed = (drift: Parameters<typeof removedFrom>[0]) =>
  ({ drift: {}, whitelist: removedFrom(drift) }) as unknown as Bound;

test("a plan is bound to what it removes from the login whitelist", () => {
  const since = "drifted: the login whitelist has changed since the preview:";
  const two = sealed(removing("b", "a"));
  expect(two.whitelist).toEqual(["a", "b"]);
  expect(driftMisfits(two, removing("a", "b"))).toEqual([]);
  expect(driftMisfits(two, removing("b", "c"))).toEqual([
    `${since} c would be removed too; a would not be removed any more`,
  ]);
  expect(driftMisfits(sealed(driftIn([])), removing("c")), "where it removed nothing").toHaveLength(1);
});

test("what cannot be read is refused only if it could be when the plan was sealed", () => {
  expect(driftMisfits(sealed(removing("a")), unread)).toEqual([
    "not verifiable: what this removes from the login whitelist is not known: not allowed (403)",
  ]);
  expect(sealed(unread).whitelist).toBeUndefined();
  expect(driftMisfits(sealed(unread), removing("c"))).toEqual([]);
});

describe("what a plan creates over what is there", () => {
  const found = (...actions: string[]) => ({
    ...driftIn([]),
    overwritten: [{ urn: urn("notebook"), found: { policy: [{ access: "allow", action: actions }] } }],
  });
  const absent = { ...driftIn([]), overwritten: [{ urn: urn("notebook") }] };
  const blind = { ...driftIn([]), overwritten: [{ urn: urn("notebook"), unknown: "not allowed (403)" }] };
  const bound = (drift: Parameters<typeof overwrittenIn>[0]) =>
    ({ drift: {}, overwritten: overwrittenIn(drift) }) as unknown as Bound;

  test("binds it, also where there was nothing", () => {
    expect(driftMisfits(bound(found("read")), found("read"))).toEqual([]);
    expect(driftMisfits(bound(found("read")), found("all"))).toEqual([
      expect.stringMatching(
        /^drifted: what \S+ notebook overwrites has changed since the preview: it was .*"read".*, and is .*"all"/,
      ),
    ]);
    expect(driftMisfits(bound(absent), absent)).toEqual([]);
    expect(driftMisfits(bound(absent), found("all"))[0]).toContain("it was nothing, and is ");
  });

  test("cannot be judged where it could be read before and no more; what never could be is not bound", () => {
    expect(driftMisfits(bound(found("read")), blind)).toEqual([
      expect.stringMatching(/^not verifiable: what \S+ notebook overwrites is not known: not allowed \(403\)$/),
    ]);
    expect(driftMisfits(bound(blind), found("all"))).toEqual([]);
  });

  test("stands beside what is created", () => {
    const one = planned({ urn: urn("notebook"), op: "create", after: { policy: [] } });
    const row = (drift: Parameters<typeof overwrittenIn>[0]) =>
      changesPart([one], new Map(), inComment, drift).lines.join("\n");
    expect(row(found("read"))).toContain('takes the place of `[{"access":"allow","action":["read"]}]`');
    expect(row(blind)).toContain("what is there already is not known: not allowed (403)");
    expect(row(absent)).not.toMatch(/takes the place|not known/);
  });
});
