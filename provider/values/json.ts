const halfPair = /\\u[dD][89a-fA-F]/;

/**
 * JSON of the platform. Half a surrogate pair (`"\ud83d"`) is legal in it, but the engine hangs on text that is no
 * Unicode, so it becomes a replacement character here, before anything can pass it on. An integer that a number cannot
 * hold becomes text: rounded, an id would be that of another record.
 */
export function parseJson(text: string): unknown {
  const value: unknown = halfPair.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
  const exact = longDigits.test(text) ? text.replace(textOrNumber, quotedIfRounded) : text;
  return exact === text ? value : parseJson(exact);
}

const longDigits = /[1-9]\d{15}/;
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

function quotedIfRounded(token: string): string {
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Whether it is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What JSON text says; other text stays what it is. Some platforms send JSON as text inside JSON. */
export function jsonOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), inner]));
}
