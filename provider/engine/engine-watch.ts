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

function isReachable(address: string): Promise<boolean> {
  const at = address.lastIndexOf(":");
  return new Promise((resolve) => {
    const socket = connect({ host: address.slice(0, at) || "127.0.0.1", port: Number(address.slice(at + 1)) });
    const done = (reachable: boolean) => {
      socket.destroy();
      resolve(reachable);
    };
    socket.setTimeout(probeEveryMs, () => done(false));
    socket.on("connect", () => done(true)).on("error", () => done(false));
  });
}
