import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import { installationOf } from "../api/installation";
import { isLacking, isNotFound } from "../api/meaning";
import type { Operation } from "../api/operations";
import { tokenAccountOf } from "../api/token-account";
import type { CheckFailure } from "./check";
import type { AnyResource, Context } from "./define";
import type { AnyFunction } from "./define-function";
import { knownOf, valueAt } from "./engine-values";
import type { Properties } from "./properties";

/** What the core does for `dataplatform:extendedApi`: operations that an installation may have beside the specification. */

const howToEnable =
  "set dataplatform:extendedApi to true (or DATAPLATFORM_EXTENDED_API=true, or extendedApi of the provider that you pass) if this installation of the platform has it";

const overlaid = new WeakMap<AnyResource, AnyResource>();

/** A definition as it is with the extended API. */
export function withExtendedApi(definition: AnyResource): AnyResource {
  const { extended, ...rest } = definition;
  if (!extended) return definition;
  const known = overlaid.get(definition);
  if (known) return known;
  const { limits, importId, required: _, onlyWith: __, canChange: ___, ...members } = extended;
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

/** The result in an object. Undefined, after one warning per run, when the installation lacks the operation. */
export async function attempt<T>(
  { api, log }: Context,
  operation: Operation,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const installation = installationOf(api);
  if (installation.lacks(operation)) return undefined;
  try {
    return { result: await persistently(api, operation, work) };
  } catch (error) {
    if (!isLacking(operation, error)) throw error;
    installation.notice(operation, error, log);
    return undefined;
  }
}

/** How often a page must come before it counts. */
const maxPages = 3;

/**
 * A page instead of an answer also comes from a gateway, while the platform behind it is replaced: it was not carried out,
 * and tells that an operation is lacking only if it comes again and again. A redirect tells so only while others are not
 * redirected: it may lead to a login page, because the token has expired.
 */
export async function persistently<T>(api: Client, operation: Operation, work: () => Promise<T>): Promise<T> {
  for (let page = 1; ; page++)
    try {
      return await work();
    } catch (error) {
      if (!isLacking(operation, error) || error.fromPlatform) throw error;
      if (error.code === "redirected" && !(await tokenAccountOf(api).isPlatformThere())) throw expired(error);
      if (page === maxPages) throw error;
      await api.backOff(page + 1);
    }
}

function expired(error: PlatformError): PlatformError {
  return error.with(
    `${error.message}. If it leads to a login page, the token has expired: check dataplatform:apiToken`,
    {
      code: "unauthorized",
    },
  );
}

/** For work that cannot be done without the operation: says so if the installation lacks it. */
export async function required<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isLacking(operation, error)) throw error;
    const { does, method, path } = operation;
    throw error.with(
      `this installation of the platform cannot ${does} (${method} ${path}: ${error.status}), although dataplatform:extendedApi is on; do it in the platform's user interface, or ask the platform's support for the operation`,
    );
  }
}

/** The same for one thing that the user named: if it is not found, says what to check. */
export async function requiredOf<T>(thing: string, operation: Operation, work: () => Promise<T>): Promise<T> {
  try {
    return await required(operation, work);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw error.with(
      `${error.message}; check that ${thing} exists, and that this installation of the platform has the operation`,
    );
  }
}

/** For a change that is lacking, and that nothing can stand in for. */
export function cannotDo({ does }: Operation, consequence: string): PlatformError {
  return new PlatformError(
    `${consequence}: this installation of the platform cannot ${does}. Do it in the platform's user interface, then run "pulumi refresh"`,
    { code: "rejected" },
  );
}

/** For a thing that may be gone, or that an installation without the operation does not know. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

/**
 * Reads one thing. "Not found" may mean that it is gone, or that the installation lacks the operation: `isGone` tells the
 * two apart. `unknown`: it is lacking.
 */
export async function lookAt<T extends object>(
  { api, log }: Context,
  operation: Operation,
  read: () => Promise<T>,
  isGone: () => Promise<boolean>,
): Promise<T | "gone" | "unknown"> {
  const installation = installationOf(api);
  if (installation.lacks(operation)) return "unknown";
  try {
    return await persistently(api, operation, read);
  } catch (error) {
    if (!isNotFound(error) && !isLacking(operation, error)) throw error;
    if (isNotFound(error) && (await isGone())) return "gone";
    installation.notice(operation, error, log);
    return "unknown";
  }
}

/** Changes or removes one thing: `lacking` if the installation cannot do that, `gone` if the thing is no longer there. */
export async function actOn(
  context: Context,
  operation: Operation,
  send: () => Promise<unknown>,
  look: () => Promise<object | "gone" | "unknown">,
): Promise<"done" | "gone" | "lacking"> {
  const sent = async () => ({ answer: await send() });
  const seen = await lookAt(context, operation, sent, async () => (await look()) === "gone");
  if (seen === "gone") return seen;
  return seen === "unknown" ? "lacking" : "done";
}
