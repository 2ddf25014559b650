import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { listen, textOf } from "./http";

/** What makes a stack's secrets provider a key service: lines of its configuration, and where the engine finds it. */
export interface KeyService {
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
}

let started: Promise<KeyService> | undefined;

/**
 * Deriving a key from a passphrase takes the CLI half a second of CPU in every run. Test stacks use a secrets provider
 * that does not: a local service that speaks the two calls of Vault's transit engine. The engine encrypts with a data
 * key as it does with a passphrase; this service only unwraps that key. One per worker process.
 */
export function keyService(): Promise<KeyService> {
  started ??= start();
  return started;
}

async function start(): Promise<KeyService> {
  const prefix = "vault:v1:";
  const server = createServer(async (request, response) => {
    const { ciphertext } = JSON.parse(await textOf(request)) as { ciphertext: string };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: { plaintext: ciphertext.slice(prefix.length) } }));
  });
  const url = await listen(server);
  server.unref();
  const wrapped = Buffer.from(prefix + randomBytes(32).toString("base64")).toString("base64");
  return {
    config: `secretsprovider: hashivault://test\nencryptedkey: ${wrapped}`,
    env: { VAULT_ADDR: url, VAULT_SERVER_URL: url, VAULT_TOKEN: "test", VAULT_SERVER_TOKEN: "test" },
  };
}
