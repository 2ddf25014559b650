import type { Hook, Passing } from "../../harness/go-between";

/** One form of an answer that no source shows, and the types of resources that meet it. */
export interface Form {
  readonly title: string;
  readonly types: readonly string[];
  readonly answers: () => Hook;
}

/** One form for each of the ways in which an answer may be given. */
export const formsOf = <Way>(
  what: string,
  types: readonly string[],
  ways: Readonly<Record<string, Way>>,
  hookOf: (way: Way) => Hook,
): Form[] =>
  Object.entries(ways).map(([name, way]) => ({ title: `${what} ${name}`, types, answers: () => hookOf(way) }));

export interface Item {
  readonly id: number;
  readonly name?: string;
  readonly email?: string;
}

/** `GET /path`, without the query. */
export const callOf = ({ method, url }: Passing): string => `${method} ${url.split("?")[0]}`;

/** Whether it is such a call, and was done. */
export const is = (at: RegExp, passing: Passing): boolean => at.test(callOf(passing)) && passing.status < 300;

/** Another JSON body for such a call. */
export function inJson(at: RegExp, change: (body: unknown) => unknown): Hook {
  return (passing) => (is(at, passing) ? JSON.stringify(change(JSON.parse(passing.text))) : passing.text);
}
