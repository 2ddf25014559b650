import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extendedOperations } from "../../../provider/api/extended-operations";
import { type Operation, operations } from "../../../provider/api/operations";
import { resources } from "../../../provider/resources";
import { argsOf } from "../../cases";
import { anyCharacter } from "../../harness/any-character";
import { inProcess } from "../../harness/in-process";
import { ScriptedServer } from "../../harness/scripted-server";
import { shared } from "../../harness/shared";

/** Characters that break out of an unencoded path: alone, combined, and between ordinary letters. */
const nasty = fc.constantFrom("/", "\\", ".", "..", "%", "%2F", "%2e%2e", "?", "#", "\n", "\r\n", "\t", " ", ";", ":");
const letters = fc.constantFrom(..."ä漢😀\u0000\u202ea1@,", "\ud800", "http://evil.example.com/");
const hostile = fc
  .oneof(
    { arbitrary: fc.array(fc.oneof(nasty, letters), { minLength: 1, maxLength: 6 }), weight: 4 },
    { arbitrary: fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 2 }), weight: 1 },
  )
  .map((parts) => parts.join(""));

const seed = Number(process.env["CHAOS_SEED"] ?? 7);
const all: readonly Operation[] = [...Object.values(operations), ...Object.values(extendedOperations)];
const templates = all.map(({ method, path }) => ({
  method,
  pattern: new RegExp(
    `^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/?#\\\\\\s]+")}(\\?[^#\\s]*)?$`,
  ),
}));

/** Whether a request matches an API path, with each value in its own segment. */
function staysInPath({ method, url }: { method: string; url: string }): boolean {
  const parsed = new URL(url, "http://platform.example.com");
  const unchanged = parsed.host === "platform.example.com" && parsed.pathname + parsed.search === url;
  return unchanged && templates.some((template) => template.method === method && template.pattern.test(url));
}

describe("no request leaves its path", () => {
  const server = shared(() => ScriptedServer.start());

  const types = resources.map((definition) => [definition.type, definition] as const);
  test.each(types)("%s, with hostile strings in its inputs and id", async (type, definition) => {
    const { life, client } = inProcess(definition, { url: server.url, tokens: {} } as never, {
      token: "token",
      retries: 0,
      hurried: true,
      extended: definition.extended?.required ?? false,
    });
    const texts = pathsOfTexts(argsOf(type));
    const property = fc.asyncProperty(fc.constantFrom(...texts, undefined), hostile, async (at, text) => {
      server.script({ body: {} });
      const args = at === undefined ? argsOf(type) : withText(argsOf(type), at, text);
      const { failures: bad } = life.check(args);
      for (const { reason } of bad) expect(reason.length).toBeGreaterThan(5);
      const attempts = [life.create(args), life.read(text, {}), life.delete(text, args)];
      if (bad.length === 0) attempts.push(life.read(text, args), life.update(text, args, args));
      await Promise.allSettled(attempts);
      for (const received of server.received) expect(staysInPath(received), received.url).toBe(true);
    });
    await fc.assert(property, { seed, numRuns: 60 });
    await client.close();
  });
});

type Path = readonly (string | number)[];

/** The paths of all strings in the arguments. */
function pathsOfTexts(value: unknown, at: Path = []): Path[] {
  if (typeof value === "string") return [at];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => pathsOfTexts(inner, [...at, key]));
}

function withText<T>(value: T, [first, ...rest]: Path, text: string): T {
  if (first === undefined) return text as T;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  (copy as Record<string | number, unknown>)[first] = withText((value as Record<string, unknown>)[first], rest, text);
  return copy as T;
}
