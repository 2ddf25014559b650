import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { extendedOperations } from "../../../provider/api/extended-operations";
import { operations } from "../../../provider/api/operations";
import type { Properties } from "../../../provider/core/properties";
import { resources } from "../../../provider/resources";
import { argsOf, preparedEmulator } from "../../cases";
import { GoBetween } from "../../harness/go-between";
import { definitionOf, inProcess } from "../../harness/in-process";
import { shared } from "../../harness/shared";
import { summarise } from "./long/settings";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One way to mutate a valid answer. `at` picks the place. */
interface Mutation {
  readonly kind: "remove" | "replace" | "extra" | "cut" | "other";
  readonly at: number;
  readonly value: Json;
  /** Inserted into the text verbatim: numbers that JSON.stringify would not write. */
  readonly raw: string | undefined;
}

/** Deeper than any recursive function can go. */
const nested = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;

const oddValue = fc.oneof(
  fc.constantFrom<Json>(null, "", "0", "false", "true", true, -1, 0, 0.5, 1e308, Number.MAX_SAFE_INTEGER + 2, [], {}),
  fc.constantFrom<Json>("9".repeat(400), "x".repeat(100_000), "\u0000", "\ud800", "../..", "__proto__"),
  fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>,
);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("remove", "replace", "replace", "extra", "cut", "other"),
  at: fc.nat(10_000),
  value: oddValue,
  raw: fc.option(fc.constantFrom("1e999", "-1e999", `1${"0".repeat(5000)}`, '{"__proto__":{"id":1}}', nested), {
    nil: undefined,
    freq: 3,
  }),
});

/** Applies the mutation to the answer. */
function mutate(text: string, { kind, at, value, raw }: Mutation): string {
  if (kind === "cut") return text.slice(0, at % (text.length + 1));
  if (kind === "other") return raw ?? JSON.stringify(value);
  const answer = JSON.parse(text || "{}") as Json;
  const places = placesIn(answer);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return raw ?? JSON.stringify(value);
  const marked = "\u{1F50D}raw\u{1F50D}";
  change(place, kind, raw === undefined ? value : marked);
  return JSON.stringify(answer).replaceAll(JSON.stringify(marked), raw ?? "");
}

interface Place {
  readonly inside: Json[] | { [key: string]: Json };
  readonly key: string | number;
}

function placesIn(value: Json): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return keys.flatMap((key) => [
    { inside: value, key },
    ...placesIn((value as Record<string | number, Json>)[key] ?? null),
  ]);
}

function change({ inside, key }: Place, kind: Mutation["kind"], value: Json): void {
  const record = inside as Record<string | number, Json>;
  if (kind === "replace") record[key] = value;
  else if (kind === "extra" && !Array.isArray(inside)) record[`surprise ${key}`] = value;
  else if (kind === "remove" && Array.isArray(inside)) inside.splice(Number(key), 1);
  else if (kind === "remove") delete record[key];
}

const emulator = preparedEmulator();
const between = shared(() => GoBetween.start(emulator.url));
const mutationCounts: Record<string, number> = {};
afterAll(async () => {
  if (Object.keys(mutationCounts).length > 0) summarise("fuzz", mutationCounts);
});

const runs = Number(process.env["CHAOS_FUZZ_RUNS"] ?? 6);
const seed = Number(process.env["CHAOS_SEED"] ?? 7);
const deeds = [...Object.values(operations), ...Object.values(extendedOperations)].map(
  ({ does }) => `could not ${does}`,
);
/** Errors about a well-formed answer with bad news; they say what was found. */
const badNews =
  /does not list it|is already whitelisted|could not add \d|belongs to account|is not in the command history/;
/** Messages of code that crashed on a value instead of checking it. */
const crashMessage =
  /cannot read prop|is not a function|is not iterable|(?<!received )undefined|\[object|call stack|(?<!received )NaN|Invalid time/i;

type Verb = "create" | "read" | "update" | "delete";

async function live(type: string, verb: Verb, through: string): Promise<() => Promise<unknown>> {
  emulator.reset();
  const definition = definitionOf(type);
  const args = argsOf(type);
  const extended = definition.extended?.required ?? false;
  const direct = inProcess(definition, emulator, { extended });
  const existing = verb === "create" ? { id: "", state: {} } : await direct.life.create(args);
  await direct.client.close();
  const { life, client } = inProcess(definition, { ...emulator, url: through }, { retries: 0, extended });
  const work = (state: Properties): Promise<unknown> => {
    if (verb === "create") return life.create(args);
    if (verb === "read") return life.read(existing.id, state);
    return verb === "update" ? life.update(existing.id, state, args) : life.delete(existing.id, state);
  };
  return () => work(existing.state).finally(() => client.close());
}

/** How many requests the verb sends, so that each answer can be mutated. */
async function requestsOf(type: string, verb: Verb): Promise<number> {
  const work = await live(type, verb, between.url);
  between.reset();
  await work();
  return between.passed;
}

describe("answers of any shape are an error that names the operation, or harmless", () => {
  const verbs: readonly Verb[] = ["create", "read", "update", "delete"];
  test.each(resources.map(({ type }) => type))("%s", async (type) => {
    for (const verb of verbs) {
      const requests = await requestsOf(type, verb);
      for (let number = 1; number <= requests; number++) {
        const property = fc.asyncProperty(mutation, async (change) => {
          const work = await live(type, verb, between.url);
          between.reset((passing) => (passing.number === number ? mutate(passing.text, change) : passing.text));
          mutationCounts[type] = (mutationCounts[type] ?? 0) + 1;
          const error = await work().then(
            () => undefined,
            (reason: Error) => reason,
          );
          // A grant writes back what it does not know, and the emulator refuses what it did not show itself.
          const isEcho = type.endsWith("Grant") && /Unrecognized key: .*surprise/.test(error?.message ?? "");
          if (change.kind === "extra" && change.raw !== nested && !isEcho) expect(error?.message).toBeUndefined();
          if (!error) return;
          expect(error.message).not.toMatch(crashMessage);
          if (!badNews.test(error.message))
            expect(
              deeds.some((deed) => error.message.includes(deed)),
              error.message,
            ).toBe(true);
        });
        await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
      }
    }
  });
});
