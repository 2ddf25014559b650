import { isPlatformError, type PlatformError, withNote } from "../api/errors";
import { absenceIn, saysItIsMissing } from "../api/meaning";
import { saysToWait } from "../api/refusal";
import type { AnyResource, Context } from "./define";
import type { Properties } from "./properties";

/** What refresh and destroy do about "not found": a refresh never forgets what may be there, and no stack stays stuck. */

const wayOut = 'remove the resource from the state with "pulumi state delete"';

/** For a refresh: what the platform shows. What it does not, without saying that it is gone, is kept with a warning. */
export async function orKept<T>(context: Context, id: string, look: () => Promise<T>): Promise<T | Properties> {
  try {
    return await look();
  } catch (error) {
    const why = await whyKept(context, error);
    if (why === undefined) throw error;
    context.log.warn(`cannot check ${id}, so its state is kept: ${why}`);
    return {};
  }
}

/** Undefined: that is an error. */
async function whyKept({ api }: Context, error: unknown): Promise<string | undefined> {
  // A token whose role allows only the write must still be able to refresh.
  if (isPlatformError(error, "forbidden")) return error.message;
  const advice = `If the resource is gone, take it out of the program and run "pulumi up", or ${wayOut}`;
  if (saysItIsMissing(error)) return `${error.message}. ${advice}`;
  const absence = await absenceIn(api, error);
  if (absence === undefined || absence === "gone" || !isPlatformError(error)) return undefined;
  return `${notFoundIn(error)}, in a form that something before the platform may have sent too. ${advice}`;
}

/**
 * For a destroy that found nothing to change: returns if that is gone. In JSON of whatever form "not found" is taken for
 * that, with a warning: the specification does not show the platform's form, and a second attempt would end the same way.
 * Throws anything else. `warning`: what the user should know if it is gone.
 */
export async function expectGone({ api, log }: Context, error: unknown, what: string, warning?: string): Promise<void> {
  const absence = await absenceIn(api, error);
  if (absence === undefined || !isPlatformError(error)) throw error;
  if (absence === "unclear") throw withWayOut(error);
  if (absence === "likely")
    log.warn(`${warning ?? `${what} counts as gone, and nothing was changed`}: ${notFoundIn(error)}`);
  else if (warning) log.warn(warning);
}

/** Whether `expectGone` would count it as gone. */
export async function isLikelyGone(api: Context["api"], error: unknown): Promise<boolean> {
  return ["gone", "likely"].includes((await absenceIn(api, error)) ?? "");
}

function notFoundIn({ platformMessage, status }: PlatformError): string {
  return `the platform answers "not found" (${status})${platformMessage ? `: ${platformMessage}` : ""}`;
}

/** For a destroy: adds the way out to a refusal that may be about something that is gone: not to one that asks to wait. */
export function orGone(error: unknown): unknown {
  const isRefused = isPlatformError(error, "rejected", "conflict") && error.outcome !== "not-sent";
  return isRefused && !saysToWait(error.platformMessage) ? withWayOut(error) : error;
}

function withWayOut(error: PlatformError): PlatformError {
  return error.with(`${error.message}. If there is nothing left to remove, ${wayOut}`);
}

/** For a write: names the inputs that say where something is, where that is not found. */
export function withPlace({ replaceOn }: AnyResource, error: unknown): unknown {
  if (!isPlatformError(error, "not-found") || error.form === "page" || error.form === "other") return error;
  if (replaceOn.length === 0 || replaceOn.length > 3 || /\bcheck /i.test(error.message)) return error;
  return withNote(error, `Check ${replaceOn.join(" and ")}`);
}
