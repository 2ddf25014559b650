import type { z } from "zod";
import { PlatformError } from "./errors";
import { deepestAnswer, isTooDeep } from "./nesting";
import type { Operation } from "./operations";
import { parseRetryAfter } from "./retry";
import type { RawAnswer } from "./transport";

/** The answer as its schema has it, or an error that says what is wrong with it. */
export function parse<Answer>(operation: Operation, text: string, schema: z.ZodType<Answer>, standIn = false): Answer {
  let json: unknown;
  if (isTooDeep(text)) {
    throw new PlatformError(`the platform's answer is nested more than ${deepestAnswer} levels deep`, {
      code: "bad-answer",
      operation: operation.does,
    });
  }
  try {
    json = text.trim() === "" ? {} : JSON.parse(text);
  } catch (cause) {
    throw new PlatformError(
      `the platform's answer is no JSON (${beginning(text)}); is dataplatform:baseUrl right, or a proxy in between?`,
      {
        code: "bad-answer",
        operation: operation.does,
        cause,
      },
    );
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  // A 404 that stands for success has no body of the promised shape; its callers use none of it.
  if (standIn) return {} as Answer;
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  throw new PlatformError(
    `the platform's answer has another shape than documented${where}: ${issue?.message ?? "unknown"}`,
    {
      code: "bad-answer",
      operation: operation.does,
    },
  );
}

/** Damaged JSON is the platform's own answer and may hold a token or a key; a page of something in between does not. */
function beginning(text: string): string {
  return /^\s*[[{"]/.test(text) ? "it is damaged or cut off" : `it begins with ${JSON.stringify(clip(text, 60))}`;
}

/** The platform's refusal, and when it wants to be asked again. */
export class Refusal extends PlatformError {
  readonly retryAfterMs: number | undefined;
  constructor(
    message: string,
    details: ConstructorParameters<typeof PlatformError>[1],
    retryAfterMs: number | undefined,
  ) {
    super(message, details);
    this.retryAfterMs = retryAfterMs;
  }
}

export function refusal(operation: Operation, { status, text, retryAfter }: RawAnswer): Refusal {
  const { said, fromPlatform } = platformMessage(text);
  const details = { operation: operation.does, status, platformMessage: said, fromPlatform };
  const quote = said ? `: ${said}` : "";
  const make = (code: PlatformError["code"], message: string) =>
    new Refusal(message, { ...details, code }, parseRetryAfter(retryAfter));
  if (status < 400)
    return make(
      "redirected",
      `the platform answered with a redirect (${status}), which is not followed because the token would go with it; set dataplatform:baseUrl to the final address`,
    );
  if (status === 401)
    return make(
      "unauthorized",
      `the platform did not accept the token (401)${quote}; check dataplatform:apiToken or DATAPLATFORM_API_TOKEN`,
    );
  if (status === 403) {
    const { groups, role } = operation.permission;
    return make(
      "forbidden",
      `the token's user may not do this (403)${quote}; it needs membership in ${groups}, or in a group with a role that allows ${role}`,
    );
  }
  if (status === 404) {
    const whose = fromPlatform
      ? ""
      : "; the answer has not the form of the platform's errors: is dataplatform:baseUrl right, or a proxy in between?";
    return make("not-found", `not found (404)${quote}${whose}`);
  }
  if (status === 409) return make("conflict", `conflict (409)${quote}`);
  if (status === 429) return make("throttled", `the platform is throttling requests (429)${quote}`);
  if (status >= 500) return make("server-error", `the platform failed (${status})${quote}`);
  return make("rejected", `the platform refused it (${status})${quote}`);
}

/** The platform's own words, whatever form the error body has: JSON, HTML, text or nothing. */
function platformMessage(text: string): { said: string | undefined; fromPlatform: boolean } {
  let fromPlatform = false;
  try {
    const body = JSON.parse(text) as {
      error?: { error_message?: unknown } | string;
      message?: unknown;
      status?: { message?: unknown };
    } | null;
    fromPlatform = typeof body?.error === "object" && typeof body.error?.error_message === "string";
    const found =
      typeof body?.error === "string"
        ? body.error
        : (body?.error?.error_message ?? body?.message ?? body?.status?.message);
    if (typeof found === "string" && found) return { said: clip(found), fromPlatform };
  } catch {
    // Not JSON: the error itself matters more than its body.
  }
  const plain = text
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return { said: plain ? clip(plain) : undefined, fromPlatform };
}

function clip(text: string, longest = 300): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
