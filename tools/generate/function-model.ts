import type { AnyFunction } from "../../provider/core/define-function";
import { kebab } from "../../provider/resources/load";
import { type Property, propertiesOf, type Shape } from "./model";

export interface FunctionModel {
  readonly definition: AnyFunction;
  readonly name: string;
  /** PascalCase prefix of its type names. */
  readonly typeName: string;
  readonly file: string;
  readonly inputs: readonly Property[];
  readonly outputs: readonly Property[];
}

/** What the generators need to know about a function; collects all named types in `types`. */
export function functionModelOf(definition: AnyFunction, types: Map<string, Shape>): FunctionModel {
  const { name, inputs, outputs, secrets } = definition;
  return {
    definition,
    name,
    typeName: name.charAt(0).toUpperCase() + name.slice(1),
    file: kebab(name),
    inputs: propertiesOf(inputs, secrets, types, "input"),
    outputs: propertiesOf(outputs, secrets, types, "output"),
  };
}

/** Names of the secret outputs, in backticks; empty if there are none. */
export function secretOutputNames({ outputs }: FunctionModel): string[] {
  return outputs.filter(({ secret }) => secret).map(({ name }) => `\`${name}\``);
}
