import { expect, test } from "vitest";
import { objectGrant } from "../../../provider/resources/object-grant";
import { answeredPolicy, isRewritten } from "../../../provider/values/policy";
import { inProcess } from "../../harness/in-process";
import { type Switches, startSecondPlatform, switchCatalogue } from "../../second-platform";

/** Other ids than those of the inputs: `user` is the `id` of `getUsers`. */
const otherIds = "policyUserIds user_id of get_users";
/** Every reading of policies on the other platform but the usual ones, for an object with a policy and one without. */
const cases = Object.entries(switchCatalogue)
  .filter(([name]) => name.startsWith("policy"))
  .flatMap(([name, values]) => values.slice(1).map((value) => [name, value] as const))
  .filter((one) => one.join(" ") !== otherIds);

const user = 13;
const naming = (of: number, policy: readonly { condition?: { svc_users?: unknown[] } }[] | null) =>
  (policy ?? []).filter(({ condition }) => condition?.svc_users?.map(String).includes(String(of)));

/** These refuse or ignore a policy without elements, so the last grant cannot be taken out. */
const keepsTheLast = ["policyEmpty refused", "policyEmpty without effect"];

test.concurrent.each(cases)("%s is %s: granted, read without drift, and taken out", async (name, value) => {
  const platform = await startSecondPlatform({ [name]: value } as Partial<Switches>);
  const clock = setInterval(() => platform.advance(1000), 10);
  try {
    const start = () => inProcess(objectGrant, platform, { token: platform.tokens.admin, hurried: true });
    const policyOf = (id: number) =>
      platform.state().objects.find((object) => object.id === id && object.type === "note")!.policy;
    const { life: its, said } = start();
    for (const sourceId of [501, 502]) {
      const before = policyOf(sourceId);
      const args = { sourceType: "note", sourceId: String(sourceId), user, allow: ["all"], deny: ["manage"] };
      const { id, state } = await its.create(args);
      expect(naming(user, policyOf(sourceId))).not.toEqual([]);
      await expect(start().life.read(id, state)).resolves.toEqual({ id, state });
      const removed = its.delete(id, state);
      if (sourceId === 502 && keepsTheLast.includes(`${name} ${value}`)) {
        await expect(removed).rejects.toThrow(/empty|does not show it/);
        continue;
      }
      await removed;
      expect(naming(user, policyOf(sourceId))).toEqual([]);
      // The view may show other spellings, an order or an owner's element, which are then written back.
      const [left, first] = [policyOf(sourceId), before].map((policy) => answeredPolicy.parse(policy) ?? []);
      if (first!.length > 0) expect(isRewritten(left!, first!)).toBe(true);
      // What the platform has added itself is no different from what somebody has.
      const isShown = value === "deny-all appended" && sourceId === 502;
      expect(said.warnings).toEqual(isShown ? [expect.stringContaining("which was taken out with the grant")] : []);
    }
  } finally {
    clearInterval(clock);
    await platform.close();
  }
});
