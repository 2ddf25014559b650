/**
 * Processes items in parallel, at most `limit` at once, so that none sits in a queue while its timeout runs. When
 * `work` returns false, what is in flight is finished and nothing new is started.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<boolean>,
): Promise<void> {
  const rest = items.values();
  let proceed = true;
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      proceed = (await work(item)) && proceed;
      if (!proceed) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
