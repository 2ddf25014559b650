import { checkInputs } from "../../provider/core/check";
import type { AnyResource } from "../../provider/core/define";
import { unknownValue } from "../../provider/core/engine-values";
import { resources as definitions } from "../../provider/resources";

export function definitionOf(type: string): AnyResource {
  const definition = definitions.find((candidate) => candidate.type === type);
  if (!definition) throw new Error(`this version of pulumi-dataplatform has no type ${type}`);
  return definition;
}

/** Why a program cannot declare something with these inputs. Undefined if it can. */
export function problemWith(type: string, inputs: Readonly<Record<string, unknown>>): string | undefined {
  const failures = checkInputs(definitionOf(type), inputs);
  return failures.map(({ property, reason }) => `${property} ${reason}`).join("; ") || undefined;
}

/** The same, where only some of the inputs are known. */
export function problemWithKnown(type: string, known: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(definitionOf(type).inputs.shape).map((name) => [name, unknownValue]);
  return problemWith(type, { ...Object.fromEntries(unknown), ...known });
}
