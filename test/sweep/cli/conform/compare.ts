import type { Exchange } from "../../../../cli/conform/session";

/** Two runs at different times get different times back, and ask a different number of times while they wait. */
export function comparable(exchanges: readonly Exchange[], leftOut: readonly string[] = []): string[] {
  const compared = exchanges.filter(({ name }) => !leftOut.includes(name));
  const lines = compared.map(({ name, ask, answer }) => ({
    request: `${name} ${JSON.stringify(ask)}`,
    answer: `${answer.status} ${answer.contentType ?? ""} ${answer.encoding ?? ""} ${withoutTimes(answer.text)}`,
  }));
  return lines
    .filter(({ request }, at) => lines[at + 1]?.request !== request)
    .map(({ request, answer }) => `${request} → ${answer}`);
}

function withoutTimes(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d(Z| UTC))?/g, "<time>")
    .replace(/(_time|_at)("|\\"):\d{10}\b/g, '$1":<time>');
}
