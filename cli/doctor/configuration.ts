import { readSettings, type SettingName, type Settings, settingSpecs } from "../../provider/api/settings";
import type { StackConfig } from "../pulumi/stack";
import { quoted } from "../terminal/quote";
import { printable } from "../terminal/style";
import { apiPathFix, hasApiPath } from "./base-url";
import { type Finding, findingsOf } from "./finding";

const { ok, info, warning, problem } = findingsOf("Configuration");
const names = Object.keys(settingSpecs) as SettingName[];
const isSecret = (name: SettingName): boolean => "secret" in settingSpecs[name];

export interface Configured {
  readonly findings: readonly Finding[];
  /** Undefined when they are not complete. */
  readonly settings: Settings | undefined;
  /** What to run if the platform does not know its own paths: the base URL ends with the API's. */
  readonly apiPathFix: string | undefined;
}

/** Every setting, its value and where it comes from; secrets masked. `config` is undefined where there is no stack. */
export function configurationFindings(
  config: StackConfig | undefined,
  env: NodeJS.ProcessEnv = process.env,
  /** ` --stack NAME`, for the commands that fix something. */
  onStack = "",
): Configured {
  const findings = names.map((name) => settingFinding(name, config, env, onStack));
  const fix = apiPathFix(config, env, onStack);
  const others = [...modeFindings(config, onStack), ...unknownKeys(config, onStack), ...proxyFindings(env)];
  try {
    const settings = readSettings((name) => config?.[`dataplatform:${name}`]?.value, env);
    // Settings that take the path off themselves leave nothing to fail, but other tools would not.
    const trimmed = fix !== undefined && !hasApiPath(settings.baseUrl);
    const own = trimmed
      ? findings.map((finding) => (finding.what === "baseUrl" ? withApiPath(finding, fix) : finding))
      : findings;
    return { findings: [...own, ...others], settings, apiPathFix: trimmed ? undefined : fix };
  } catch (error) {
    const told = findings.some(({ verdict }) => verdict === "problem");
    // What is missing has been said of each setting already; what is wrong with one has not.
    const wrong = told
      ? []
      : [wrongValue(error as Error, (name) => (name === "baseUrl" && fix) || setCommand(name, config, onStack))];
    return { findings: [...findings, ...others, ...wrong], settings: undefined, apiPathFix: fix };
  }
}

function settingFinding(
  name: SettingName,
  config: StackConfig | undefined,
  env: NodeJS.ProcessEnv,
  onStack: string,
): Finding {
  const spec: { env: string; default?: unknown } = settingSpecs[name];
  const entry = config?.[`dataplatform:${name}`];
  const fromEnv = env[spec.env] || undefined;
  const set = setCommand(name, config, onStack);
  if (entry?.value) {
    const says = `${shown(name, entry.value)}, from the stack's configuration`;
    if (isSecret(name) && !entry.secret)
      return warning(
        name,
        `${says}, where it is in plain text: it works, but anyone who can read the file can use it`,
        `${set}   # encrypts it; renew the token if the file was shared`,
      );
    return ok(name, fromEnv && fromEnv !== entry.value ? `${says}, which goes before ${spec.env}` : says);
  }
  if (fromEnv) return ok(name, `${shown(name, fromEnv)}, from ${spec.env}`);
  if (spec.default !== undefined) return info(name, `${String(spec.default)}, the default`);
  return problem(name, `missing, both in the stack's configuration and in ${spec.env}`, set);
}

function setCommand(name: SettingName, config: StackConfig | undefined, onStack: string): string {
  const hint =
    name === "baseUrl" ? '   # "dataplatform emulator" starts one to try, and prints its address and tokens' : "";
  if (!config) return `export ${settingSpecs[name].env}=…${hint}`;
  return `pulumi config set${isSecret(name) ? " --secret" : ""} dataplatform:${name}${onStack}${hint}`;
}

function shown(name: SettingName, value: string): string {
  if (isSecret(name)) return "[secret]";
  // A password in an address is refused, but must not be shown on the way.
  return printable(value.replace(/\/\/[^/@]*@/, "//***@"));
}

function modeFindings(config: StackConfig | undefined, onStack: string): Finding[] {
  const mode = config?.["dataplatform:mode"]?.value;
  if (mode === undefined) return config ? [info("mode", "dynamic, the default")] : [];
  if (mode === "plugin" || mode === "dynamic") return [ok("mode", `${mode}, from the stack's configuration`)];
  return [
    problem(
      "mode",
      `${JSON.stringify(mode)}; allowed is dynamic or plugin`,
      `pulumi config set dataplatform:mode dynamic${onStack}`,
    ),
  ];
}

function unknownKeys(config: StackConfig | undefined, onStack: string): Finding[] {
  const known = new Set<string>([...names, "mode"].map((name) => `dataplatform:${name}`));
  return Object.keys(config ?? {})
    .filter((key) => key.startsWith("dataplatform:") && !known.has(key))
    .map((key) =>
      warning(
        printable(key),
        "is no setting of this provider; is it misspelt?",
        `pulumi config rm ${quoted(key)}${onStack}`,
      ),
    );
}

function proxyFindings(env: NodeJS.ProcessEnv): Finding[] {
  const found = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].find((name) => env[name]);
  return found
    ? [info("proxy", `${found} is set; requests go through it, but for those to this machine and NO_PROXY`)]
    : [];
}

function withApiPath({ says }: Finding, fix: string): Finding {
  return warning("baseUrl", `${says}; it ends with the path of the API, which the provider takes off`, fix);
}

function wrongValue({ message }: Error, fixOf: (name: SettingName) => string): Finding {
  const name = names.find((candidate) => message.startsWith(`dataplatform:${candidate} `)) ?? "baseUrl";
  return problem(name, message, fixOf(name));
}
