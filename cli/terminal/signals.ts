/** Within which several signals are one: a terminal sends it to npx and to this process, and npx passes it on. */
const oneSignalMs = 1000;

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls this each time that somebody asks the process to end. Returns what stops listening. */
export function onSignals(asked: () => void): () => void {
  let heardAt = Number.NEGATIVE_INFINITY;
  const hear = (): void => {
    const isNew = performance.now() - heardAt >= oneSignalMs;
    heardAt = performance.now();
    if (isNew) asked();
  };
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.removeListener(signal, hear);
  };
}

/** Aborts on the first signal, so that what is temporary can be removed. `once`: a second one ends the process. */
export function stopOnSignals(how: "once" | "always"): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const end = onSignals(() => {
    if (how === "once" && controller.signal.aborted) process.exit(130);
    controller.abort();
  });
  return { signal: controller.signal, end };
}
