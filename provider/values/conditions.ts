import type { Element } from "./policy";

/** What may narrow an element down: conditions that the manual does not know, and that say something else than who it is about. */
export function unknownConditionsOf({ condition = {} }: Element): string[] {
  const { svcUsers: _, svcGroups: __, ...others } = condition;
  const mayNarrow = ([name, value]: [string, unknown]) => !saysNothing(value) && !saysWho(name, value, condition);
  return Object.entries(others).flatMap((other) => (mayNarrow(other) ? [other[0]] : []));
}

/** A platform may show names beside the ids, such as `svc_group_names`: one for each of them. */
export function saysWho(field: string, value: unknown, condition: Element["condition"]): boolean {
  const [, who] =
    /^(?:svc)?(user|group)s?(?:display|full)?(?:name|e?mail|login|label)s?$/i.exec(field.replace(/[_-]/g, "")) ?? [];
  const ids = (who?.toLowerCase() === "user" ? condition?.svcUsers : condition?.svcGroups) ?? [];
  const said = typeof value === "string" ? value.split(",") : Object(value);
  return who !== undefined && Object.keys(said).length === ids.length;
}

function saysNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
