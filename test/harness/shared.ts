import { afterAll, beforeAll, onTestFinished } from "vitest";

type Ended = { close(): unknown } | { stop(): unknown } | { remove(): unknown };

function end(made: Ended): unknown {
  if ("close" in made) return made.close();
  return "stop" in made ? made.stop() : made.remove();
}

/** What one test has made, and is ended after it. */
export function forTest<T extends Ended>(made: T): T {
  onTestFinished(async () => void (await end(made)));
  return made;
}

/**
 * What the tests of a file or of a `describe` share: made before the first of them, and ended after the last. To be
 * called where tests are declared; until they run, there is nothing to read from it.
 */
export function shared<T extends Ended>(make: () => Promise<T>): T {
  let made: T | undefined;
  beforeAll(async () => {
    made = await make();
  });
  afterAll(async () => {
    if (made) await end(made);
  });
  const there = (): T => {
    if (!made) throw new Error("nothing to read yet: it is made when the tests run");
    return made;
  };
  return new Proxy({} as T, {
    get(_, key) {
      const value: unknown = Reflect.get(there(), key);
      // A class may keep what is private to it, which only its own instances may read.
      return typeof value === "function" ? value.bind(there()) : value;
    },
    set: (_, key, value) => Reflect.set(there(), key, value),
    ownKeys: () => Reflect.ownKeys(there()),
    getOwnPropertyDescriptor(_, key) {
      const found = Reflect.getOwnPropertyDescriptor(there(), key);
      return found && { ...found, configurable: true };
    },
  });
}
