import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { ApiError } from "./errors";

/**
 * Rejects requests for other hosts. A site can point its own name at 127.0.0.1 (DNS rebinding), and its pages can then
 * call the emulator as same-origin; only the Host header still reveals the name.
 */
export class Hosts {
  readonly #served: ReadonlySet<string>;

  /** @param served names or addresses to serve in addition to loopback */
  constructor(served: readonly string[]) {
    this.#served = new Set(served.map(withoutPort));
  }

  check({ headers, socket }: IncomingMessage): void {
    // Only HTTP/1.0 clients may omit it, and no browser does.
    if (headers.host === undefined) return;
    const host = withoutPort(headers.host);
    if (isLoopback(host) || this.#served.has(host) || host === withoutPort(socket.localAddress ?? "")) return;
    throw new ApiError(
      403,
      `this emulator does not serve the host ${host}: use localhost or the address it listens on, ` +
        `or start it with --allow-host ${host} (in code: allowedHosts)`,
    );
  }
}

/** Normalises a host: lower case, without port, brackets and final dot. */
function withoutPort(text: string): string {
  const [, bracketed, bare] = /^(?:\[([^\]]*)\](?::\d*)?|([^:]*)(?::\d*)?)$/.exec(text.trim()) ?? [];
  return (bracketed ?? bare ?? text).toLowerCase().replace(/\.$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
