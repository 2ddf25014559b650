import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { ApiError } from "./errors";
import { pageStyle } from "./page-style";
import type { Reply } from "./respond";

/** Whether the request comes from a browser: API clients find nothing at `/`, as on the platform. */
export function wantsConsole({ method, headers }: IncomingMessage, pathname: string): boolean {
  return pathname === "/" && (method === "GET" || method === "HEAD") && /text\/html|\*\/\*/.test(headers.accept ?? "");
}

/** The page, with a policy that allows no external content and no script but its own. */
export function consolePage(): Reply {
  const text = readPage();
  const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? "";
  const hash = createHash("sha256").update(script).digest("base64");
  return {
    status: 200,
    text,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  };
}

function readPage(): string {
  try {
    return readFileSync(join(__dirname, "console.html"), "utf8").replace("<style>", `<style>${pageStyle}`);
  } catch {
    throw new ApiError(404, "console.html is missing next to the compiled emulator; run npm run build");
  }
}

/** Other sites open in the same browser can send requests here too; they must not change anything. */
export function refuseOtherSites({ method, headers }: IncomingMessage): void {
  const { origin, host } = headers;
  if (method === "GET" || method === "HEAD" || origin === undefined || origin === `http://${host}`) return;
  throw new ApiError(403, `pages of ${origin} may not change this emulator`);
}
