import { parse } from "yaml";

type Values = Readonly<Record<string, unknown>>;

/** A resource, or the call of a function. */
export interface Declaration {
  readonly name: string;
  readonly type: string;
  readonly isFunction: boolean;
  readonly args: Values;
  readonly dependsOn: readonly string[];
  /** Whether anything refers to it, so that it needs a variable. */
  readonly isUsed: boolean;
}

/** The program in YAML from which those in other languages are made. Knows of YAML's expressions what that one uses. */
export interface Program {
  /** Names of those that are not secret. */
  readonly settings: readonly string[];
  readonly declarations: readonly Declaration[];
  readonly outputs: Values;
}

interface Source {
  readonly config: Values;
  readonly resources: Record<string, { type: string; properties: Values; options?: { dependsOn: string[] } }>;
  readonly variables: Record<string, { "fn::invoke": { function: string; arguments?: Values } }>;
  readonly outputs: Values;
}

export function readProgram(text: string): Program {
  const { config, resources, variables, outputs } = parse(text) as Source;
  const declaration = (name: string, token: string, args: Values, dependsOn: readonly string[] = []): Declaration => {
    const type = token.replace("dataplatform:", "");
    const isUsed = text.includes(`\${${name}.`) || text.includes(`\${${name}}`);
    return {
      name,
      type,
      isFunction: /^[a-z]/.test(type),
      args,
      dependsOn: dependsOn.map((one) => one.slice(2, -1)),
      isUsed,
    };
  };
  const declarations = [
    ...Object.entries(resources).map(([name, { type, properties, options }]) =>
      declaration(name, type, properties, options?.dependsOn),
    ),
    ...Object.entries(variables).map(([name, { "fn::invoke": call }]) =>
      declaration(name, call.function, call.arguments ?? {}),
    ),
  ];
  const settings = Object.keys(config).filter((name) => !text.includes(`fn::secret: \${${name}}`));
  return { settings, declarations, outputs };
}

/** A program of its own: a declaration and what it refers to, without the rest. */
export function partFor(whole: Program, declaration: Declaration): Program {
  const needed = new Set([declaration]);
  for (const { args } of needed) {
    const references = new Set(JSON.stringify(args).match(/(?<=\$\{)\w+/g));
    for (const one of whole.declarations) if (references.has(one.name)) needed.add(one);
  }
  const declarations = whole.declarations
    .filter((one) => needed.has(one))
    .map((one) => ({ ...one, dependsOn: [], isUsed: one.isUsed || one.isFunction }));
  return { settings: [], declarations, outputs: {} };
}

/** The setting whose value is meant, in `fn::secret`. */
export function secretIn(value: unknown): string | undefined {
  return (value as { "fn::secret"?: string })["fn::secret"]?.slice(2, -1);
}

/** `a ${b.c} d` as texts and references. */
export function partsOf(text: string): { readonly text?: string; readonly reference?: string }[] {
  const parts = text.split(/(\$\{[^}]+\})/).filter(Boolean);
  return parts.map((part) => (part.startsWith("${") ? { reference: part.slice(2, -1) } : { text: part }));
}
