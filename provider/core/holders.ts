import { PlatformError } from "../api/errors";
import { accountOf } from "./account";
import type { Declarations } from "./declarations";
import type { AnyResource } from "./define";
import type { Existing } from "./guard";
import type { Properties } from "./properties";

/**
 * A run that ended early may have left one role or group to two resources: a new one took it over by its name, before the
 * program came to the one that was to give it another name. Then each would undo what the other does.
 */
export function refuseSecondHolder(
  { type, keys }: AnyResource,
  { id, state }: Pick<Existing, "id" | "state">,
  { name }: Properties,
  declarations: Declarations | undefined,
): void {
  const account = accountOf(state);
  if (keys?.property !== "name" || typeof name !== "string" || account === undefined || !declarations) return;
  const thing = `${type} ${id} of account ${account}`;
  const other = declarations.holders.get(thing) ?? name;
  declarations.holders.set(thing, other);
  if (other === name) return;
  throw new PlatformError(
    `two resources of this program have ${type} ${id} in the state: the one with the name "${other}", and the one with the name "${name}". A run that failed has probably left that. Take the one that was new in it out of the state with "pulumi state delete", let it depend on the other one (dependsOn), and run "pulumi up" again`,
    { code: "conflict", outcome: "not-sent" },
  );
}
