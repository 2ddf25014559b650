import { settingSpecs } from "../../provider/api/settings";
import type { StackConfig } from "../pulumi/stack";
import { quoted } from "../terminal/quote";

/** The provider adds `/api/v1.2` itself, but users often copy a URL that already has it from the API's docs. */
const apiPath = /\/api(?:\/(?:v[\d.]*|latest))?\/*$/i;

export const hasApiPath = (baseUrl: string): boolean => apiPath.test(baseUrl);

/** The command that removes the API path from the base URL, wherever it is set. */
export function apiPathFix(
  config: StackConfig | undefined,
  env: NodeJS.ProcessEnv,
  onStack: string,
): string | undefined {
  const configured = config?.["dataplatform:baseUrl"]?.value;
  const baseUrl = configured || env[settingSpecs.baseUrl.env];
  // A URL with credentials must not be printed, and is rejected anyway.
  if (!baseUrl || !apiPath.test(baseUrl) || baseUrl.includes("@")) return undefined;
  const corrected = quoted(baseUrl.replace(apiPath, ""));
  return configured
    ? `pulumi config set dataplatform:baseUrl ${corrected}${onStack}`
    : `export ${settingSpecs.baseUrl.env}=${corrected}`;
}
