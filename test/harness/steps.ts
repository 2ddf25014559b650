/** Says that a test could not begin, as it builds on a step that failed. */
class NotRun extends Error {}

/**
 * Work that several tests build on. It is done once, when a test first asks for it. That test gets its error; the others
 * only hear which step failed.
 */
export function step<T>(name: string, work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    if (!done) {
      done = work();
      return done;
    }
    return done.catch((cause: unknown) => {
      throw cause instanceof NotRun ? cause : new NotRun(`not run: ${name} failed`, { cause });
    });
  };
}
