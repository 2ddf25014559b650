import { describe, expect, test } from "vitest";
import { type Existing, PartialFailure } from "../../../provider/core/guard";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { resources } from "../../../provider/resources";
import { argsOf, preparedEmulator } from "../../cases";
import { definitionOf, hostAt } from "../../harness/in-process";

/**
 * Any input may be a secret, because the program says so: a name, an address, a location. Whatever then happens to the
 * calls, its value is in no id, in no message, and in no output that is not marked.
 */

const emulator = preparedEmulator();

/** Shorter ones are in every text. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.length < 4 ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Values of a fixed set are no secrets: they are in the documentation, and in our own sentences. */
const isFree = (type: string, name: string) =>
  !["sourceType", "type", "allow", "deny", "schema"].includes(name) &&
  !(type === "PartitionSensor" && name === "table");

const cases = resources.flatMap(({ type }) =>
  Object.entries(argsOf(type))
    .filter(([name, value]) => isFree(type, name) && textsIn(value).length > 0)
    .map(([name]) => [type, name] as const),
);

describe.each(cases)("%s with a secret %s", (type, input) => {
  const args = argsOf(type);
  const given = textsIn(args[input]).filter((text) => !["allow", "deny", "read", "update"].includes(text));
  // The parent of a location tells as much.
  const secrets = given.flatMap((text) => [text, ...(/^(.+)\/[^/]*$/.exec(text)?.slice(1) ?? [])]);

  const start = () => {
    const { host, said } = hostAt({ url: emulator.url, tokens: emulator.tokens }, { extended: true, retries: 0 });
    return { life: new Lifecycle(definitionOf(type), host, [[input]]), said };
  };
  const expectHidden = (where: string, text: string) => {
    for (const secret of secrets) expect(text, where).not.toContain(secret);
  };
  const expectMarked = (where: string, { id, state, secretOutputs = [] }: Existing) => {
    expectHidden(`${where}: the id`, id);
    const plain = Object.entries(state).filter(([name]) => name !== input && !secretOutputs.includes(name));
    // What another input says in the clear, the program has said itself.
    const others = plain.filter(([name]) => !(name in args));
    expectHidden(`${where}: the outputs`, textsIn(others).join("\n"));
  };
  const outcomeOf = async (where: string, work: Promise<unknown>): Promise<Existing | undefined> => {
    const result = await work.catch((error: unknown) => error as Error);
    if (result instanceof Error) expectHidden(`${where}: the error`, result.message);
    const existing = result instanceof PartialFailure ? result.existing : result;
    if (existing && !(existing instanceof Error)) expectMarked(where, existing as Existing);
    return existing instanceof Error ? undefined : (existing as Existing);
  };

  test.each(["create", "read", "delete"] as const)("%s, with each call refused", async (verb) => {
    for (let nth = 0, calls = 1; nth <= calls; nth++) {
      emulator.reset();
      const { life, said } = start();
      const made = verb === "create" ? undefined : await outcomeOf("create", life.create(args));
      emulator.clearRequests();
      // A platform says what it refuses.
      const body = { error: { error_code: 422, error_message: `not now: ${secrets.join(", ")}` } };
      if (nth > 0) emulator.setFaults({ rules: [{ kind: "respond", status: 422, body, nth }] });
      const where = `${verb}, call ${nth}`;
      const state = { ...made?.state };
      if (verb === "create") await outcomeOf(where, life.create(args));
      else if (verb === "read") await outcomeOf(where, life.read(made!.id, state));
      else await outcomeOf(where, life.delete(made!.id, state));
      emulator.clearFaults();
      if (nth === 0) calls = emulator.requests().requests.length;
      expectHidden(`${where}: the log`, [...said.infos, ...said.warnings].join("\n"));
    }
  });
});
