import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import type { Readable } from "node:stream";
import type { PlatformAt } from "./in-process";

/** Starts a server on a free port of this machine: its address. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends a server, and the connections that clients keep open. */
export async function close(server: HttpServer): Promise<void> {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}

export async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** `fetch` on a connection of its own: a server may close an idle one at the moment that a request uses it again. */
export function fetchOnce(url: string, { headers, ...more }: RequestInit = {}): Promise<Response> {
  // biome-ignore lint/style/noRestrictedGlobals: everything else asks through this function
  return fetch(url, { ...more, headers: { ...(headers as Record<string, string>), connection: "close" } });
}

/** A request to a platform behind the provider's back, with the token of one of its users. */
export async function request(
  { url, tokens }: PlatformAt,
  method: string,
  path: string,
  body?: unknown,
  token = "admin",
): Promise<void> {
  const answer = await fetchOnce(url + path, {
    method,
    headers: { "x-auth-token": tokens[token] ?? token, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
}
