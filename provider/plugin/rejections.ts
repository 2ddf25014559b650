import { AsyncLocalStorage } from "node:async_hooks";

type Fail = (error: unknown) => void;

/**
 * Work that leaves promises behind which only Pulumi's runtime holds: what fails in one of them would end the process.
 * Here it fails the work that it belongs to, and no other. Nothing stays installed once no work is under way.
 */
export class Rejections {
  readonly #pending = new Set<Fail>();
  /** Whose work a promise belongs to. */
  readonly #owner = new AsyncLocalStorage<Fail>();
  readonly #onRejection = (error: unknown): void => {
    const owner = this.#owner.getStore();
    for (const fail of owner ? [owner] : this.#pending) fail(error);
  };

  /** Ends with the work, with the first failure in it, or with the signal. */
  during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#pending.size === 0) process.on("unhandledRejection", this.#onRejection);
    return new Promise<T>((resolve, fail) => {
      const stop = () => fail(new Error("the run ended"));
      signal.addEventListener("abort", stop);
      this.#pending.add(fail);
      const ended = () => {
        this.#pending.delete(fail);
        if (this.#pending.size === 0) process.off("unhandledRejection", this.#onRejection);
        signal.removeEventListener("abort", stop);
      };
      void this.#owner.run(fail, work).then(resolve, fail).finally(ended);
    });
  }
}
