import { containsUnknown } from "../../provider/core/engine-values";
import type { Managed } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";
import { newGroupsIn, type Plan, type Step } from "./plan";

// What the steps of a plan say about access that is decided only by the update.

/** `a grant of manage to a group that up creates (Group late, with the members ana@example.com)` */
export function grantText(step: Step, steps: Plan["steps"]): string {
  const { allow, deny, user } = step.after!.state;
  const who = principalText(step, user === undefined ? "group" : "user", steps);
  const parts = [
    allow === undefined ? "" : `a grant of ${actionsIn(allow)} to ${who}`,
    deny === undefined ? "" : `a denial of ${actionsIn(deny)} to ${who}`,
  ];
  return parts.filter(Boolean).join(", and ");
}

/** `known only after up: it names a group that up creates (Group late)` */
export function policyText(step: Step, steps: Plan["steps"]): string {
  const names = newGroupsIn(step, "policy", steps).map((group) => groupText(group, steps));
  return names.length > 0 ? `known only after up: it names ${names.join(" and ")}` : "known only after up";
}

function principalText(step: Step, kind: "user" | "group", steps: Plan["steps"]): string {
  const value = step.after!.state[kind];
  if (!containsUnknown(value)) return `${kind} ${String(value)}`;
  const [group] = newGroupsIn(step, kind, steps);
  return group ? groupText(group, steps) : `a ${kind} that is known only after up`;
}

function groupText(group: Managed, steps: Plan["steps"]): string {
  const joining = steps.filter(
    (step) => step.after?.type === "GroupMembership" && newGroupsIn(step, "group", steps).includes(group),
  );
  const lists = [group.state["members"], ...joining.map(({ after }) => after!.state["users"])];
  const members = [...new Set(lists.flatMap(textsIn))];
  const named = members.length > 0 ? `, with the members ${members.join(", ")}` : "";
  return `a group that up creates (Group ${group.name}${named})`;
}

/** Without what is unknown, and what the plan masks. */
function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => !containsUnknown(one) && one !== maskedSecret).map(String) : [];
}

function actionsIn(list: unknown): string {
  return containsUnknown(list) || !Array.isArray(list) ? "actions that are known only after up" : list.join(", ");
}
