import type { ComponentDefinition } from "../../provider/core/define-component";
import { kebab } from "../../provider/resources/load";
import { type Property, propertiesOf, type Shape } from "./model";

export interface ComponentModel {
  readonly definition: ComponentDefinition;
  readonly type: string;
  readonly file: string;
  readonly inputs: readonly Property[];
  readonly outputs: readonly Property[];
  /** The named types of its inputs: its own, which others do not use, and those that resources use too. */
  readonly own: ReadonlyMap<string, Shape>;
  readonly shared: ReadonlyMap<string, Shape>;
}

/** What the generators need to know about a component. `known`: the named types of resources and functions. */
export function componentModelOf(definition: ComponentDefinition, known: ReadonlyMap<string, Shape>): ComponentModel {
  const types = new Map<string, Shape>();
  const inputs = propertiesOf(definition.inputs, [], types, "input");
  return {
    definition,
    type: definition.type,
    file: kebab(definition.type),
    inputs,
    outputs: propertiesOf(definition.outputs, [], new Map(), "output"),
    own: new Map([...types].filter(([name]) => !known.has(name))),
    shared: new Map([...types].filter(([name]) => known.has(name))),
  };
}
