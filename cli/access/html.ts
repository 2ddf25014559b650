import type { AccessReport } from "./report";
export function htmlReport(_report: AccessReport): string {
  return "";
}
