import { Judge } from "../../../policies/judge";
import { isWithin, type Resource } from "../../../policies/resource";
import type { Level, OptionTypes, Rule } from "../../../policies/rule";
import type { Properties } from "../../../policies/values";

export interface Described {
  readonly name?: string;
  readonly properties?: Properties;
  readonly isProtected?: boolean;
  readonly provider?: string;
  readonly secrets?: readonly string[];
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
}

/** A resource as a rule sees it. */
export function resource(type: string, properties: Properties = {}, described: Described = {}): Resource {
  const { name = "it", isProtected = false, provider, secrets = [], dependencies = {} } = described;
  return {
    type,
    urn: urnOf(type, name),
    name,
    project: "project",
    stack: "dev",
    properties,
    isProtected,
    provider,
    dependenciesOf: (property) => dependencies[property] ?? [],
    isSecret: (path) => isWithin(new Set(secrets), path),
  };
}

export function urnOf(type: string, name: string): string {
  return `urn:pulumi:dev::project::dataplatform:index:${type}::${name}`;
}

export interface Judged {
  readonly level?: Level;
  readonly options?: OptionTypes;
  readonly plainConfig?: Readonly<Record<string, string>>;
}

/** The properties that a rule reports, as `name property`, about these resources of one stack. */
export function reported(rule: Rule, resources: readonly Resource[], judged: Judged = {}): string[] {
  return messages(rule, resources, judged).map((message) => {
    const [, name, property] = /^\w+ ([\w-]+): (\w+(?:\.\w+|\[\d+\])*) /.exec(message) ?? [];
    return `${name} ${property}`;
  });
}

/** What a rule says about these resources of one stack. */
export function messages(rule: Rule, resources: readonly Resource[], judged: Judged = {}) {
  const { level = "advisory", options = {}, plainConfig = {} } = judged;
  const judge = new Judge([rule]);
  judge.configure(new Map([[rule.name, { level, options }]]));
  judge.plainConfig = new Map(Object.entries(plainConfig));
  return [...resources.flatMap((one) => judge.judgeResource(one)), ...judge.judgeStack(resources)].map(
    ({ message }) => message,
  );
}
