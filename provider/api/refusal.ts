import { type Fields, isFields, jsonOrText } from "../values/json";
import { type ErrorCode, type Form, type Outcome, PlatformError } from "./errors";
import type { Operation } from "./operations";

/** What an error response says, whatever its form: JSON, HTML, text or nothing. */
interface Complaint {
  /** The platform's own words. */
  readonly said: string | undefined;
  readonly form: Form;
}

/** The error for an HTTP status of 300 or more, or for the failing status in the body of an HTTP 200. */
export function refusalOf(
  operation: Operation,
  status: number,
  { said, form }: Complaint,
  retryAfterMs?: number,
): PlatformError {
  const asksToWait =
    status === 422
      ? saysItIsLocked(said)
      : [409, 423].includes(status) && (retryAfterMs !== undefined || saysToWait(said));
  // Another write holds it up: that is no refusal for good.
  const [code, words, outcome] = asksToWait ? waiting : (statuses[status] ?? classOf(status));
  const quote = said && code !== "redirected" ? `: ${said}` : "";
  const hint = asksToWait ? "" : hintFor(operation, status, quote, form);
  const pause = retryAfterMs === undefined ? "" : `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  const message = `${words}${status ? ` (${status})` : ""}${quote}${hint}${pause}`;
  return new PlatformError(message, { code, outcome, status, platformMessage: said, form, retryAfterMs });
}

type Meaning = readonly [code: ErrorCode, words: string, outcome?: Outcome];

const waiting: Meaning = ["throttled", "the platform asks to wait"];
const statuses: Readonly<Record<number, Meaning>> = {
  401: ["unauthorized", "the platform rejected the token"],
  403: ["forbidden", "the token's user is not allowed to do this"],
  404: ["not-found", "not found"],
  408: ["server-error", "the platform asked for a retry", "open"], // Request Timeout
  409: ["conflict", "conflict"],
  423: ["conflict", "conflict"], // Locked
  429: ["throttled", "the platform is throttling requests"],
  449: ["server-error", "the platform asked for a retry", "open"], // Retry With
  501: ["rejected", "the platform cannot do this"],
};

/** What any other status means. */
function classOf(status: number): Meaning {
  if (status >= 500) return ["server-error", "the platform failed", "open"];
  if (status >= 400 || status === 0) return ["rejected", "the platform rejected the request"];
  // 307 and 308 ask for the same request at another address, so this one was not carried out; others leave it open.
  return ["redirected", "the platform answered with a redirect", status === 307 || status === 308 ? "refused" : "open"];
}

function hintFor({ permission }: Operation, status: number, quote: string, form: Form): string {
  const check = "check dataplatform:baseUrl, and whether a proxy is in between";
  if (status === 401)
    return "; check dataplatform:apiToken, DATAPLATFORM_API_TOKEN, or apiToken of the provider that the resource has";
  if (status === 403)
    return `; the user must be in ${permission.groups}, or in a group with a role that allows ${permission.role}`;
  if (status >= 300 && status < 400)
    return ", which is not followed because that would forward the token; set dataplatform:baseUrl to the final address or, where only the path differs, name it in a profile (docs/conform.md)";
  if (status !== 404) return "";
  if (form !== "specified") return `; the response is not in the platform's error format: ${check}`;
  // It is the path that is not there.
  return quote.includes("/api/") ? `; ${check}` : "";
}

const work = "(?:changed|updated|modified|processed|created|installed|removed|deleted)";
const waitingWords = new RegExp(`\\b(?:in progress|busy|try again|retry|being ${work})\\b`, "i");
/** That something holds a thing up, and no input is wrong. */
const lockWords = new RegExp(
  `\\b(?:is|are) (?:(?:currently|still) )?(?:busy|being ${work})\\b|\\b(?:another|operation|change|update|request|task|job|installation|removal)\\b[^.:;]{1,40}\\bin progress\\b`,
  "i",
);
const wrongInput =
  /\b(?:invalid|must|expected|required|unknown|unrecogni[sz]ed|named?|exists?|taken|duplicate|not (?:valid|one of))\b/i;

export function saysToWait(said = ""): boolean {
  return waitingWords.test(said);
}

/** A status that stands for wrong input needs clearer words: what is wrong stays wrong. */
function saysItIsLocked(said = ""): boolean {
  return lockWords.test(said) && !wrongInput.test(said);
}

/** What the body of an error response says. */
export function complaintIn(text: string): Complaint {
  const json = jsonOrText(text);
  if (isFields(json)) {
    const isOwn = isPlatformForm(json);
    // Of a form that nobody has told us, all is shown: whichever of its fields has the reason.
    const said = isOwn || isProblem(json) || Object.keys(json).length === 1 ? wordsOf(json) : undefined;
    return { said: clip(said ?? wholeOf(json)) || undefined, form: isOwn ? "specified" : "json" };
  }
  // The start of a page says what is wrong; to look for tags in megabytes of anything would take minutes.
  const plain = text
    .slice(0, 100_000)
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return { said: plain ? clip(plain) : undefined, form: /^\s*</.test(text) ? "page" : "other" };
}

/**
 * A refusal in the body of a response whose HTTP status is fine: `{status:{status_code:403}}`, `{error:…}`,
 * `{status:"error"}` and the like. `isRecord`: whether the response is to describe a thing. One with an id then does,
 * such as a command whose own status is `error`: that is not a refusal.
 */
