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
import { mutate, mutation, nested } from "./mutate";

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

describe("endless answers", () => {
  const megabyte = 1024 * 1024;
  // The client reads all answers the same way; the test suite tries a list, a record, a policy and a command.
  const some = ["WhitelistedIp", "DataStore", "ObjectPolicy", "Command"];
  const types = resources.map(({ type }) => type).filter((type) => runs > 100 || some.includes(type));
  test.each(types)("%s: 50 MB and a million brackets", async (type) => {
    const bodies = [`{"a":"${"x".repeat(50 * megabyte)}"}`, "[".repeat(megabyte) + "]".repeat(megabyte)];
    for (const body of bodies) {
      const work = await live(type, "create", between.url);
      between.reset(() => body);
      const before = process.memoryUsage().rss;
      const message = await work().then(
        () => "",
        (error: Error) => error.message,
      );
      // A write whose answer the specification does not show is trusted if the answer is well-formed JSON.
      if (message || body === bodies[0])
        expect(
          deeds.some((deed) => message.includes(deed)),
          message,
        ).toBe(true);
      expect(message).not.toMatch(crashMessage);
      expect(process.memoryUsage().rss - before).toBeLessThan(400 * megabyte);
    }
  });
});
