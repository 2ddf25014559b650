import { namesIn, unknownSettings } from "../../provider/api/setting-specs";
import { readSettings, type SettingName, settingNames, settingSpecs } from "../../provider/api/settings";
import type { StackConfig } from "../pulumi/stack";
import { quoted } from "../terminal/quote";
import { printable } from "../terminal/style";
import { type Finding, findingsOf } from "./finding";

const { ok, info, warning, problem } = findingsOf("Configuration");
const isSecret = (name: SettingName): boolean => "secret" in settingSpecs[name];

/** Where settings are, and how a command names the stack: ` --stack NAME`. */
interface Around {
  readonly config: StackConfig | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly onStack: string;
}

/**
 * Every setting, its value and where it comes from; secrets masked. `config` is undefined without a stack; in the result,
 * `settings` if they are incomplete or invalid. `apiPathFix`: the command that removes the API path from the base URL.
 */
export function configurationFindings(
  config: StackConfig | undefined,
  env: NodeJS.ProcessEnv = process.env,
  onStack = "",
  /** The name of the stack's project. */
  project?: string,
  runtime = "nodejs",
) {
  const around = { config, env, onStack };
  const findings = settingNames.map((name) => settingFinding(name, around));
  const fix = apiPathFix(around);
  // Without the configuration, for a value that is read from the environment.
  const sourceOf = (name: SettingName) =>
    config?.[`dataplatform:${name}`]?.value ? around : { ...around, config: undefined };
  const others = [...modeFindings(around, runtime), ...unknownKeys(around, project), ...proxyFindings(env)];
  try {
    const settings = readSettings((name) => config?.[`dataplatform:${name}`]?.value, env);
    // The provider strips the path, so this works; other tools that use the same URL would fail.
    const trimmed = fix !== undefined && !apiPath.test(settings.baseUrl);
    const own = trimmed
      ? findings.map((finding) => (finding.what === "baseUrl" ? withApiPath(finding, fix) : finding))
      : findings;
    return { findings: [...own, ...others], settings, apiPathFix: trimmed ? undefined : fix };
  } catch (error) {
    const reported = findings.some(({ verdict }) => verdict === "problem");
    // Missing settings are already reported one by one; an invalid value is not.
    const invalid = reported
      ? []
      : [invalidValue(error as Error, (name) => (name === "baseUrl" && fix) || setCommand(name, sourceOf(name)))];
    return { findings: [...findings, ...others, ...invalid], settings: undefined, apiPathFix: fix };
  }
}

function settingFinding(name: SettingName, around: Around): Finding {
  const spec: { env: string; default?: unknown; optional?: boolean } = settingSpecs[name];
  const entry = around.config?.[`dataplatform:${name}`];
  const fromEnv = around.env[spec.env] || undefined;
  const set = setCommand(name, around);
  if (entry?.value) {
    const says = `${displayed(name, entry.value)}, from the stack configuration`;
    if (isSecret(name) && !entry.secret)
      return warning(
        name,
        `${says}, stored in plain text: anyone who can read the file can use it`,
        `${set}   # encrypts it; rotate the token if the file was shared`,
      );
    return ok(name, fromEnv && fromEnv !== entry.value ? `${says}, which overrides ${spec.env}` : says);
  }
  if (fromEnv) return ok(name, `${displayed(name, fromEnv)}, from ${spec.env}`);
  // Of the requests per second.
  const shown = spec.default === 0 ? "no limit" : String(spec.default);
  if (spec.default !== undefined) return info(name, `${shown}, the default`);
  const without = name === "accountId" ? "a token of any account will do" : "requests are sent as specified";
  if (spec.optional) return info(name, `not set: ${without}`);
  return problem(name, `not set, neither in the stack configuration nor in ${spec.env}`, set);
}

function setCommand(name: SettingName, { config, onStack }: Around): string {
  const hint =
    name === "baseUrl"
      ? '   # to try it out: "dataplatform emulator" starts a local platform and prints its address and tokens'
      : "";
  if (!config) return `export ${settingSpecs[name].env}=…${hint}`;
  return `pulumi config set${isSecret(name) ? " --secret" : ""} dataplatform:${name}${onStack}${hint}`;
}

function displayed(name: SettingName, value: string): string {
  if (isSecret(name)) return "[secret]";
  // A URL with credentials is rejected, but must not be printed either.
  return printable(value.replace(/\/\/[^/@]*@/, "//***@"));
}

function modeFindings({ config, onStack }: Around, runtime: string): Finding[] {
  if (runtime !== "nodejs") return [info("mode", `plugin, the only one for ${runtime}`)];
  const mode = config?.["dataplatform:mode"]?.value;
  if (mode === undefined) return config ? [info("mode", "dynamic, the default")] : [];
  if (mode === "plugin" || mode === "dynamic") return [ok("mode", `${mode}, from the stack configuration`)];
  return [
    problem(
      "mode",
      `${JSON.stringify(mode)} is not a mode; use dynamic or plugin`,
      `pulumi config set dataplatform:mode dynamic${onStack}`,
    ),
  ];
}

function unknownKeys({ config, onStack }: Around, project: string | undefined): Finding[] {
  return unknownSettings(namesIn(config ?? {}), project).map(({ key, says, meant }) =>
    warning(
      printable(key),
      says,
      `pulumi config rm ${quoted(key)}${onStack}${meant === undefined ? "" : `   # and set ${meant}`}`,
    ),
  );
}

function proxyFindings(env: NodeJS.ProcessEnv): Finding[] {
  const found = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].find((name) => env[name]);
  return found
    ? [info("proxy", `${found} is set; requests go through it, except to this machine and to hosts in NO_PROXY`)]
    : [];
}

/** The provider adds `/api/v1.2` itself, but users often copy a URL that already has it from the API's docs. */
const apiPath = /\/api(?:\/(?:v[\d.]*|latest))?\/*$/i;

/** The command that removes the API path from the base URL, wherever it is set. */
function apiPathFix({ config, env, onStack }: Around): string | undefined {
  const configured = config?.["dataplatform:baseUrl"]?.value;
  const baseUrl = configured || env[settingSpecs.baseUrl.env];
  // A URL with credentials must not be printed, and is rejected anyway.
  if (!baseUrl || !apiPath.test(baseUrl) || baseUrl.includes("@")) return undefined;
  const corrected = quoted(baseUrl.replace(apiPath, ""));
  return configured
    ? `pulumi config set dataplatform:baseUrl ${corrected}${onStack}`
    : `export ${settingSpecs.baseUrl.env}=${corrected}`;
}

function withApiPath({ says }: Finding, fix: string): Finding {
  return warning("baseUrl", `${says}; it ends with the API path, which the provider strips`, fix);
}

function invalidValue({ message }: Error, fixOf: (name: SettingName) => string): Finding {
  const name = settingNames.find((candidate) => message.startsWith(`dataplatform:${candidate} `)) ?? "baseUrl";
  return problem(name, message, fixOf(name));
}
