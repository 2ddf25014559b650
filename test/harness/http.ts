import type { Emulator } from "../../emulator";

/** A request to the emulator behind the provider's back, with the token of one of its users. */
export async function request(
  emulator: Emulator,
  method: string,
  path: string,
  body?: unknown,
  token = "admin",
): Promise<void> {
  const answer = await fetch(emulator.url + path, {
    method,
    headers: { "x-auth-token": emulator.tokens[token] ?? token, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}
