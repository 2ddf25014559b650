import { isPlatformError, type PlatformError } from "./errors";

/** Refusals of what is so already: the specification gives them no status, so 400, 409, 422 and others are read alike. */

type Direction = "add" | "remove";

/** Whether a refusal says in words that what is asked for is so already; others, such as a lock, are refusals. */
export function saysItIsSo(error: unknown, direction: Direction): error is PlatformError {
  if (!isRefusal(error)) return false;
  const said = error.platformMessage ?? "";
  const isKnownConflict =
    direction === "add" && error.code === "conflict" && /\b(already|exists|installed)\b/i.test(said);
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

/** Whether a refusal says in words that there is no such thing, as a 404 does. */
export function saysItIsMissing(error: unknown): error is PlatformError {
  return isRefusal(error) && missing.test(error.platformMessage ?? "");
}

function isRefusal(error: unknown): error is PlatformError {
  // These two say that there is no such operation.
  return isPlatformError(error, "conflict", "rejected") && error.status !== 405 && error.status !== 501;
}

const thing = "(?:roles?|users?|members?|packages?)";
const state = "(?:assigned|installed|added|a member|members|present|taken|exists?|there|in (?:the|this))";
const missing =
  /\b(?:no such|not found|(?:does not|doesn't|no longer) exist|(?:could not|couldn't|cannot|can't) find)/i;
const isSoWords = {
  add: new RegExp(`\\balready\\b.*\\b(?:${state}|has)\\b|\\b(?:${state}|has|have) already\\b`, "i"),
  remove: new RegExp(
    `(?:\\bnot|n't|\\bno longer|\\bnever) (?:currently |yet |been )?${state}\\b|\\b(?:does not|doesn't) have (?!.*(?:permission|access|right))|\\bhas no (?:such )?${thing}\\b|${missing.source}`,
    "i",
  ),
};
const otherWords =
  /\b(?:being|busy|locked|progress|pending|later|again|invalid|unknown|required|allowed|permission|limit|quota)\b|\b(?:no such|not found|exist|find)\b/i;
