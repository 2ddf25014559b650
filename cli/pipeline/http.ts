import { mostBytes } from "./data-file";
import { Refused } from "./refused";

export interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly most?: number;
}

/** What a server answered to a call that a forge's documentation has. Undefined for 404. */
export async function ask(
  method: string,
  url: string,
  { headers, body, most = mostBytes }: Asked,
): Promise<Buffer | undefined> {
  const response = await fetched(url, { method, headers, body: body ?? null });
  const { pathname } = new URL(url);
  if (method === "GET" && response.status === 404) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${method} ${pathname} was answered with ${response.status}; check the rights of the job's token`);
  }
  return limited(response, most, pathname);
}

/** A file may be kept elsewhere, which must not get the job's token: fetch itself would take GitLab's headers along. */
async function fetched(url: string, { headers, ...init }: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(60_000);
  const agent = { "user-agent": "dataplatform-pipeline" };
  const response = await fetch(url, { ...init, headers: { ...headers, ...agent }, redirect: "manual", signal });
  const elsewhere = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || elsewhere === null) return response;
  await response.body?.cancel();
  if (init.method !== "GET")
    throw new Error(`${init.method} ${new URL(url).pathname} was redirected; nothing was sent`);
  return fetch(new URL(elsewhere, url), { headers: agent, signal });
}

/** Ends the download at the limit, whatever its length was said to be. */
async function limited(response: Response, most: number, pathname: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > most) {
      await response.body?.cancel().catch(() => {});
      throw new Refused([`too large: ${pathname} has more than ${most} bytes`]);
    }
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

export async function askJson<T>(method: string, url: string, asked: Asked): Promise<T | undefined> {
  const answer = await ask(method, url, asked);
  return answer && (JSON.parse(answer.toString("utf8")) as T);
}
