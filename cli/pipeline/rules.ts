import { join } from "node:path";
import { type Finding, Judge, type RuleConfig } from "../../policies/judge";
import { plain } from "../../policies/plain";
import { isWithin, type Resource } from "../../policies/resource";
import type { Level, OptionTypes } from "../../policies/rule";
import { rules as ownRules } from "../../policies/rules";
import type { Properties } from "../../policies/values";
import { ownType, urnParts } from "../../provider/core/urn";
import { toolName } from "../version";
import { readJson } from "./guarded-text";
import { installedDigest } from "./installed";
import type { RulesProof } from "./plan";
import { type Planned, staysBecause } from "./planned";
import { Refused } from "./refused";
import { sha256 } from "./state";

type RuleConfigs = ReadonlyMap<string, RuleConfig>;

const levels: Readonly<Record<string, Level>> = {
  disabled: "disabled",
  advisory: "advisory",
  mandatory: "mandatory",
  // No rule can repair a resource, so it means the same.
  remediate: "mandatory",
};
const ranks: readonly Level[] = ["disabled", "advisory", "mandatory"];
export const isWeaker = (one: Level, other: Level): boolean => ranks.indexOf(one) < ranks.indexOf(other);

/** What `policies.json` says about every rule. `text`: undefined if there is no file. */
export function readRules(text: string | undefined, file = "policies.json"): RuleConfigs {
  const wrong = (why: string): Refused => new Refused([`not verifiable: ${file} ${why}`]);
  let config: Record<string, unknown>;
  try {
    config = text === undefined ? {} : (readJson(text) as typeof config);
  } catch (error) {
    throw wrong(`cannot be read: ${(error as Error).message}`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) throw wrong("is not an object");
  const unknown = Object.keys(config).find((name) => name !== "all" && !ownRules.some((rule) => rule.name === name));
  if (unknown !== undefined) throw wrong(`names a rule that does not exist: ${unknown}`);
  const all = entryOf(config["all"], "all", wrong).level;
  return new Map(
    ownRules.map((rule) => {
      const { level, options } = entryOf(config[rule.name], rule.name, wrong);
      const other = Object.keys(options).find((name) => !(name in rule.options));
      if (other !== undefined) throw wrong(`sets an option that ${rule.name} does not have: ${other}`);
      return [rule.name, { level: level ?? all ?? rule.level, options }];
    }),
  );
}

function entryOf(
  entry: unknown,
  name: string,
  wrong: (why: string) => Error,
): { readonly level: Level | undefined; readonly options: OptionTypes } {
  if (entry === undefined) return { level: undefined, options: {} };
  const { enforcementLevel: level, ...options } = (
    typeof entry === "string" ? { enforcementLevel: entry } : (entry ?? {})
  ) as Record<string, unknown>;
  if (level !== undefined && !(typeof level === "string" && Object.hasOwn(levels, level)))
    throw wrong(`gives ${name} a level that does not exist`);
  return { level: level === undefined ? undefined : levels[level], options };
}

/** Which pack judged, by the files that it is made of, and by which configurations. */
export function rulesProof(base: string | undefined, head: string | undefined): RulesProof {
  const files = installedDigest(join(__dirname, "../../policies")).slice(0, 12);
  const digest = (text: string | undefined): string => (text === undefined ? "none" : sha256(text));
  return { pack: `${toolName()} (rules ${files})`, base: digest(base), head: digest(head) };
}

/** Judges what a plan leads to, by each of these configurations; of two levels, the stricter counts. */
export function judgePlan(
  planned: readonly Planned[],
  configs: readonly RuleConfigs[],
  plainConfig: ReadonlyMap<string, string>,
): Finding[] {
  const found = new Map<string, Finding>();
  const resources = planned.flatMap((one) => (one.after === undefined ? [] : resourceOf(one, one.after)));
  const stack = planned.flatMap((one) =>
    one.after === undefined ? [] : resourceOf(one, { ...one.outputs, ...one.after }),
  );
  const isRemoved = (one: Planned): boolean => one.op === "delete" && !staysBecause(one, planned);
  const removed = planned.filter(isRemoved).flatMap((one) => resourceOf(one, one.before));
  for (const [index, config] of configs.entries()) {
    const judge = new Judge(ownRules);
    judge.configure(config);
    judge.plainConfig = plainConfig;
    const own = [...resources.flatMap((one) => judge.judgeResource(one)), ...judge.judgeStack(stack, removed)];
    // An option that the change sets is not missing.
    const blind = index === configs.length - 1 ? judge.findBlind(stack) : [];
    for (const finding of [...own, ...blind]) {
      const key = JSON.stringify([finding.rule.name, finding.urn, finding.message]);
      const before = found.get(key);
      if (!before || isWeaker(before.level, finding.level)) found.set(key, finding);
    }
  }
  return [...found.values()].sort((a, b) => ranks.indexOf(b.level) - ranks.indexOf(a.level));
}

/** Only our own types are judged. */
function resourceOf(one: Planned, values: Properties): Resource[] {
  const type = ownType(one.type);
  if (type === undefined) return [];
  const secrets = new Set<string>();
  const properties = plain(values, "", secrets) as Properties;
  const { name, project, stack } = urnParts(one.urn);
  return [
    {
      type,
      urn: one.urn,
      name,
      project,
      stack,
      properties,
      isProtected: one.isProtected,
      provider: one.provider,
      dependenciesOf: (property) => one.dependencies[property] ?? [],
      isSecret: (path) => isWithin(secrets, path),
    },
  ];
}
