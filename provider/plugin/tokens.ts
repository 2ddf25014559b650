import { PlatformError } from "../api/errors";
import type { AnyResource } from "../core/define";
import { definitionOf } from "../resources/load";

const prefix = "dataplatform:index:";

/** The name in a token of this package; empty for any other token. */
export function nameIn(token: string): string {
  return token.startsWith(prefix) ? token.slice(prefix.length) : "";
}

export function unknownToken(kind: string, token: string, known: readonly string[]): PlatformError {
  return new PlatformError(`unknown ${kind} ${JSON.stringify(token)}; this version has ${known.join(", ")}`, {
    code: "rejected",
  });
}

export function resourceOf(token: string): AnyResource {
  const found = definitionOf(nameIn(token));
  if (found) return found;
  const { resources } = require("../resources") as typeof import("../resources");
  throw unknownToken(
    "resource type",
    token,
    resources.map(({ type }) => type),
  );
}
