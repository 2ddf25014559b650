import { ownType, urnParts } from "../provider/core/urn";
import { type Finding, Judge } from "./judge";
import type { Resource } from "./resource";
import type { Level, OptionTypes, Rule } from "./rule";
import { rules as ownRules } from "./rules";
import { type Properties, unknownYet } from "./values";

/** What a policy made with @pulumi/policy is given; declared here, so that nobody has to install it for its types. */
interface SdkResource {
  readonly type: string;
  readonly urn: string;
  readonly props: Properties;
  readonly opts: { readonly protect: boolean };
  readonly provider?: { readonly urn: string };
  readonly propertyDependencies?: Readonly<Record<string, readonly { readonly urn: string }[]>>;
}
interface SdkArgs {
  getConfig<T extends object>(): T;
}
type Report = (message: string, urn?: string) => void;

/** A policy in the form that `new PolicyPack(…)` of @pulumi/policy takes. */
export interface SdkPolicy {
  name: string;
  description: string;
  enforcementLevel: Level;
  configSchema: { properties: Record<string, never> };
  validateResource?: (args: SdkResource & SdkArgs, report: Report) => void;
  validateStack: (args: SdkArgs & { readonly resources: readonly SdkResource[] }, report: Report) => void;
}

/**
 * The rules as policies for a pack made with @pulumi/policy, beside policies of your own. Without those that must see
 * which values are secret: @pulumi/policy shows all values in plain text.
 */
export function policies(rules: readonly Rule[] = ownRules): SdkPolicy[] {
  return rules.filter(({ seesSecrets }) => !seesSecrets).map(policyOf);
}

function policyOf(rule: Rule): SdkPolicy {
  const judgeFor = (options: OptionTypes): Judge => {
    const judge = new Judge([rule]);
    // @pulumi/policy itself knows the level.
    judge.configure(new Map([[rule.name, { level: "mandatory", options }]]));
    return judge;
  };
  const tell = (findings: readonly Finding[], report: Report) => {
    for (const { message, urn } of findings) report(message, urn);
  };
  const { checkResource } = rule;
  return {
    name: rule.name,
    description: rule.description,
    enforcementLevel: rule.level,
    configSchema: { properties: rule.options as unknown as Record<string, never> },
    ...(checkResource && {
      validateResource: (args: SdkResource & SdkArgs, report: Report) => {
        const resource = resourceOf(args);
        if (resource) tell(judgeFor(args.getConfig()).judgeResource(resource), report);
      },
    }),
    validateStack: ({ resources, getConfig }, report) => {
      if (rule.checkStack)
        tell(judgeFor(getConfig()).judgeStack(resources.flatMap((one) => resourceOf(one) ?? [])), report);
    },
  };
}

function resourceOf({
  type: token,
  urn,
  props,
  opts,
  provider,
  propertyDependencies,
}: SdkResource): Resource | undefined {
  const type = ownType(token);
  if (type === undefined) return undefined;
  const { stack, project, name } = urnParts(urn);
  return {
    type,
    urn,
    stack,
    project,
    name,
    properties: plain(props) as Properties,
    isProtected: opts.protect,
    provider: provider?.urn,
    dependenciesOf: (property) => (propertyDependencies?.[property] ?? []).map((one) => one.urn),
    isSecret: () => false,
  };
}

/** @pulumi/policy throws when a value is read that is not known yet. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const read = (key: string | number): unknown => {
    try {
      return plain((value as Record<string | number, unknown>)[key]);
    } catch {
      return unknownYet;
    }
  };
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => read(index));
  return Object.fromEntries(Object.keys(value).flatMap((key) => (read(key) === null ? [] : [[key, read(key)]])));
}
