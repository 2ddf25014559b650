import type { ApiError } from "./errors";
import type { Readings } from "./readings";
import { type Answer, PlainAnswer } from "./respond";
import type { Route } from "./router";

/** An operation's result in the form that the chosen readings of the specification prescribe. */
export function successAnswer(route: Route, body: unknown, readings: Readings): Answer {
  if (body instanceof PlainAnswer) return body.answer;
  if (route.answerNotShown) return unspecifiedAnswer(body, readings.notShownAnswer);
  return { status: 200, body: readings.idType === "number" ? body : idsAsText(body) };
}

function unspecifiedAnswer(body: unknown, form: Readings["notShownAnswer"]): Answer {
  const bodies = {
    detailed: body,
    object: {},
    null: null,
    done: { status: "done" },
    success: { status: "success" },
    empty: undefined,
    204: undefined,
  };
  return { status: form === "204" ? 204 : 200, body: bodies[form] };
}

const idNames = new Set(["id", "uid", "user_id", "account_id"]);

function idsAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idsAsText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [
      name,
      idNames.has(name) && typeof content === "number" ? String(content) : idsAsText(content),
    ]),
  );
}

/** An error in the form that the chosen readings prescribe. Errors shown in the specification have one form only. */
export function refusalAnswer(error: ApiError, operation: string, readings: Readings): Answer {
  const { status, headers, specified } = error;
  if (specified || status >= 500) return { status, body: error.body, headers };
  const whitelist = readings.refusalStatus === "200-whitelist" && operation.startsWith("whitelist.");
  return {
    status: whitelist || readings.refusalStatus === "200" ? 200 : status,
    ...errorBody(error, whitelist ? "status-object" : readings.errorBody, headers),
  };
}

type Body = Pick<Answer, "body" | "text" | "headers">;

function errorBody(error: ApiError, form: Readings["errorBody"], headers: Record<string, string>): Body {
  const { status, message } = error;
  const bodies: Record<Readings["errorBody"], Body> = {
    "error-object": { body: error.body },
    message: { body: { message } },
    "error-text": { body: { error: message } },
    "errors-list": { body: { errors: [{ message }] } },
    "status-object": { body: { status: { status_code: status, message } } },
    empty: { body: undefined },
    text: { body: message, text: message, headers: { "content-type": "text/plain; charset=utf-8" } },
    html: { body: message, text: page(status), headers: { "content-type": "text/html" } },
  };
  const chosen = bodies[form];
  return { ...chosen, headers: { ...headers, ...chosen.headers } };
}

const page = (status: number) =>
  `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`;
