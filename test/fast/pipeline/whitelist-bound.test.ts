import { expect, test } from "vitest";
import { driftIn, removedFrom } from "../../../cli/pipeline/drift";
import { type Bound, driftMisfits } from "../../../cli/pipeline/plan";
import { urn } from "./planned";

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
