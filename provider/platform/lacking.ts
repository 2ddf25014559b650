import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { installationOf } from "../api/installation";
import { isLacking, isNotFound } from "../api/meaning";
import type { Operation } from "../api/operations";
import { tokenAccountOf } from "../api/token-account";
import type { Context } from "../core/define";

/** Operations that an installation may lack: what is done then is decided here. */

/** The result. Undefined, after one warning per run, when the installation lacks the operation. */
export async function attempt<T>(
  context: Context,
  operation: Operation,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const found = await lookAt(context, operation, async () => ({ result: await work() }));
  return typeof found === "string" ? undefined : found.result;
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
      if (error.code === "redirected" && !(await tokenAccountOf(api).isPlatformThere())) {
        const advice = "If it leads to a login page, the token has expired: check dataplatform:apiToken";
        throw error.with(`${error.message}. ${advice}`, { code: "unauthorized" });
      }
      if (page === maxPages) throw error;
      await api.backOff(page + 1);
    }
}

/** Says so if the installation lacks the operation. `thing`: what the user named, which may be what is not found. */
export async function required<T>(operation: Operation, work: () => Promise<T>, thing?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { does, method, path } = operation;
    if (thing !== undefined && isPlatformError(error, "not-found") && (error.fromPlatform || error.platformMessage))
      throw error.with(
        `${error.message}; check that ${thing} exists, and that this installation of the platform has the operation`,
      );
    // Where the path names no thing, it is the path that was not found.
    const isPath = !path.includes("{") && isNotFound(error);
    if (!isPath && !isLacking(operation, error)) throw error;
    throw error.with(
      `this installation of the platform cannot ${does} (${method} ${path}: ${error.status}), although dataplatform:extendedApi is on; do it in the platform's user interface, or ask the platform's support for the operation (the emulator has it with --extended)`,
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

/** For a thing that may be gone, or that an installation without the operation does not know: another list tells. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (isNotFound(error) || (isPlatformError(error, "not-found") && error.form === "json")) return undefined;
  throw error;
}

/**
 * Reads one thing, which may be gone: "not found" may mean that, or that the installation lacks the operation, and `isGone`
 * tells the two apart. `unknown`: it is lacking, and a warning has said so once.
 */
export async function lookAt<T extends object>(
  { api, log }: Context,
  operation: Operation,
  read: () => Promise<T>,
  isGone?: () => Promise<boolean>,
): Promise<T | "gone" | "unknown"> {
  const installation = installationOf(api);
  if (installation.lacks(operation)) return "unknown";
  try {
    return await persistently(api, operation, read);
  } catch (error) {
    if (!isLacking(operation, error) && !(isGone && isNotFound(error))) throw error;
    if (error.code === "not-found" && (await isGone?.())) return "gone";
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
