import { Expression } from "./source";

/** Named after what users call it. */
const shortNames: Readonly<Record<string, string>> = { dbPasswd: "password" };

/** A secret of the stack's configuration, for an input that the API never shows. */
export function secretOf(resource: string, property: string, how: "get" | "require"): Expression {
  const words = shortNames[property] ?? property.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  const key = `${resource}-${words}`;
  return new Expression(`config.${how}Secret(${JSON.stringify(key)})`, how === "require" ? key : undefined);
}
