import { keysOf } from "../core/keys";
import type { Properties } from "../core/properties";
import { childrenIn } from "./children";
import { isInNewAccount, type Part, type Structure } from "./structure";

/** What a resource of an environment declares, such as an address or a package, and where. */
export interface Declared {
  readonly property: string;
  readonly key: string;
}

/** What an environment declares in the caller's account: another one there must not declare it too. */
export function declaredIn(inputs: Properties): Declared[] {
  return childrenIn(inputs)
    .filter(({ path }) => !isInNewAccount(inputs as Structure, path.split(".", 1)[0] as Part))
    .flatMap(({ path, definition, inputs: own, madeOf }) =>
      keysOf(definition, own).map((key) => ({ property: madeOf ?? `${path}.${definition.keys!.property}`, key })),
    );
}
