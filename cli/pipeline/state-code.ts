import { ownType, urnParts } from "../../provider/core/urn";
import { shortName } from "./names";
import type { Exported, StateResource } from "./state";

/**
 * What a state, or a plan, would make the engine run. A dynamic provider is text in the state that is executed at read
 * and delete, and a provider can name a server to download its plugin from. Only the text of this package may be there.
 */
export function foreignCode({ deployment }: Exported): string[] {
  const pending = (deployment?.pending_operations ?? []).flatMap(({ resource }) => resource ?? []);
  return [...new Set([...(deployment?.resources ?? []), ...pending].flatMap(codeOf))];
}

function codeOf(resource: StateResource): string[] {
  return (["inputs", "outputs"] as const).flatMap((part) => foreignIn(resource.urn, resource.type, resource[part]));
}

/** `properties`: all, or those that a plan sets. */
export function foreignIn(
  urn: string,
  type: string = urnParts(urn).type,
  properties: Readonly<Record<string, unknown>> = {},
): string[] {
  const name = shortName(urn);
  const isProvider = [type, urnParts(urn).type].some((one) => one.startsWith("pulumi:providers:"));
  if (isProvider && /pluginDownloadURL/i.test(JSON.stringify(properties)))
    return [`foreign code: ${name} names a server to download its plugin from`];
  const text = properties["__provider"];
  if (text === undefined || text === null) return [];
  const own = type.startsWith("pulumi-nodejs:dynamic/") ? ownType(type) : undefined;
  if (own !== undefined && text === `exports.handler=()=>require("pulumi-dataplatform/dynamic").${own}`) return [];
  return [
    typeof text === "string"
      ? `foreign code: __provider of ${name} is not the text of pulumi-dataplatform, and would be executed`
      : `foreign code: __provider of ${name} is encrypted, so what would be executed cannot be read`,
  ];
}
