import fc from "fast-check";
import type { PlainPolicy } from "../../../sdk/explain";

/** Policies of elements that overlap where there are few ids, and that may leave out all but the access. */
export const anyPolicy = (users: number[], groups: number[]): fc.Arbitrary<PlainPolicy> =>
  fc.array(
    fc.record(
      {
        access: fc.constantFrom("allow" as const, "deny" as const),
        action: fc.subarray(["read", "update", "delete", "manage", "all"] as const).map((actions) => [...actions]),
        condition: fc.record({ svcUsers: fc.subarray(users), svcGroups: fc.subarray(groups) }, { requiredKeys: [] }),
      },
      { requiredKeys: ["access"] },
    ),
    { maxLength: 6 },
  );
