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
  const invalid = (problem: string) => new PlatformError(`${name} ${problem}`, { code: "invalid-path" });
  // encodeURIComponent leaves dots alone, and a URL parser resolves "." and "..": the request would leave its path.
  if (text === "" || text === "." || text === "..")
    throw invalid(
      `is ${JSON.stringify(text)}, which cannot be part of a path; give a non-empty name other than "." and ".."`,
    );
  if (/\p{Surrogate}/u.test(text))
    throw invalid("contains half a character (a lone surrogate), which cannot be part of a path; remove it");
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
