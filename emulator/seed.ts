import { z } from "zod";
import { type FullSeed, partNames, type Seed, seedSchema } from "./records";
import { analytics, research } from "./seed-accounts";
import { keyOf } from "./store";

/** The default initial state; docs/emulator.md lists it. */
export const defaultSeed: Seed = { accounts: [analytics, research] };

/** Validates a seed, including that ids and tokens are unique. */
export function parseSeed(seed: Seed = defaultSeed): FullSeed {
  const result = seedSchema.safeParse(seed);
  if (!result.success) throw new Error(`the seed is not valid:\n${z.prettifyError(result.error)}`);
  const seen = new Set<string>();
  const once = (what: string) => {
    if (seen.has(what)) throw new Error(`the seed is not valid: duplicate ${what}`);
    seen.add(what);
  };
  for (const account of result.data.accounts) {
    once(`account ${account.id}`);
    for (const part of partNames)
      for (const record of account[part]) once(`${part} ${keyOf(part, record)} of account ${account.id}`);
    for (const [index, user] of account.users.entries()) {
      // The message must not contain the token itself.
      if (seen.has(`token:${user.token}`))
        throw new Error(`the seed is not valid: duplicate token of user ${index + 1} of account ${account.id}`);
      seen.add(`token:${user.token}`);
    }
  }
  return result.data;
}
