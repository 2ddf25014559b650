import { z } from "zod";
import { recordId } from "../values/id";
import type { Client } from "./client";
import { isPlatformError } from "./errors";
import { operations } from "./operations";

const maxPreviewMs = 5000;

/** The view contains credentials too; only the id is read here. */
const View = z.object({ id: recordId.transform(String) });

/** The account that the token belongs to. It never changes for a token, so it is asked for once. */
class TokenAccount {
  readonly #api: Client;
  #view: Promise<string | undefined> | undefined;
  #told: Promise<string | undefined> | undefined;
  #learned: string | undefined;
  #answersKnownPaths = false;
  #refusal: string | undefined;
  #isRefusalSaid = false;
  #isUntoldSaid = false;

  constructor(api: Client) {
    this.#api = api;
  }

  /** Undefined when no response tells it, because the token may not view the account. */
  async id(): Promise<string | undefined> {
    this.#view ??= this.#ask();
    const viewed = this.#view;
    return (
      (await viewed.catch((error: unknown) => {
        // A failure is not cached: the next caller tries again.
        if (this.#view === viewed) this.#view = undefined;
        if (this.#learned !== undefined) return undefined;
        throw error;
      })) ?? this.#learned
    );
  }

  /** For a preview, which an account that cannot be found out must neither fail nor hold up, once for all resources. */
  idIfTold(): Promise<string | undefined> {
    this.#told ??= this.#api
      .within(maxPreviewMs)
      .untilStopped(this.id())
      .catch(() => undefined);
    return this.#told;
  }

  /** Why the platform does not accept the token, for the first who asks: one warning is enough for a run. */
  takeRefusal(): string | undefined {
    if (this.#isRefusalSaid) return undefined;
    this.#isRefusalSaid = this.#refusal !== undefined;
    return this.#refusal;
  }

  /**
   * Whether nobody has said yet that the account cannot be found out: once is enough for a run. A token that the platform
   * rejects is an error, which says all that there is to do.
   */
  takeUntold(): boolean {
    const isFirst = !this.#isUntoldSaid && this.#refusal === undefined;
    this.#isUntoldSaid = true;
    return isFirst;
  }

  /** Lists and records name their account, which helps tokens that may not view it. */
  learn(account: string | number | null | undefined): void {
    if (account !== undefined && account !== null && account !== "") this.#learned = String(account);
  }

  /**
   * Whether the platform answers at the configured address. Behind a wrong base URL everything is "not found", even in
   * the platform's own format, and a 404 then says nothing about the resource.
   */
  async isPlatformThere(): Promise<boolean> {
    await this.id().catch(() => undefined);
    return this.#answersKnownPaths || this.#learned !== undefined;
  }

  async #ask(): Promise<string | undefined> {
    try {
      const { id } = await this.#api.call(operations.viewAccount, { answer: View });
      this.#answersKnownPaths = true;
      return id;
    } catch (error) {
      if (isPlatformError(error, "unauthorized", "forbidden")) {
        this.#answersKnownPaths = error.fromPlatform;
        if (error.code === "unauthorized") this.#refusal = error.message;
        return undefined;
      }
      // This installation has no such operation, or answers it in another form.
      if (isPlatformError(error, "not-found", "rejected", "conflict", "bad-answer", "redirected")) return undefined;
      throw error;
    }
  }
}

export const tokenAccountOf = (api: Client): TokenAccount => api.shared(makeTokenAccount);
const makeTokenAccount = (api: Client): TokenAccount => new TokenAccount(api);
