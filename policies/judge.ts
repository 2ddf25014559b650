import type { Resource } from "./resource";
import {
  type Context,
  type Level,
  messageOf,
  missingOptions,
  type OptionTypes,
  optionsOf,
  type Rule,
  type Violation,
} from "./rule";

/** What the pack's configuration says about a rule. */
export interface RuleConfig {
  readonly level: Level;
  readonly options: OptionTypes;
}

export interface Finding {
  readonly rule: Rule;
  readonly level: Level;
  readonly urn: string;
  readonly message: string;
  /** It is about the rule, which lacks an option, and not about a resource. */
  readonly isBlind?: true;
}

/** The pack's configuration names something that there is not. */
export class ConfigError extends Error {}

/** Applies the rules that are enabled, with their options. */
export class Judge {
  readonly #rules: readonly Rule[];
  #active: readonly Active[] = [];
  #resourceTypes = new Types([]);
  #stackTypes = new Types([]);
  #plainConfig: ReadonlyMap<string, string> = new Map();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.configure(new Map());
  }

  configure(config: ReadonlyMap<string, RuleConfig>): void {
    this.#refuseUnknown(config);
    this.#active = this.#rules
      .map((rule) => ({
        rule,
        level: config.get(rule.name)?.level ?? rule.level,
        options: optionsOf(rule, config.get(rule.name)?.options),
      }))
      .filter(({ level }) => level !== "disabled");
    this.#resourceTypes = new Types(this.#active.filter(({ rule }) => rule.checkResource));
    const isBlind = ({ rule, options }: Active) => missingOptions(rule, options).length > 0;
    this.#stackTypes = new Types(this.#active.filter((one) => one.rule.checkStack || isBlind(one)));
  }

  /** A misspelt name would turn nothing off, and set no option. */
  #refuseUnknown(config: ReadonlyMap<string, RuleConfig>): void {
    const quoted = (names: readonly string[]) => names.join(", ") || "none";
    for (const [name, { options }] of config) {
      // The engine has given its level to all rules by now.
      if (name === "all") continue;
      const rule = this.#rules.find((one) => one.name === name);
      if (!rule)
        throw new ConfigError(`there is no rule ${name}; the rules are ${quoted(this.#rules.map((one) => one.name))}`);
      const known = Object.keys(rule.options);
      const wrong = Object.keys(options).find((option) => !known.includes(option));
      if (wrong !== undefined)
        throw new ConfigError(`rule ${name} has no option ${wrong}; its options are ${quoted(known)}`);
    }
  }

  /** Values of the stack's configuration that are not encrypted, with their keys. */
  set plainConfig(values: ReadonlyMap<string, string>) {
    this.#plainConfig = values;
  }

  /** Whether a rule is about single resources of this type. */
  isAboutResource = (type: string): boolean => this.#resourceTypes.include(type);
  /** Whether a rule is about the stack's resources of this type. */
  isAboutStack = (type: string): boolean => this.#stackTypes.include(type);

  judgeResource(resource: Resource): Finding[] {
    return this.#apply(({ checkResource, types }, context) =>
      checkResource && isAbout(types, resource.type) ? checkResource(resource, context) : [],
    );
  }

  /** `removed`: what a plan takes out of it. */
  judgeStack(resources: readonly Resource[], removed: readonly Resource[] = []): Finding[] {
    return this.#apply(({ checkStack, types }, context) => {
      const [own, gone] = [resources, removed].map((some) => some.filter(({ type }) => isAbout(types, type))) as [
        Resource[],
        Resource[],
      ];
      return checkStack && own.length + gone.length > 0 ? checkStack(own, { ...context, removed: gone }) : [];
    });
  }

  /** Rules that are about these resources and lack an option to judge them: warnings, whatever the level of the rule. */
  findBlind(resources: readonly Resource[]): Finding[] {
    return this.#active.flatMap(({ rule, options }) => {
      const first = resources.find(({ type }) => isAbout(rule.types, type));
      if (!first) return [];
      return missingOptions(rule, options).map(([option, unseen]) => ({
        rule,
        level: "advisory" as const,
        urn: first.urn,
        isBlind: true as const,
        message: `the rule ${rule.name} cannot judge ${unseen}: its option ${option} is not set. Set it in the configuration of the policy pack.${rule.page === undefined ? "" : ` (${rule.page})`}`,
      }));
    });
  }

  #apply(check: (rule: Rule, context: Context<OptionTypes>) => readonly Violation[]): Finding[] {
    const plainConfigKey = (text: string) => this.#plainConfig.get(text);
    return this.#active.flatMap(({ rule, level, options }) =>
      check(rule, { options, plainConfigKey })
        .filter(({ isUnsure }) => !isUnsure || level === "mandatory")
        .map((violation) => ({ rule, level, urn: violation.resource.urn, message: messageOf(rule, violation) })),
    );
  }
}

interface Active extends RuleConfig {
  readonly rule: Rule;
}

/** The types that some rules are about. */
class Types {
  readonly #types: ReadonlySet<string>;

  constructor(active: readonly Active[]) {
    this.#types = new Set(active.flatMap(({ rule }) => rule.types));
  }

  include(type: string): boolean {
    return this.#types.has("*") || this.#types.has(type);
  }
}

function isAbout(types: readonly string[], type: string): boolean {
  return types.includes("*") || types.includes(type);
}
