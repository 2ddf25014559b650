import { PlatformError } from "../api/errors";
import type { AnyResource } from "../core/define";
import { definitionOf } from "../resources/load";

const prefix = "dataplatform:index:";

/** What a token of this package stands for. `known`: the names that this version has. */
export function definitionNamed<T>(
  kind: string,
  token: string,
  find: (name: string) => T | undefined,
  known: () => readonly string[],
): T {
  const found = token.startsWith(prefix) ? find(token.slice(prefix.length)) : undefined;
  if (found) return found;
  const text = `unknown ${kind} ${JSON.stringify(token)}; this version has ${known().join(", ")}`;
  throw new PlatformError(text, { code: "rejected" });
}

export function resourceOf(token: string): AnyResource {
  const all = () => (require("../resources") as typeof import("../resources")).resources;
  return definitionNamed("resource type", token, definitionOf, () => all().map(({ type }) => type));
}
