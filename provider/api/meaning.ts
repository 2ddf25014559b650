import type { Client } from "./client";
import { isPlatformError, type PlatformError } from "./errors";
import type { Operation } from "./operations";
import { tokenAccountOf } from "./token-account";

/**
 * What a refusal means, decided here for all: that a thing is gone, that the installation lacks the operation, or that
 * what was asked for is so already. The specification gives none of them a form of its own, so they are read from the
 * status, the form of the body and its words.
 */

/**
 * What "not found" tells about a thing:
 * - `gone`: the platform says so in its own form;
 * - `likely`: in other JSON. A platform may refuse missing things so, and a gateway what it does not forward;
 * - `unclear`: by a page, a text or nothing, as a proxy would.
 * Undefined if it is no such response, or if the platform does not answer at this address: then it tells nothing.
 */
export async function absenceIn(api: Client, error: unknown): Promise<"gone" | "likely" | "unclear" | undefined> {
  if (!isPlatformError(error, "not-found") || error.form === undefined) return undefined;
  if (!(await tokenAccountOf(api).isPlatformThere())) return undefined;
  if (error.form === "specified") return "gone";
  return error.form === "json" ? "likely" : "unclear";
}

/** In the platform's own form: the thing may be gone, or the installation lacks the operation. */
export function isNotFound(error: unknown): error is PlatformError {
  return isPlatformError(error, "not-found") && error.fromPlatform;
}

/**
 * Whether an error says that there is no such operation. A 403 never does: it is about this token, and about one thing
 * perhaps, so it is an error like any other. A 404 in the platform's own form may also mean that the thing
 * is gone: if the path names one, the caller has to find out.
 */
export function isLacking({ path, method }: Operation, error: unknown): error is PlatformError {
  if (!isPlatformError(error)) return false;
  // Some platforms send a reader of an unknown path to a login page.
  if (error.code === "redirected" && method === "GET") return true;
  if (error.outcome === "open") return false;
  if (error.status === 405 || error.status === 501) return true;
  if (error.code !== "not-found") return false;
  const isCollection = method === "GET" && !path.includes("{");
  return !error.fromPlatform || isCollection;
}

type Direction = "add" | "remove" | "enable" | "disable";

/** Whether a refusal says in words that what is asked for is so already; others, such as a lock, are refusals. */
export function saysItIsSo(error: unknown, direction: Direction): error is PlatformError {
  if (!isRefusal(error)) return false;
  const said = error.platformMessage ?? "";
  const isKnownConflict =
    direction === "add" && error.code === "conflict" && /\b(already|exists|installed|duplicate)\b/i.test(said);
  return isKnownConflict || isSoWords[direction].test(said);
}

/**
 * The same for the repetition of our own request whose outcome was open. It had been carried out, as a rule, so the
 * refusal counts unless its words say something else. `again`: an earlier run has sent it.
 */
export function isSoAfterAll(error: unknown, direction: Direction, again = false): error is PlatformError {
  if (saysItIsSo(error, direction)) return true;
  const isRepetition = isRefusal(error) && (again || error.outcome === "open");
  return isRepetition && !otherWords.test(error.platformMessage ?? "");
}

/** What a refusal of a rename says in words: that the thing has the name (`its`), or that something has it, perhaps another. */
export function saysWhoseNameItIs(error: unknown): "its" | "somebody's" | undefined {
  if (!isRefusal(error)) return undefined;
  const said = error.platformMessage ?? "";
  if (otherWords.test(said) || otherNames.test(said)) return undefined;
  if (takenWords.test(said)) return "somebody's";
  return unchangedWords.test(said) ? "its" : undefined;
}

/** Whether a refusal says in words that there is no such thing, as a 404 does. */
export function saysItIsMissing(error: unknown): error is PlatformError {
  return isRefusal(error) && missing.test(error.platformMessage ?? "");
}

/** The same of a thing that is not where the request says. A name that is taken there says nothing about that. */
export function saysItIsElsewhere(error: unknown): boolean {
  if (!isRefusal(error) || saysWhoseNameItIs(error) !== undefined) return false;
  return missing.test(error.platformMessage ?? "") || elsewhere.test(error.platformMessage ?? "");
}

export function isRefusal(error: unknown): error is PlatformError {
  // These two say that there is no such operation.
  return isPlatformError(error, "conflict", "rejected") && error.status !== 405 && error.status !== 501;
}

const thing = "(?:roles?|users?|members?|packages?)";
const state = "(?:assigned|installed|added|a member|members|present|taken|exists?|there|in (?:the|this))";
const missing =
  /\b(?:no such|not found|(?:does not|doesn't|no longer) exist|(?:could not|couldn't|cannot|can't) find)/i;
const elsewhere =
  /\b(?:wrong|invalid|incorrect|bad|stale|old|unknown)\W+(?:\w+\W+){0,2}?(?:location|path)|\b(?:location|path)\b.{0,80}(?:\b(?:not|wrong|invalid|incorrect|stale|differs?|mismatch|unknown)\b|n't\b)|\bnot (?:at|there|here)\b|\bno (?:\S+ )?folder\b|\bmoved\b/is;
/** That others are enabled already is a reason of its own. */
const ofOneUser = String.raw`^(?!.*\b(?:users|licen[cs]es?|seats?|limit|quota|others?|another|allowed|permission)\b).*`;
const isSoWords = {
  add: new RegExp(`\\balready\\b.*\\b(?:${state}|has)\\b|\\b(?:${state}|has|have) already\\b`, "i"),
  remove: new RegExp(
    `(?:\\bnot|n't|\\bno longer|\\bnever) (?:currently |yet |been )?${state}\\b|\\b(?:does not|doesn't) have (?!.*(?:permission|access|right))|\\bhas no (?:such )?${thing}\\b|${missing.source}`,
    "i",
  ),
  enable: new RegExp(`${ofOneUser}\\balready (?:been )?(?:enabled|active|activated)\\b`, "is"),
  disable: new RegExp(`${ofOneUser}\\balready (?:been )?(?:disabled|inactive|deactivated)\\b`, "is"),
};
const takenWords =
  /\balready (?:been )?(?:exists|taken|used|in use|there|present)\b|\b(?:folder|name)\b.*\bexists\b|\bname\b.*\b(?:taken|in use)\b|\bsame name\b|\ba folder\b.*\balready\b/is;
const unchangedWords =
  /\bname (?:\S+ )?(?:is |was |remains )?unchanged\b|\bname (?:\S+ )?(?:is|was|has|did) not (?:been )?changed?\b|\bname is the same as (?:before|(?:the|its) (?:old|current|present)\b)|\balready (?:named|called|has (?:this|that) name)\b|\bnothing to (?:change|rename)\b/i;
const otherNames = /\b(?:another|other|no|deleted|removed|archived|trash|permitted|denied|long)\b/i;
const otherWords =
  /\b(?:being|busy|locked|progress|pending|later|again|invalid|unknown|required|allowed|permission|limit|quota|licen[cs]es?|seats?)\b|\b(?:no such|not found|exist|find)\b/i;
