import { containsUnknown } from "../../provider/core/engine-values";
import type { Managed } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";
import type { Plan } from "./plan";

/** Says what a plan knows about access that is decided only by the update. */
export class Later {
  readonly #plan: Plan | undefined;

  constructor(plan: Plan | undefined) {
    this.#plan = plan;
  }

  /** `a grant of manage to a group that up creates (Group late), with the members ana@example.com` */
  grant(resource: Managed): string {
    const { allow, deny, user, group } = resource.state;
    const who =
      user !== undefined
        ? this.#principal(resource, "user", user, "user")
        : this.#principal(resource, "group", group, "group");
    const parts = [
      allow === undefined ? "" : `a grant of ${actionsIn(allow)} to ${who}`,
      deny === undefined ? "" : `a denial of ${actionsIn(deny)} to ${who}`,
    ];
    return parts.filter(Boolean).join(", and ");
  }

  /** `known only after up: it names a group that up creates (Group late)` */
  policy(resource: Managed, property: string): string {
    const created = this.#createdBy(resource, property);
    const names = created.map((group) => `a group that up creates (${this.#described(group)})`);
    return names.length > 0 ? `known only after up: it names ${names.join(" and ")}` : "known only after up";
  }

  #principal(resource: Managed, property: string, value: unknown, kind: string): string {
    if (!containsUnknown(value)) return `${kind} ${String(value)}`;
    const [group] = this.#createdBy(resource, property);
    if (group) return `a group that up creates (${this.#described(group)})`;
    return `a ${kind} that is known only after up`;
  }

  /** The groups that a property of the resource comes from, and that do not exist yet. */
  #createdBy({ urn }: Managed, property: string): Managed[] {
    const sources = this.#plan?.dependencies.get(urn)?.[property] ?? [];
    return (this.#plan?.written ?? []).filter((one) => one.type === "Group" && sources.includes(one.urn));
  }

  #described(group: Managed): string {
    const members = this.#membersOf(group);
    return `Group ${group.name}${members.length > 0 ? `, with the members ${members.join(", ")}` : ""}`;
  }

  #membersOf(group: Managed): string[] {
    const joining = (this.#plan?.written ?? []).filter(
      (one) => one.type === "GroupMembership" && this.#createdBy(one, "group").includes(group),
    );
    const lists = [group.state["members"], ...joining.map(({ state }) => state["users"])];
    return [...new Set(lists.flatMap(textsIn))];
  }
}

/** Without what is unknown, and what the plan masks. */
function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => !containsUnknown(one) && one !== maskedSecret).map(String) : [];
}

function actionsIn(list: unknown): string {
  return containsUnknown(list) || !Array.isArray(list) ? "actions that are known only after up" : list.join(", ");
}
