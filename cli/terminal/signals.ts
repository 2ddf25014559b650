/** Aborts on the first signal, so that what is temporary can be removed. `once`: a second one ends the process. */
export function stopOnSignals(how: "once" | "always"): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const signals = ["SIGINT", "SIGTERM"] as const;
  const stop = (): void => controller.abort();
  for (const signal of signals) process[how === "once" ? "once" : "on"](signal, stop);
  return {
    signal: controller.signal,
    end: () => {
      for (const signal of signals) process.removeListener(signal, stop);
    },
  };
}
