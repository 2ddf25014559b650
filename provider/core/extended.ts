import { PlatformError } from "../api/errors";
import type { CheckFailure } from "./check";
import type { AnyResource } from "./define";
import type { AnyFunction } from "./define-function";
import { knownOf, valueAt } from "./engine-values";
import type { Properties } from "./properties";

/** Definitions and inputs with and without `dataplatform:extendedApi`. */

const howToEnable =
  "set dataplatform:extendedApi to true (or DATAPLATFORM_EXTENDED_API=true, or extendedApi of the provider that you pass) if this installation of the platform has it";

const overlaid = new WeakMap<AnyResource, AnyResource>();

/** A definition as it is with the extended API. */
export function withExtendedApi(definition: AnyResource): AnyResource {
  const { extended, ...rest } = definition;
  if (!extended) return definition;
  const known = overlaid.get(definition);
  if (known) return known;
  const { limits, importId, required: _, onlyWith: __, ...members } = extended;
  const { kept, ...others } = definition.limits;
  const made: AnyResource = {
    ...rest,
    ...members,
    // What the specified API keeps, an operation that deletes it does not.
    limits: { ...others, ...(kept && !members.delete && { kept }), ...limits },
    importId: { ...definition.importId, ...importId },
  };
  overlaid.set(definition, made);
  return made;
}

/** What is wrong with the inputs of a resource or a function while the extended API is off. */
export function failuresWithoutExtendedApi(definition: AnyResource | AnyFunction, inputs: Properties): CheckFailure[] {
  // The caller of a function names it in front of every failure.
  const who = "type" in definition ? `${definition.type} ` : "";
  if (definition.extended?.required) return [{ property: "", reason: `${who}${needsExtendedApi}` }];
  const names: readonly string[] = definition.extended?.onlyWith?.(knownOf(inputs)) ?? [];
  return names.map((property) => ({
    property,
    reason: `is ${JSON.stringify(valueAt(inputs, property.split(".")))}, which needs the extended API; ${howToEnable}`,
  }));
}

/** About a resource or a function that exists only with it. */
export const needsExtendedApi = `needs the extended API; ${howToEnable}`;

export function withoutExtendedApi(type: string): PlatformError {
  const hint = "refresh and destroy use the settings with which the program ran last, unless you add --run-program";
  return new PlatformError(`${type} ${needsExtendedApi} (${hint}). Nothing was changed`, {
    code: "config",
    outcome: "not-sent",
  });
}
