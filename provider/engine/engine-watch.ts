import { once } from "node:events";
import { connect } from "node:net";

const probeEveryMs = 5_000;

/**
 * Exits when the engine is gone, however it ended. The engine keeps our standard input open for as long as it lives; its
 * end is only a hint, so the engine's address is probed.
 */
export function exitWithEngine(address: string): void {
  const probe = async () => {
    if (!(await isReachable(address))) process.exit(0);
  };
  process.stdin.on("end", () => {
    void probe();
    setInterval(() => void probe(), probeEveryMs).unref();
  });
  process.stdin.on("error", () => undefined);
  process.stdin.resume();
}

async function isReachable(address: string): Promise<boolean> {
  const at = address.lastIndexOf(":");
  const socket = connect({ host: address.slice(0, at) || "127.0.0.1", port: Number(address.slice(at + 1)) });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(probeEveryMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
