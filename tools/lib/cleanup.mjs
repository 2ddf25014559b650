/** What must not outlive this process, however it ends: children, temporary folders, locks. */

/** @type {Set<() => void>} */
const pending = new Set();
let listening = false;

function runAll() {
  for (const undo of [...pending].reverse()) {
    pending.delete(undo);
    try {
      undo();
    } catch {
      // The others still have to run.
    }
  }
}

function listen() {
  listening = true;
  process.on("exit", runAll);
  for (const [signal, number] of /** @type {const} */ ([
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ])) {
    process.on(signal, () => process.exit(128 + number));
  }
}

/**
 * Registers a synchronous undo for normal exit, crash and Ctrl-C alike.
 * @param {() => void} undo
 * @returns {() => void} call it when there is nothing to undo any more
 */
export function onExit(undo) {
  if (!listening) listen();
  pending.add(undo);
  return () => pending.delete(undo);
}
