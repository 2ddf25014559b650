import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { attempt } from "./attempt.mjs";
import { onExit } from "./cleanup.mjs";

const heartbeatMs = 2_000;
const staleAfterMs = 60_000;
const guardStaleAfterMs = 10_000;

/**
 * Runs the work under an exclusive lock between processes. The lock is a folder (mkdir is atomic everywhere) whose
 * timestamp its owner keeps renewing; a lock left by a killed process is taken over. So is the lock of a process that
 * was suspended for long: when it resumes, it must leave a lock alone that now belongs to another process.
 * @template T
 * @param {string} path
 * @param {(owner: string) => void} onWait called when another process holds the lock, then every 30 seconds
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  const owner = `${process.pid} ${hostname()} ${randomUUID()}`;
  let nextMessage = 0;
  while (!tryTake(path, owner)) {
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
  const forget = onExit(() => release(path, owner));
  const heartbeat = setInterval(() => renew(path, owner), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    forget();
    release(path, owner);
  }
}

/** @param {string} path @param {string} owner */
function tryTake(path, owner) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
  try {
    writeFileSync(join(path, "owner"), owner);
  } catch (error) {
    // A lock without an owner would never be released.
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
  return true;
}

/**
 * Renews the lock before removing it: nobody takes over a fresh lock, so it is still ours when we remove it.
 * @param {string} path
 * @param {string} owner
 */
function release(path, owner) {
  if (renew(path, owner) && readOwner(path) === owner) rmSync(path, { recursive: true, force: true });
}

/** @param {string} path @param {string} owner @returns {boolean} whether the lock is still this owner's */
function renew(path, owner) {
  if (readOwner(path) !== owner) return false;
  try {
    const now = new Date();
    utimesSync(path, now, now);
    return true;
  } catch {
    // The cache folder was removed; the work itself will fail and say so.
    return false;
  }
}

/** @param {string} path */
const readOwner = (path) => attempt(() => readFileSync(join(path, "owner"), "utf8"));

/** @param {string} path */
function ownerOf(path) {
  const owner = readOwner(path);
  return owner === undefined ? "another process" : `process ${owner.split(" ")[0]}`;
}

/** @param {string} path */
function isAbandoned(path) {
  const age = ageOf(path);
  if (age === undefined) return false;
  if (age > staleAfterMs) return true;
  const [pid, host] = readOwner(path)?.split(" ") ?? [];
  return host === hostname() && !isAlive(Number(pid));
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
const ageOf = (path) => attempt(() => Date.now() - statSync(path).mtimeMs);

/**
 * Only one of the waiting processes may remove it, and must check again first: otherwise a slower process could remove
 * the lock that a faster one has just taken.
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
