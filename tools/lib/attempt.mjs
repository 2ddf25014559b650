/**
 * For what may not be there, or may be broken: then there is nothing.
 * @template T
 * @param {() => T} work
 * @returns {T | undefined}
 */
export function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
