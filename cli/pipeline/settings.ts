import { join } from "node:path";
import type { Store } from "./plan-store";

/** The rules that previews and updates check; policies.json says which of them are mandatory. */
export function guardrails(): string[] {
  return ["--policy-pack", join(__dirname, "../../policies/main.js"), "--policy-pack-config", "policies.json"];
}

/** Plans are experimental in Pulumi. */
export const planning = { PULUMI_EXPERIMENTAL: "1" };

/** Without a key, a plan has a checksum: enough against accidents, on one's own machine. */
export function planKey({ isShared }: Store): string | undefined {
  const key = process.env["PLAN_KEY"];
  const howTo = "make one with `openssl rand -hex 32`, and give the same to the jobs that preview and that apply";
  if (!key && isShared) throw new Error(`PLAN_KEY is not set, and plans are kept where others can write: ${howTo}`);
  if (key && key.length < 32) throw new Error(`PLAN_KEY has ${key.length} characters, and needs at least 32: ${howTo}`);
  return key || undefined;
}

/** How long a plan may be applied after its preview. */
export function validHours(): number {
  const text = process.env["PLAN_HOURS"] || "72";
  const hours = Number(text);
  if (!(hours > 0 && hours <= 8760)) throw new Error(`PLAN_HOURS is "${text}"; set a number of hours, such as 72`);
  return hours;
}
