/** Cleanup of children, temporary folders and locks, however this process ends. */

import { attempt } from "./attempt.mjs";

/** @type {Set<() => void>} */
const undos = new Set();
/** @type {Set<(signal: NodeJS.Signals) => Promise<void>>} */
const interrupts = new Set();
let listening = false;
let ending = false;

function undoAll() {
  for (const undo of [...undos].reverse()) {
    undos.delete(undo);
    attempt(undo); // If it fails, still run the others.
  }
}

function listen() {
  if (listening) return;
  listening = true;
  process.on("exit", undoAll);
  for (const [signal, number] of /** @type {const} */ ([
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ])) {
    process.on(signal, async () => {
      if (!ending) {
        ending = true;
        await Promise.allSettled([...interrupts].map((end) => end(signal)));
      }
      process.exit(128 + number);
    });
  }
}

/**
 * Registers a synchronous cleanup for normal exit, crash and Ctrl-C.
 * @param {() => void} undo
 * @returns {() => void} unregisters it
 */
export function onExit(undo) {
  listen();
  undos.add(undo);
  return () => undos.delete(undo);
}

/**
 * Registers work to finish before a signal ends the process; a second signal ends it immediately.
 * @param {(signal: NodeJS.Signals) => Promise<void>} end
 * @returns {() => void} unregisters it
 */
export function onInterrupt(end) {
  listen();
  interrupts.add(end);
  return () => interrupts.delete(end);
}
