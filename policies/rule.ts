import type { Resource } from "./resource";

/** `disabled` turns a rule off, `advisory` warns, `mandatory` fails the preview or the update. */
export type Level = "advisory" | "mandatory" | "disabled";

/** JSON Schema of an option, which the engine checks the pack's configuration against. */
export interface Option {
  readonly type: "string" | "integer" | "boolean" | "array";
  readonly description: string;
  readonly default: unknown;
  readonly items?: { readonly type: string | readonly string[] };
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a rule found. The message is made of it: `<Type> <name>: <property> <problem>. <why> <fix>`. */
export interface Violation {
  readonly resource: Resource;
  /** Path of the property: `policy[0].action`. Absent if it is about the resource as a whole. */
  readonly property?: string;
  /** What is wrong, after the property's name: `is 0.0.0.0/0, the whole internet`. Never holds a secret. */
  readonly problem: string;
  /** Why it matters, if it is not what the rule says in general. */
  readonly why?: string;
  /** What to do, if it is not what the rule says in general. */
  readonly fix?: string;
  /** The rule cannot tell. What is mandatory must be certain, so that it counts there, and nowhere else. */
  readonly isUnsure?: boolean;
}

/** What a rule knows besides the resources. */
export interface Context<Options> {
  readonly options: Options;
  /** What a plan takes out of the stack, of the rule's types, where that is known. */
  readonly removed?: readonly Resource[];
  /** The key of the stack's configuration that holds this text unencrypted, if there is one. */
  readonly plainConfigKey: (text: string) => string | undefined;
}

/** The options of a rule, by name. */
export type OptionTypes = Readonly<Record<string, unknown>>;

export interface Rule<Options extends object = OptionTypes> {
  readonly name: string;
  /** What holds when nothing is wrong, in one sentence. */
  readonly description: string;
  readonly why: string;
  readonly fix: string;
  /** What it does not see, for its page. */
  readonly limits?: string;
  readonly level: Level;
  /** The types that it is about; no others are read. */
  readonly types: readonly string[];
  readonly options: { readonly [Name in keyof Options]: Option };
  /** Options without which it cannot judge, and what it does not see then. */
  readonly needs?: { readonly [Name in keyof Options]?: string };
  /** Whether it must see which values are secret, which a pack made with @pulumi/policy cannot. */
  readonly seesSecrets: boolean;
  /** Where a user finds the page about the rule. */
  readonly page?: string;
  /** Judges the inputs of one resource, before it is created or changed. */
  readonly checkResource?: ((resource: Resource, context: Context<Options>) => readonly Violation[]) | undefined;
  /** Judges all resources of the stack, at the end of a preview or an update. */
  readonly checkStack?:
    | ((resources: readonly Resource[], context: Context<Options>) => readonly Violation[])
    | undefined;
}

type Defined<Options extends object> = Omit<Rule<Options>, "level" | "options" | "seesSecrets"> &
  Partial<Pick<Rule<Options>, "level" | "seesSecrets">> &
  (keyof Options extends never ? { readonly options?: never } : Pick<Rule<Options>, "options">);

/** A rule; advisory unless it says otherwise. */
// biome-ignore lint/complexity/noBannedTypes: a rule without options has no properties there
export function defineRule<Options extends object = {}>(rule: Defined<Options>): Rule {
  return { level: "advisory", options: {}, seesSecrets: false, ...rule } as unknown as Rule;
}

/** What the user reads: which resource, which property, why it matters, what to do. */
export function messageOf(rule: Rule, violation: Violation): string {
  const { resource, property, problem, why = rule.why, fix = rule.fix } = violation;
  const subject = `${resource.type} ${resource.name}: ${property === undefined ? "" : `${property} `}${problem}`;
  return `${subject}. ${why} ${fix}${rule.page === undefined ? "" : ` (${rule.page})`}`;
}

/** Options that the rule needs and does not have. The engine fills in defaults, so one of these is as good as none. */
export function missingOptions(rule: Rule, options: OptionTypes): [option: string, unseen: string][] {
  const isUnset = (name: string) =>
    JSON.stringify(options[name] ?? []) === "[]" ||
    JSON.stringify(options[name]) === JSON.stringify(rule.options[name]?.default);
  return Object.entries(rule.needs ?? {}).flatMap(([name, unseen]) =>
    unseen && isUnset(name) ? [[name, unseen]] : [],
  );
}

/** The options of a rule: what is configured, else the defaults. */
export function optionsOf(rule: Rule, configured: OptionTypes = {}): OptionTypes {
  const defaults = Object.entries(rule.options).map(([name, option]) => [name, option.default] as const);
  return { ...Object.fromEntries(defaults), ...configured };
}
