import type { PolicyElement } from "./policy-elements";
import type { Option } from "./rule";

export type Ids = readonly (string | number)[];

/** The option with which a rule knows the platform's own group of everybody: its id differs between accounts. */
export const everybodyGroups: Option = {
  type: "array",
  items: { type: ["string", "integer"] },
  default: ["everyone"],
  description:
    "Ids of the groups that everybody in the account is in. Policies name groups by id, so set the id of your account's group `everyone`, which `getGroups` and `dataplatform access` show.",
};

/** What a rule does not see without it. */
export const needsEverybody = { everybodyGroups: "what is allowed, by id, to the group that everybody is in" } as const;

/** How an element reaches everybody in the account: `everybody`, `everybody (group 203)`. Undefined if it does not. */
export function everybodyIn({ isForEverybody, groups }: PolicyElement, everybody: Ids): string | undefined {
  if (isForEverybody) return "everybody";
  // Some platforms read 0203 as 203.
  const plain = (id: string | number): string => String(id).replace(/^0+(?=\d)/, "");
  const ids = new Set(everybody.map(plain));
  const found = groups.find((group) => ids.has(plain(group)));
  return found === undefined ? undefined : `everybody (group ${found})`;
}
