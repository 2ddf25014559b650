import { expect, test } from "vitest";
import { z } from "zod";
import { rules } from "../../../policies";
import { policyViews } from "../../../policies/policy-elements";
import { permissionViews, roleViews } from "../../../policies/roles";
import { resources } from "../../../provider/resources";
import { ruleOf } from "./cases";

/* Rules see roles and permissions through views. A type that no view knows would pass every rule silently. */

const views = [policyViews, roleViews, permissionViews];
const seen = (type: string): readonly string[] => views.flatMap((view) => view[type]?.inputs ?? []);
/** What an input that is about access is called. */
const isAboutAccess = /polic|role|permission|grant|^(allow|deny|access|actions?)$/i;
/** Inputs whose names look like it, and that give nobody anything. */
const others: readonly string[] = [];

/** Whether the schema of an input has an access of its own somewhere: an element of a policy, whatever it is called. */
function holdsAccess(schema: z.ZodType): boolean {
  const shown = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return /"enum":\["allow","deny"\]/.test(JSON.stringify(shown));
}

test.each(resources)("$type: every input that gives roles or permissions is in a view", ({ type, inputs }) => {
  const about = Object.entries(inputs.shape)
    .filter(([name, schema]) => isAboutAccess.test(name) || holdsAccess(schema as z.ZodType))
    .map(([name]) => name)
    .filter((name) => !others.includes(`${type}.${name}`));
  expect([...seen(type)].sort()).toEqual(expect.arrayContaining(about.sort()));
});

test("the definitions that are about access are found by the names and the schemas of their inputs", () => {
  const found = resources.filter(({ inputs }) => Object.keys(inputs.shape).some((name) => isAboutAccess.test(name)));
  expect(found.map(({ type }) => type).sort()).toEqual(views.flatMap((view) => Object.keys(view)).sort());
  const policy = resources.find(({ type }) => type === "ObjectPolicy")!;
  expect(holdsAccess(policy.inputs.shape["policy"] as z.ZodType)).toBe(true);
  expect(holdsAccess(policy.inputs.shape["sourceId"] as z.ZodType)).toBe(false);
});

test("views name only inputs that there are", () => {
  for (const [type, { inputs, group }] of views.flatMap((view) =>
    Object.entries(view as Record<string, { readonly inputs: readonly string[]; readonly group?: string }>),
  )) {
    const shape = resources.find((one) => one.type === type)!.inputs.shape;
    // What destroy sets is a property of folders alone.
    const missing = inputs.filter((name) => !(name in shape));
    expect(missing, type).toEqual(type === "ObjectPolicy" ? ["destroyPolicy"] : []);
    if (group) expect(Object.keys(shape), type).toContain(group);
  }
});

test("each type in a view is judged by rules", () => {
  for (const type of views.flatMap((view) => Object.keys(view)))
    expect(rules.filter(({ types }) => types.includes(type)).length, type).toBeGreaterThan(0);
  for (const [name, view] of Object.entries({ "system-admin": roleViews, "manage-by-groups": policyViews }))
    expect(ruleOf(name).types).toEqual(expect.arrayContaining(Object.keys(view)));
});
