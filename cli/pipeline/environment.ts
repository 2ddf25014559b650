import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import { settingSpecs, submitVariable, tokenHostsVariable } from "../../provider/api/settings";

/**
 * What a program that the pipeline starts finds in its environment: what is named here and nothing else. So a variable
 * that makes programs run other code, or a secret of another step, does not reach it.
 */
export type Audience = "git" | "state" | "program" | "platform";

/** Where the machine is and how it reaches the network. */
const common = [
  ...["HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "CI", "NO_COLOR"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "SystemRoot", "APPDATA", "LOCALAPPDATA", "USERPROFILE"],
];

const engine = ["PULUMI_HOME", "PULUMI_NODEJS_TRANSPILE_ONLY", "GOGC", "GOMEMLIMIT"];

/** What decrypts a state: a passphrase, or the credentials of a key service. */
const decryption = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"];
const clouds = /^(AWS|AZURE|ARM|GOOGLE|CLOUDSDK|VAULT)_[A-Z0-9_]+$/;

const backend = ["PULUMI_BACKEND_URL", "PULUMI_ACCESS_TOKEN", "PGPASSFILE", "PGPASSWORD", "PGSSLROOTCERT"];

const platform = [...Object.values(settingSpecs).map(({ env }) => env), tokenHostsVariable];

const names: Readonly<Record<Audience, readonly string[]>> = {
  git: common,
  /** Reads and writes the state, and runs no program. */
  state: [...common, ...engine, ...decryption, ...backend],
  /** Runs a program whose state is a copy. */
  program: [...common, ...engine, ...decryption, ...platform],
  /** Reads or changes the platform, with the state. */
  platform: [...common, ...engine, ...decryption, ...backend, ...platform],
};

export function environmentFor(
  audience: Audience,
  path: string,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const allowed = new Set(names[audience]);
  const isAllowed = (name: string): boolean =>
    allowed.has(name) || name.startsWith("LC_") || (audience !== "git" && clouds.test(name));
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name))),
    PATH: path,
    ...(audience === "git"
      ? { GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0", GIT_NO_REPLACE_OBJECTS: "1" }
      : // A state could name a plugin, and from where to download it.
        {
          PULUMI_SKIP_UPDATE_CHECK: "true",
          PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
          // What a function submits is in no plan, so nobody has approved it.
          [submitVariable]: env[submitVariable] === "allow" ? "allow" : "refuse",
        }),
  };
}

/**
 * The entries of the PATH outside the working tree and outside any node_modules: a dependency can bring a program named
 * `git` or `pulumi`, and `npx` puts its folder first.
 */
export function trustedPath(env: NodeJS.ProcessEnv = process.env, tree: string = process.cwd()): string {
  const root = real(tree);
  const isTrusted = (entry: string): boolean => {
    if (!isAbsolute(entry)) return false;
    return [entry, real(entry)].every((path) => !path.split(sep).includes("node_modules") && !isInside(path, root));
  };
  return (env["PATH"] ?? "").split(delimiter).filter(isTrusted).join(delimiter);
}

/** The absolute path of a program. */
export function toolAt(name: string, path: string = trustedPath()): string {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  for (const folder of path.split(delimiter).filter(Boolean))
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (isProgram(file)) return file;
    }
  throw new Error(
    `cannot run ${name}: it is not on the PATH, apart from the working tree and node_modules, where it is not looked for; install it`,
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
