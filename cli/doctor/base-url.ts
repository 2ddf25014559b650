import { settingSpecs } from "../../provider/api/settings";
import type { StackConfig } from "../pulumi/stack";
import { quoted } from "../terminal/quote";

/** The provider adds `/api/v1.2` itself; many descriptions of the API show addresses that have it. */
const apiPath = /\/api(?:\/(?:v[\d.]*|latest))?\/*$/i;

export const hasApiPath = (baseUrl: string): boolean => apiPath.test(baseUrl);

/** The command that takes the API's own path off the base URL, in the place where it is set. */
export function apiPathFix(
  config: StackConfig | undefined,
  env: NodeJS.ProcessEnv,
  onStack: string,
): string | undefined {
  const configured = config?.["dataplatform:baseUrl"]?.value;
  const baseUrl = configured || env[settingSpecs.baseUrl.env];
  // An address with a password in it must not be printed, and is refused for that anyway.
  if (!baseUrl || !apiPath.test(baseUrl) || baseUrl.includes("@")) return undefined;
  const corrected = quoted(baseUrl.replace(apiPath, ""));
  return configured
    ? `pulumi config set dataplatform:baseUrl ${corrected}${onStack}`
    : `export ${settingSpecs.baseUrl.env}=${corrected}`;
}
