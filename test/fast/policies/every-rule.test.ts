import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineRule, type Rule, rules, unknownYet } from "../../../policies";
import { resources } from "../../../provider/resources";
import { root } from "../../harness/engine";
import { messages, resource } from "./cases";

const types = resources.map(({ type }) => type);

test.each(rules)("$name has a name for files, and all that its page needs", (rule) => {
  expect(rule.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  for (const text of [rule.description, rule.why, rule.fix]) expect(text).toMatch(/^[A-Z].*\.$/s);
  for (const type of rule.types) expect([...types, "*"]).toContain(type);
  for (const option of Object.values(rule.options))
    expect(option).toMatchObject({ description: expect.stringMatching(/\.$/), default: expect.anything() });
  expect(rule.level).toBe("advisory");
  expect(rule.checkResource ?? rule.checkStack).toBeDefined();
  const [, page = ""] = /^node_modules\/pulumi-dataplatform\/(.*)$/.exec(rule.page ?? "") ?? [];
  expect(existsSync(join(root, page)), rule.page).toBe(true);
});

test("a rule of one's own has no page", () => {
  const own = defineRule({
    ...{ name: "own", description: "It holds.", why: "It matters.", fix: "Mend it.", types: ["Folder"] },
    checkResource: (folder) => [{ resource: folder, problem: "is wrong" }],
  });
  expect(messages(own, [resource("Folder")])).toEqual(["Folder it: is wrong. It matters. Mend it."]);
});

test.each(rules)("$name says nothing about what is unknown, and about nothing at all", (rule) => {
  for (const definition of resources) {
    const inputs = Object.keys(definition.inputs.shape).map((name) => [name, unknownYet]);
    const unknown = resource(definition.type, Object.fromEntries(inputs), { isProtected: true });
    const several = [unknown, { ...unknown, urn: `${unknown.urn}-2` }];
    expect(messages(rule, several, { options: optionsFor(rule) }), definition.type).toEqual([]);
  }
  expect(messages(rule, [])).toEqual([]);
});

test.each(rules)("$name does not fail on values of any shape", (rule) => {
  const shapes = [null, 7, true, "", [], [null], [[]], {}, { a: null }, [{ access: 1, action: "x", condition: [] }]];
  for (const { type, inputs } of resources)
    for (const shape of shapes) {
      const odd = resource(type, Object.fromEntries(Object.keys(inputs.shape).map((name) => [name, shape])));
      const judging = () => messages(rule, [odd, odd], { options: optionsFor(rule) });
      expect(judging, `${type} ${JSON.stringify(shape)}`).not.toThrow();
    }
});

/** All options set, so that no branch is left out. */
function optionsFor(rule: Rule): Record<string, unknown> {
  const options = Object.entries(rule.options).filter(([name]) => name !== "allowedGroups");
  return Object.fromEntries(
    options.map(([name, { type, items, default: value }]) => {
      const list = items?.type === "string" ? ["198.51.100.10"] : ["198.51.100.10", 7];
      return [name, type === "array" ? list : type === "string" ? "prod" : value];
    }),
  );
}
