import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * Whether the other end of a local connection belongs to a process of this user. Any user of the machine can connect to
 * a port, and the plugin holds the token. Linux tells whose a connection is; elsewhere, and where the
 * system's table does not show our own end, nothing can be told, and everybody counts as this user.
 */
export function isOfUser(
  { remoteAddress, remotePort, localPort }: Pick<Socket, "remoteAddress" | "remotePort" | "localPort">,
  user = process.getuid?.(),
): boolean {
  if (process.platform !== "linux" || remoteAddress !== "127.0.0.1") return true;
  // The table is not read in one piece, so that a line may be missed.
  for (let attempt = 0; attempt < 3; attempt++) {
    const connections = connectionsOfTheSystem();
    const ours = connections.find(({ from, to }) => from === localPort && to === remotePort);
    if (!ours) return true;
    const theirs = connections.find(({ from, to }) => from === remotePort && to === localPort);
    if (theirs) return theirs.user === user;
  }
  return false;
}

interface Connection {
  readonly from: number;
  readonly to: number;
  readonly user: number;
}

/** Those from 127.0.0.1 to itself, which /proc writes in hexadecimal digits, backwards. */
function connectionsOfTheSystem(): Connection[] {
  const line = /^\s*\d+: 0100007F:([0-9A-F]{4}) 0100007F:([0-9A-F]{4}) [0-9A-F]{2} \S+ \S+ \S+\s+(\d+) /gm;
  return [...tableOfTheSystem().matchAll(line)].map(([, from, to, user]) => ({
    from: Number.parseInt(from!, 16),
    to: Number.parseInt(to!, 16),
    user: Number(user),
  }));
}

function tableOfTheSystem(): string {
  try {
    return readFileSync("/proc/net/tcp", "latin1");
  } catch {
    return "";
  }
}
