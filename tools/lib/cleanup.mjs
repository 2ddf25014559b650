/** What must not outlive this process, however it ends: children, temporary folders, locks. */

/** @type {Set<() => void>} */
const undos = new Set();
/** @type {Set<(signal: NodeJS.Signals) => Promise<void>>} */
const interrupts = new Set();
let listening = false;
let ending = false;

function undoAll() {
  for (const undo of [...undos].reverse()) {
    undos.delete(undo);
    try {
      undo();
    } catch {
      // The others still have to run.
    }
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
 * Registers a synchronous undo for normal exit, crash and Ctrl-C alike.
 * @param {() => void} undo
 * @returns {() => void} call it when there is nothing to undo any more
 */
export function onExit(undo) {
  listen();
  undos.add(undo);
  return () => undos.delete(undo);
}

/**
 * Registers what a signal waits for before the process ends; a second signal waits for nothing.
 * @param {(signal: NodeJS.Signals) => Promise<void>} end
 * @returns {() => void} call it when there is nothing to wait for any more
 */
export function onInterrupt(end) {
  listen();
  interrupts.add(end);
  return () => interrupts.delete(end);
}
