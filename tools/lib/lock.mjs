import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onExit } from "./cleanup.mjs";

const heartbeatMs = 2_000;
const staleAfterMs = 60_000;
const guardStaleAfterMs = 10_000;

/**
 * Does the work while no other process does. The lock is a folder (making one is atomic everywhere) whose time is
 * renewed while its owner lives; one left by a killed process is taken over.
 * @template T
 * @param {string} path
 * @param {(owner: string) => void} onWait called once when somebody else holds the lock, then every half minute
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  let nextMessage = 0;
  while (!tryTake(path)) {
    if (isAbandoned(path)) {
      removeAbandoned(path);
      continue;
    }
    if (Date.now() >= nextMessage) {
      onWait(ownerOf(path));
      nextMessage = Date.now() + 30_000;
    }
    await sleep(200);
  }
  const release = () => rmSync(path, { recursive: true, force: true });
  const forget = onExit(release);
  const heartbeat = setInterval(() => touch(path), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    forget();
    release();
  }
}

/** @param {string} path */
function tryTake(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(path, "owner"), `${process.pid} ${hostname()}`);
  return true;
}

/** @param {string} path */
function touch(path) {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Somebody removed the cache folder: the work itself will say so.
  }
}

/** @param {string} path */
function ownerOf(path) {
  try {
    return `process ${readFileSync(join(path, "owner"), "utf8").split(" ")[0]}`;
  } catch {
    return "another process";
  }
}

/** @param {string} path */
function isAbandoned(path) {
  const age = ageOf(path);
  if (age === undefined) return false;
  if (age > staleAfterMs) return true;
  try {
    const [pid, host] = readFileSync(join(path, "owner"), "utf8").split(" ");
    return host === hostname() && !isAlive(Number(pid));
  } catch {
    return false;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} path */
function ageOf(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}

/**
 * Only one of several waiting processes may remove it, and only after a second look: otherwise the slower one removes
 * the lock that the faster one has just taken.
 * @param {string} path
 */
function removeAbandoned(path) {
  const guard = `${path}.takeover`;
  try {
    mkdirSync(guard);
  } catch {
    if ((ageOf(guard) ?? 0) > guardStaleAfterMs) rmSync(guard, { recursive: true, force: true });
    return;
  }
  try {
    if (isAbandoned(path)) rmSync(path, { recursive: true, force: true });
  } finally {
    rmdirSync(guard);
  }
}
