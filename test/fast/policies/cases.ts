import { describe, expect, test } from "vitest";
import { type Rule, rules } from "../../../policies";
import { Judge } from "../../../policies/judge";
import { isWithin, type Resource } from "../../../policies/resource";
import type { Level, OptionTypes } from "../../../policies/rule";
import type { Properties } from "../../../policies/values";

interface Described {
  readonly name?: string;
  readonly isProtected?: boolean;
  readonly provider?: string | undefined;
  readonly secrets?: readonly string[];
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
}

export const urnOf = (type: string, name: string): string =>
  `urn:pulumi:dev::project::dataplatform:index:${type}::${name}`;

/** A resource as a rule sees it. */
export function resource(type: string, properties: Properties = {}, described: Described = {}): Resource {
  const { name = "it", isProtected = false, provider, secrets = [], dependencies = {} } = described;
  return {
    ...{ type, urn: urnOf(type, name), name, project: "project", stack: "dev", properties, isProtected, provider },
    dependenciesOf: (property) => dependencies[property] ?? [],
    isSecret: (path) => isWithin(new Set(secrets), path),
  };
}

interface Judged {
  readonly level?: Level;
  readonly options?: OptionTypes;
  readonly plainConfig?: Readonly<Record<string, string>>;
}

export const ruleOf = (name: string): Rule => rules.find((rule) => rule.name === name)!;

/** What a rule says about these resources of one stack. */
export function messages(rule: Rule, resources: readonly Resource[], judged: Judged = {}): string[] {
  const { level = "advisory", options = {}, plainConfig = {} } = judged;
  const judge = new Judge([rule]);
  judge.configure(new Map([[rule.name, { level, options }]]));
  judge.plainConfig = new Map(Object.entries(plainConfig));
  const found = [...resources.flatMap((one) => judge.judgeResource(one)), ...judge.judgeStack(resources)];
  return found.map(({ message }) => message);
}

type Case = readonly [about: string, reported: string, ...resources: Resource[]];

/** The branches of one rule: what it reports about the resources of one stack, as `name property, …`. */
export function casesOf(name: string, cases: readonly Case[], judged?: Judged): void {
  describe(name, () => {
    for (const [about, expected, ...resources] of cases)
      test(`${about}: ${expected || "nothing"}`, () => {
        const reported = messages(ruleOf(name), resources, judged).map((message) => {
          const [, of, property] = /^\w+ ([\w-]+): (\w+(?:\.\w+|\[\d+\])*) /.exec(message) ?? [];
          return `${of} ${property}`;
        });
        expect(reported.join(", ")).toBe(expected);
      });
  });
}
