import { describe, expect, test } from "vitest";
import { type Rule, rules } from "../../../policies";
import { type Judged, reported, type resource } from "./resource";

export const ruleOf = (name: string): Rule => rules.find((rule) => rule.name === name)!;

type Resources = readonly ReturnType<typeof resource>[];
type Case = readonly [about: string, given: Resources, reported: readonly string[], judged?: Judged];

/** The branches of one rule: what it reports about these resources, as `name property`. */
export function casesOf(name: string, cases: readonly Case[]): void {
  describe(name, () => {
    for (const [about, given, expected, judged] of cases)
      test(about, () => expect(reported(ruleOf(name), given, judged)).toEqual(expected));
  });
}
