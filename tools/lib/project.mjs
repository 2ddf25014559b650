import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../engine/layout.mjs";
import { withLock } from "./lock.mjs";

/** The project's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * Allows one install or build at a time per checkout, because they write to node_modules and dist. The lock is outside
 * of both, because `npm ci` empties node_modules.
 * @template T
 * @param {(text: string) => void} log
 * @param {() => Promise<T>} work
 */
export function withSetupLock(log, work) {
  const checkout = createHash("sha256").update(root).digest("hex").slice(0, 12);
  const onWait = (/** @type {string} */ owner) =>
    log(`set-up: waiting for ${owner}, which is working in this checkout`);
  return withLock(join(cacheFolder(), "setup", `${checkout}.lock`), onWait, work);
}
