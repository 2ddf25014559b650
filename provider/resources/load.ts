import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AnyResource } from "../core/define";

const loaded = new Map<string, AnyResource | undefined>();

/**
 * Loads the definition of one type without the others: a stack uses few of them, and building the schemas takes time. The
 * file and its export are named after the type.
 */
export function definitionOf(type: string): AnyResource | undefined {
  if (!loaded.has(type)) loaded.set(type, load(type));
  return loaded.get(type);
}

function load(type: string): AnyResource | undefined {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(type)) return undefined;
  const file = join(__dirname, kebab(type));
  if (!existsSync(`${file}.js`)) return undefined;
  const exported = require(file) as Readonly<Record<string, AnyResource>>;
  return exported[type.charAt(0).toLowerCase() + type.slice(1)];
}

/** Name of the file and of the documentation page: WhitelistedIp → whitelisted-ip, S3DistCp → s3-dist-cp. */
export function kebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}
