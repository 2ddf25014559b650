/** Work that several tests look at: done once, by the first that asks. If it failed, none of them passes. */
export function step<T>(what: string, work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return async () => {
    done ??= work();
    try {
      return await done;
    } catch (cause) {
      throw new Error(`not run: ${what} failed: ${(cause as Error).message}`, { cause });
    }
  };
}
