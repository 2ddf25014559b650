import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../engine/layout.mjs";
import { withLock } from "./lock.mjs";

/** The project's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * Installing and compiling write to node_modules and dist: one at a time per checkout. The lock is outside of both,
 * because `npm ci` empties node_modules.
 * @template T
 * @param {(text: string) => void} log
 * @param {() => Promise<T>} work
 */
export function withSetupLock(log, work) {
  const checkout = createHash("sha256").update(root).digest("hex").slice(0, 12);
  const onWait = (/** @type {string} */ owner) => log(`set-up: ${owner} is at work in this checkout, waiting for it`);
  return withLock(join(cacheFolder(), "setup", `${checkout}.lock`), onWait, work);
}
