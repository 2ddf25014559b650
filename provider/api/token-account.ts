import { z } from "zod";
import type { Client } from "./client";
import { isPlatformError } from "./errors";
import { operations } from "./operations";

/** The view shows credentials too; nothing but the id is read here. */
const View = z.object({ id: z.union([z.number(), z.string().min(1)]).transform(String) });

/** The account that the token belongs to. It never changes for a token, so it is asked for once. */
class TokenAccount {
  readonly #api: Client;
  #view: Promise<string | undefined> | undefined;
  #learned: string | undefined;
  #answersKnownPaths = false;

  constructor(api: Client) {
    this.#api = api;
  }

  /** Undefined when neither the view nor any other answer tells it, because the token may not see the account. */
  async id(): Promise<string | undefined> {
    this.#view ??= this.#ask();
    const viewed = this.#view;
    return (
      (await viewed.catch((error: unknown) => {
        // A failure is no knowledge: the next one who asks tries again.
        if (this.#view === viewed) this.#view = undefined;
        if (this.#learned !== undefined) return undefined;
        throw error;
      })) ?? this.#learned
    );
  }

  /** Lists and records name their account: for tokens that may not view it. */
  learn(account: string | number | null | undefined): void {
    if (account !== undefined && account !== null && account !== "") this.#learned = String(account);
  }

  /**
   * Whether the platform answers at the configured address. Behind a wrong base URL everything is "not found", also in
   * the platform's own words; then a 404 tells nothing about what was asked for.
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
        return undefined;
      }
      // This installation has no such operation, or shows it otherwise.
      if (isPlatformError(error, "not-found", "rejected", "conflict", "bad-answer", "redirected")) return undefined;
      throw error;
    }
  }
}

export const tokenAccountOf = (api: Client): TokenAccount => api.shared(makeTokenAccount);
const makeTokenAccount = (api: Client): TokenAccount => new TokenAccount(api);

/** The platform's clear word that something is not there. A 404 of a proxy, or behind a wrong address, is none. */
export async function saysItIsGone(api: Client, error: unknown): Promise<boolean> {
  return isPlatformError(error, "not-found") && error.fromPlatform && (await tokenAccountOf(api).isPlatformThere());
}
