import { existsSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * Whether the other end of a local connection belongs to a process of this user. Any user of the machine can connect to
 * a port, and the plugin holds the token. Linux tells whose a connection is, and what it does not tell is refused;
 * elsewhere, and where the system has no such table, everybody counts as this user.
 */
export function isOfUser(
  { remoteAddress, remotePort, localPort }: Pick<Socket, "remoteAddress" | "remotePort" | "localPort">,
  user = process.getuid?.(),
): boolean {
  if (process.platform !== "linux") return true;
  // The engine connects from here. Any user can also connect from 127.0.0.2, which is not looked for in the table.
  if (remoteAddress !== "127.0.0.1") return false;
  // The table is not read in one piece, so that a line may be missed.
  for (let attempt = 0; attempt < 3; attempt++) {
    const connections = connectionsOfTheSystem();
    if (!connections) return true;
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
function connectionsOfTheSystem(): Connection[] | undefined {
  if (!existsSync(table)) return undefined;
  const line = /^\s*\d+: 0100007F:([0-9A-F]{4}) 0100007F:([0-9A-F]{4}) [0-9A-F]{2} \S+ \S+ \S+\s+(\d+) /gm;
  return [...readFileSync(table, "latin1").matchAll(line)].map(([, from, to, user]) => ({
    from: Number.parseInt(from!, 16),
    to: Number.parseInt(to!, 16),
    user: Number(user),
  }));
}

const table = "/proc/net/tcp";
