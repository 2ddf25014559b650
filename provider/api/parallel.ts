/**
 * Works on items side by side, no more than `limit` at once, so that none waits in a queue while its time-out runs.
 * When `work` answers false, what is under way is finished and nothing new is begun.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<boolean>,
): Promise<void> {
  const rest = items.values();
  let goOn = true;
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      goOn = (await work(item)) && goOn;
      if (!goOn) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
