import type { Lines } from "./effects";

/** One platform's answer to one call, and what the call changed there. */
export interface Outcome {
  readonly status: number;
  readonly kind: "JSON" | "text" | "no body";
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly effect: Lines;
}

export interface Difference {
  readonly call: string;
  /** `HTTP status`, `kind of body`, `effect`, `header …`, or a place in the JSON body such as `commands[0].uid`. */
  readonly at: string;
  readonly emulator: string;
  readonly second: string;
}

type Found = Omit<Difference, "call">;

export function compare(emulator: Outcome, second: Outcome): Found[] {
  return [
    ...compareAnswers(emulator, second),
    ...(follows(emulator, second) ? [] : compareEffects(emulator.effect, second.effect)),
  ];
}

/** If one platform rejects a call and the other accepts it, the change of the latter is not a second difference. */
function follows(...outcomes: readonly Outcome[]): boolean {
  const refusals = outcomes.filter(({ status }) => status >= 400);
  return refusals.length === 1 && refusals[0]?.effect.length === 0;
}

function compareAnswers(emulator: Outcome, second: Outcome): Found[] {
  // The bodies of an error and a success are not comparable.
  if (emulator.status !== second.status)
    return [{ at: "HTTP status", emulator: String(emulator.status), second: String(second.status) }];
  const found = Object.keys(emulator.headers)
    .filter((name) => emulator.headers[name] !== second.headers[name])
    .map((name) => ({
      at: `header ${name}`,
      emulator: emulator.headers[name] ?? "absent",
      second: second.headers[name] ?? "absent",
    }));
  if (emulator.kind !== second.kind)
    return [...found, { at: "kind of body", emulator: emulator.kind, second: second.kind }];
  return emulator.kind === "JSON" ? [...found, ...compareValues("body", emulator.json, second.json)] : found;
}

function compareEffects(emulator: Lines, second: Lines): Found[] {
  const text = (lines: Lines) => lines.join("; ") || "nothing";
  return text(emulator) === text(second) ? [] : [{ at: "effect", emulator: text(emulator), second: text(second) }];
}

function compareValues(at: string, a: unknown, b: unknown): Found[] {
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    return keys.flatMap((key) => compareValues(at === "body" ? key : `${at}.${key}`, a[key], b[key]));
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    return a.flatMap((value, index) => compareValues(`${at}[${index}]`, value, b[index]));
  const [emulator, second] = [comparable(at, a), comparable(at, b)];
  return emulator === second ? [] : [{ at, emulator, second }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** For ids, tokens, messages and times that a platform chooses, only the type can be compared. */
const chosen = /(^|\.)(error_message|message|authentication_token|path|logs_resource|results_resource|submit_time)$/;
const chosenId = /^(id|account_id|(commands|users)\[\d+\]\.id)$/;

function comparable(at: string, value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `${value.length} entries`;
  if (typeof value === "object") return "an object";
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) return "a time";
  if (chosen.test(at) || chosenId.test(at)) return typeof value === "number" ? "an integer" : `a ${typeof value}`;
  return JSON.stringify(value);
}
