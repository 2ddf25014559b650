import { segmentProblem } from "../values/path-segment";
import { PlatformError } from "./errors";

type ParameterNames<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** The values a path template asks for: `/groups/{groupId}` asks for `groupId`. */
export type PathParameters<Template extends string> = { readonly [Name in ParameterNames<Template>]: string | number };

/** Fills a path template. Every value becomes exactly one segment: it is encoded, and `.` and `..` are refused. */
export function fillPath<Template extends string>(template: Template, parameters: PathParameters<Template>): string {
  const values = parameters as Readonly<Record<string, string | number>>;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, values[name]));
}

function encodeSegment(name: string, value: string | number | undefined): string {
  const text = String(value ?? "");
  const problem = segmentProblem(text, "a name or an id");
  if (problem) throw new PlatformError(`${name} ${problem}`, { code: "invalid-path" });
  // A comma list of ids is one segment whose commas the API reads.
  return encodeURIComponent(text).replaceAll("%2C", ",");
}

export function queryString(query: Readonly<Record<string, unknown>> | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const text = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, text(value)]))}`;
}
