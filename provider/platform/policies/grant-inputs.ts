import { z } from "zod";
import type { Grant } from "../../values/grant";
import { numberId, sameId } from "../../values/id";
import { sameReferences } from "../../values/references";
import { flag } from "../../values/simple";

/** The inputs that say what one principal may do. `words`: what the documentation says of the two lists. */
export const grantInputs = <A extends z.ZodType<string>>(action: A, words: Record<"allow" | "deny", string>) => ({
  user: numberId
    .optional()
    .describe(
      "User that the grant is for: an id as in `svcUsers` of a policy, which is not the ordinary user id. The API's manual does not say where to find it; the provider takes the `id` of `getUsers`. Set either `user` or `group`.",
    ),
  group: numberId.optional().describe("Group that the grant is for: its id. Set either `user` or `group`."),
  allow: actionList(action).describe(words.allow),
  deny: actionList(action).describe(words.deny),
});

/** A list of actions that is left out rather than empty. */
const actionList = <A extends z.ZodType<string>>(action: A) =>
  z.array(action).optional().meta({ hasNoDefault: true, leftOutIfEmpty: true });

export const adoptInput = flag.describe(
  "Whether to take over, and change, what the policy already says about this user or group alone. Otherwise that is an error, unless it is the same. Default: `false`.",
);

const sameActions = sameReferences(false);
export const sameGrant = { user: sameId, group: sameId, allow: sameActions, deny: sameActions };

type Report = (property: "user" | "group" | "allow" | "deny", reason: string) => void;

/** One principal, at least one action, and no action both allowed and denied. */
export function grantRules(known: Grant, report: Report, unknown: (property: keyof Grant) => boolean): void {
  const isSet = (name: keyof Grant) => known[name] !== undefined || unknown(name);
  if (isSet("user") && isSet("group")) report("group", "is set together with user; a grant is for one of them");
  if (!isSet("user") && !isSet("group")) report("user", "is missing, and so is group; set one of the two");
  if (!isSet("allow") && !isSet("deny"))
    report("allow", "is missing, and so is deny; set one or both, with at least one action");
  const both = (known.allow ?? []).filter((action) => known.deny?.includes(action));
  if (both.length > 0) report("deny", `lists ${both.join(", ")}, which allow lists too; choose one of the two`);
}

/** What the two documentations have in common. */
export const mergingGrants = (noun: "object" | "folder"): string =>
  `The grant stands before elements that may deny what it allows, or allow what it denies. It is not added to ${closing[noun]}; to deny everything else, add \`deny: ["all"]\`. An element that names the same user or group together with others is left alone; if it contradicts the grant, there is a warning.

The API writes a policy as a whole, and without conditions. So the provider reads the policy, merges the grant, writes, and reads again; if another writer was faster, it tries again. Grants of one run on one ${noun} are written together. What remains: if two stacks, or a stack and a person, change the policy of one ${noun} in the same moment, the later write can undo the earlier one. The next \`pulumi refresh\` notices that a grant is missing, and \`pulumi up\` adds it again; a change that a person made in the user interface must be made again by hand.`;

const closing = {
  object: "the deny-all element with which policies from the user interface end",
  folder: "a deny-all element at the end of the policy",
};