export function refusalInBody(operation: Operation, json: unknown, isRecord: boolean): PlatformError | undefined {
  // Whoever asks, and for whatever: a command tells how it ended itself.
  const mayDescribe = isRecord || operation.path.includes("/commands");
  if (!isFields(json) || (mayDescribe && hasId(json) && !isPlatformForm(json))) return undefined;
  const status = refusingStatus(json) ?? (isRecord ? undefined : refusingWords(json));
  if (status !== undefined) return refusalOf(operation, status, { said: clip(wordsOf(json) ?? ""), form: "specified" });
  const { status: word } = json;
  if (!operation.saysDone || typeof word !== "string" || doneWords.test(word)) return undefined;
  return new PlatformError(`the platform answered ${JSON.stringify(clip(word))} instead of "done"`, {
    code: "bad-answer",
    outcome: "open",
  });
}

function hasId({ id }: Fields): boolean {
  return id !== undefined && id !== null && id !== "";
}

/** The status with which a body refuses: 0 when it names none, undefined when it does not refuse. */
function refusingStatus(json: Fields): number | undefined {
  const { status, error, errors, success, status_code, error_code, code } = json;
  const ofStatus = isFields(status) ? status["status_code"] : undefined;
  const told = [ofStatus, status_code, error_code, status, code].find(isFailing);
  if (told !== undefined) return Number(told);
  // The specification says what a success is.
  if (ofStatus !== undefined && ofStatus !== null && !/^(2\d\d|0|true|ok|success)$/i.test(String(ofStatus))) return 0;
  // Some platforms have an empty one in every answer.
  if (isFields(error) && !(isBlank(error) && Object.keys(json).length > 1))
    return [error["error_code"], error["code"]].map(Number).find(isFailing) ?? 0;
  if (typeof error === "string" && error.trim() !== "") return 0;
  if (complaintsIn(errors).length > 0) return 0;
  if (isFailingWord(status)) return 0;
  return success === false || success === "false" ? 0 : undefined;
}

/** Whether it has a code at most, and that one of success. */
function isBlank(error: Fields): boolean {
  return Object.values(error).every((value) => /^(0|2\d\d|null|undefined|false|)$/.test(String(value)));
}

const failing =
  "(?:error|errors|fail|failed|failure|denied|forbidden|refused|rejected|unauthori[sz]ed|invalid|ko|not (?:permitted|allowed|authori[sz]ed|found|done|possible|supported))";
const failingWord = new RegExp(`^${failing}$`, "i");
/** `not allowed: the role is protected`, `role not found`, and not `no errors`. */
const failingWords = new RegExp(`^${failing}\\b|^(?:(?!(?:no|0|without) )\\S+ ){1,3}${failing}(?:[.!]?$|[:;,])`, "i");
/** What stands for `done`, or for work that was accepted. */
const doneWords =
  /^(?!.*\bnot\b).*(?:done|ok|success|true|complete|assigned|added|removed|updated|changed|accepted|pending|queued|progress|scheduled|2\d\d)/is;

function isFailingWord(status: unknown): boolean {
  return typeof status === "string" && failingWord.test(status.trim());
}

/** 0 if the answer to a write says no in so many words, in a form that no record has. */
function refusingWords({ status, result, message }: Fields): number | undefined {
  const told = [status, result, status === undefined ? message : undefined];
  return told.some((one) => typeof one === "string" && failingWords.test(asWords(one))) ? 0 : undefined;
}

function asWords(text: string): string {
  return text.trim().replace(/[_-]+/g, " ");
}

function isFailing(status: unknown): boolean {
  const isNumeric = typeof status === "number" || (typeof status === "string" && /^\d{3}$/.test(status));
  return isNumeric && Number(status) >= 400 && Number(status) < 600;
}

/** The two forms of the specification: the sensor's `{error:{…}}`, and the whitelist's `{status:{…}}`. */
function isPlatformForm({ error, status }: Fields): boolean {
  if (isFields(error) && !isBlank(error))
    return typeof error["error_message"] === "string" || Number.isInteger(error["error_code"]);
  return isFields(status) && status["status_code"] !== undefined;
}

/** The form of RFC 9457, with nothing beside it. */
function isProblem(json: Fields): boolean {
  return Object.keys(json).every((name) => ["type", "title", "status", "detail", "instance"].includes(name));
}

function wordsOf(json: Fields): string | undefined {
  const { error, error_message, message, status, errors, detail, title, result } = json;
  const inError = isFields(error) ? (error["error_message"] ?? error["message"]) : error;
  const inStatus = isFields(status) ? status["message"] : undefined;
  const words = [status, result].filter((one) => typeof one === "string" && failingWords.test(asWords(one)));
  return [inError, error_message, message, inStatus, ...complaintsIn(errors), detail, title, ...words].find(
    (text): text is string => typeof text === "string" && text !== "",
  );
}

/** A list of texts or of objects with a message, or an object that says of each field what is wrong with it. */
function complaintsIn(errors: unknown): unknown[] {
  if (Array.isArray(errors))
    return errors.flatMap((one) => (one === null || one === "" ? [] : [isFields(one) ? one["message"] : one]));
  if (!isFields(errors)) return [];
  const ofFields = Object.entries(errors).map(([field, what]) => ({ field, what: [what].flat().join(", ") }));
  const wrong = ofFields.filter(({ what }) => what !== "");
  return wrong.length > 0 ? [wrong.map(({ field, what }) => `${field} ${what}`).join("; ")] : [];
}

/** Empty for an empty object. Values that may be credentials, by their names, are left out. */
function wholeOf(json: Fields): string {
  const hidden = /token|secret|passw|key|credential/i;
  const text = JSON.stringify(json, (name, value: unknown) => (hidden.test(name) ? "…" : value));
  return text === "{}" ? "" : text;
}

export function clip(text: string, longest = 300): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
