import { readFile } from "node:fs/promises";
import { tokenHostsVariable } from "../../provider/api/settings";
import { baseUrlIn, configFiles, inCommit } from "./head-config";
import { Refused } from "./refused";

/**
 * On one's own machine, before any request: a branch that names another platform would get the token, long before the
 * judgement lists the change. With DATAPLATFORM_TOKEN_HOSTS, the provider itself refuses that.
 */
export async function requireSameHost(
  base: string,
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (env[tokenHostsVariable]) return;
  const here = await configFiles(stack, (file) => readFile(file, "utf8").catch(() => ""));
  const [now, before] = [baseUrlIn(here, env), baseUrlIn(await configFiles(stack, inCommit(base)), env)];
  if (before === undefined || now === undefined || originOf(now) === originOf(before)) return;
  throw new Refused([
    `other host: dataplatform:baseUrl is ${now} here, and ${before} on the protected branch, so your token would be sent elsewhere; ` +
      `if that is right, set ${tokenHostsVariable} to its host`,
  ]);
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
