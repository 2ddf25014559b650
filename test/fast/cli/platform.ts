import { expect } from "vitest";
import type { StackConfig } from "../../../cli/pulumi/stack";
import { StatusLine } from "../../../cli/terminal/status-line";
import type { Emulator } from "../../../emulator";
import { accountOf } from "../../harness/emulators";
import { request } from "../../harness/http";
import type { PlatformAt } from "../../harness/in-process";

/** Without a terminal: a word of progress is a failure. */
export const quiet = () => new StatusLine({ write: () => expect.unreachable("nothing is written without a terminal") });

/** The configuration of a stack. `more`: settings by name. */
export function configOf({ url, tokens }: PlatformAt, token = "admin", more: Record<string, string> = {}): StackConfig {
  const settings = { baseUrl: url, apiToken: tokens[token] ?? token, retries: "0", ...more };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`dataplatform:${name}`, { value }]));
}

/** The same, for commands that need no stack. */
export const envOf = ({ url, tokens }: PlatformAt, token = "admin") => ({
  DATAPLATFORM_BASE_URL: url,
  DATAPLATFORM_API_TOKEN: tokens[token] ?? token,
  DATAPLATFORM_RETRIES: "0",
});

/** Adds an address behind the stack's back, and returns its id. */
export async function whitelist(emulator: Emulator, ip_cidr: string): Promise<string> {
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr });
  return String(accountOf(emulator).whitelist.find((entry) => entry.ip_cidr === ip_cidr)!.id);
}
