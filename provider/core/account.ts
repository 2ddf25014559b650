import { PlatformError } from "../api/errors";
import { tokenAccountOf } from "../api/token-account";
import { asNumber } from "../values/id";
import { accountIn, markAccount, withoutBookkeeping } from "./bookkeeping";
import type { AnyResource, Context } from "./define";
import { containsUnknown } from "./unknowns";
import type { Properties } from "./values";

/** Which account a resource belongs to: recorded when it is created, and compared with the token's afterwards. */

export function showsAccount({ outputs }: AnyResource): boolean {
  return "accountId" in outputs.shape;
}

/** Adds the token's account to the outputs, unless they name it. */
export async function withAccount(definition: AnyResource, { api }: Context, outputs: Properties): Promise<Properties> {
  if (recordedAccount(outputs) !== undefined) return outputs;
  // The resource exists: an unknown account must not fail its creation.
  const account = await tokenAccountOf(api)
    .id()
    .catch(() => undefined);
  if (account === undefined) return outputs;
  return { ...outputs, ...(showsAccount(definition) ? { accountId: asNumber(account) } : markAccount(account)) };
}

/** A token of another account must not report a resource as gone, nor remove what has the same id there. */
export async function requireAccount(
  { accountOf, type }: AnyResource,
  { api }: Context,
  id: string,
  state: Properties,
): Promise<void> {
  const recorded = accountOf ? accountOf(id, withoutBookkeeping(state)) : recordedAccount(state);
  if (recorded === undefined || containsUnknown(recorded)) return;
  const account = await tokenAccountOf(api).id();
  if (account === undefined || account === String(recorded)) return;
  throw new PlatformError(
    `this ${type} belongs to account ${recorded}, but the configured token belongs to account ${account}; use a token of account ${recorded} (dataplatform:apiToken or DATAPLATFORM_API_TOKEN). Nothing was changed`,
    { code: "wrong-account", outcome: "not-sent" },
  );
}

function recordedAccount(state: Properties): unknown {
  return state["accountId"] ?? accountIn(state);
}
