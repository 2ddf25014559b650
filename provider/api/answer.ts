import { z } from "zod";
import { parseJson } from "../values/json";
import { PlatformError } from "./errors";
import { deepestAnswer, isTooDeep } from "./nesting";
import type { Operation } from "./operations";
import { clip, complaintIn, refusalInBody, refusalOf } from "./refusal";
import { parseRetryAfter } from "./retry";
import type { RawAnswer } from "./transport";

/**
 * For an operation whose response is not specified, or not needed: JSON, text or nothing at all. Only a refusal, or a
 * page from a proxy, is an error.
 */
export const anyAnswer: z.ZodType<unknown> = z.unknown();

/** For an operation that returns text, such as a log: taken as it is, even if it looks like JSON, HTML or a refusal. */
export const rawText: z.ZodType<string> = z.string();

/** The response as its schema reads it; throws the error that it stands for. */
export function readAnswer<Answer>(operation: Operation, raw: RawAnswer, schema: z.ZodType<Answer>): Answer {
  const { status, text } = raw;
  if (status >= 300) throw refusalOf(operation, status, complaintIn(text), parseRetryAfter(raw.retryAfter));
  const isRaw = (schema as unknown) === rawText;
  const answered = isRaw ? text : jsonOf(text, schema === anyAnswer);
  const refusal = isRaw ? undefined : refusalInBody(operation, answered, schema !== anyAnswer);
  if (refusal) throw refusal;
  const parsed = schema.safeParse(answered);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  throw badAnswer(`the platform's response does not have the documented shape${where}: ${issue?.message ?? "unknown"}`);
}

function jsonOf(text: string, isFreeForm: boolean): unknown {
  if (text.trim() === "") return {};
  if (isTooDeep(text)) throw badAnswer(`the platform's response is nested more than ${deepestAnswer} levels deep`);
  try {
    return parseJson(text);
  } catch (cause) {
    if (isFreeForm && isPlainText(text)) return text;
    const hint = "check dataplatform:baseUrl, and whether a proxy is in between";
    // Such as a login page, with HTTP 200.
    const expired = text.trimStart().startsWith("<") ? "; or the token has expired: check dataplatform:apiToken" : "";
    throw badAnswer(`the platform's response is not JSON (${beginning(text)}); ${hint}${expired}`, cause);
  }
}

/** A word such as `OK`: neither an HTML page nor truncated JSON. */
function isPlainText(text: string): boolean {
  return !/^\s*[<[{"]/.test(text);
}

function badAnswer(message: string, cause?: unknown): PlatformError {
  return new PlatformError(message, { code: "bad-answer", outcome: "open", cause });
}

/** Damaged JSON comes from the platform and may contain a token or a key; a page from a proxy does not. */
function beginning(text: string): string {
  return /^\s*[[{"]/.test(text) ? "it is damaged or truncated" : `it begins with ${JSON.stringify(clip(text, 60))}`;
}
