import { expect, test } from "vitest";
import { judgedProof, provenTree, updateMessage } from "../../../cli/pipeline/deployed";
import { newKeys } from "../../../cli/pipeline/keys";

/* What a stack was last deployed with is on record in the backend, where others can write. */

const keys = newKeys();
const [older, newer] = ["a".repeat(40), "b".repeat(40)];
const update = (tree: string, key: string | null = keys.signing, stack = "dev") => ({
  message: updateMessage({ tree, judged: judgedProof(stack, tree, key ?? undefined) }, "1".repeat(64)),
});

test("the newest update that carried out a sealed plan counts, whatever was done by hand since", () => {
  const updates = [{ message: "by hand" }, {}, update(newer), update(older)];
  expect(provenTree("dev", updates, keys.verify)).toBe(newer);
  expect(provenTree("dev", [], keys.verify)).toBeUndefined();
});

test.each([
  ["signs with another key", update(newer, newKeys().signing)],
  ["does not sign", update(newer, null)],
  ["takes the record of another stack", update(newer, keys.signing, "prod")],
  ["puts another tree into it", { message: update(older).message.replace(older, newer) }],
])("whoever can write to the backend and %s is passed over", (_what, forged) => {
  expect(provenTree("dev", [forged], keys.verify)).toBeUndefined();
  expect(provenTree("dev", [forged, update(older)], keys.verify)).toBe(older);
});

test("a key that was rotated counts as long as it is named", () => {
  const next = newKeys();
  expect(provenTree("dev", [update(older)], next.verify)).toBeUndefined();
  expect(provenTree("dev", [update(older)], `${next.verify}\n${keys.verify}`)).toBe(older);
});

test("where plans are not signed, it is believed", () => {
  expect(provenTree("dev", [update(newer, null)], undefined)).toBe(newer);
});
