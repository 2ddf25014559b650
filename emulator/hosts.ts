import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { ApiError } from "./errors";

/**
 * Refuses requests for other hosts. A site can point its own name at 127.0.0.1 (DNS rebinding); its pages then reach
 * the emulator as if it were theirs, and only the Host header still shows the name.
 */
export class Hosts {
  readonly #served: ReadonlySet<string>;

  /** @param served names or addresses that are served beside those of this machine's loopback */
  constructor(served: readonly string[]) {
    this.#served = new Set(served.map(withoutPort));
  }

  check({ headers, socket }: IncomingMessage): void {
    // Only HTTP/1.0 may leave it out, and no browser does.
    if (headers.host === undefined) return;
    const host = withoutPort(headers.host);
    if (isLoopback(host) || this.#served.has(host) || host === withoutPort(socket.localAddress ?? "")) return;
    throw new ApiError(
      403,
      `this emulator does not serve the host ${host}: call it by the address it listens on or as localhost, ` +
        `or start it with --allow-host ${host} (in code: allowedHosts)`,
    );
  }
}

/** A host in one spelling: lower case, without port, brackets and final dot. */
function withoutPort(text: string): string {
  const [, bracketed, bare] = /^(?:\[([^\]]*)\](?::\d*)?|([^:]*)(?::\d*)?)$/.exec(text.trim()) ?? [];
  return (bracketed ?? bare ?? text).toLowerCase().replace(/\.$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
