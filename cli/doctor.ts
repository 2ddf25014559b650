import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { configurationFindings } from "./doctor/configuration";
import { countOf, type Finding, findingsOf } from "./doctor/finding";
import { platformFindings } from "./doctor/platform";
import { pluginFinding } from "./doctor/plugin";
import { jsonReport, textReport } from "./doctor/report";
import { stackFindings } from "./doctor/stack";
import { toolFindings } from "./doctor/tools";
import { oneOf } from "./errors";
import { projectAt } from "./pulumi/project";
import type { Place } from "./pulumi/run";
import { readConfig, readState, type StackConfig, type State } from "./pulumi/stack";
import { quoted } from "./terminal/quote";
import { StatusLine } from "./terminal/status-line";

export const help = `Usage: dataplatform doctor [options]

Looks for what keeps the provider from working: the versions of the engine, of Node and of the
packages; the settings and where each comes from (secrets masked); whether the platform answers,
whether it accepts the token, and what the token may read; whether the token belongs to the account
of the stack's resources, and what became of operations that were interrupted. Each finding names
what fixes it. Nothing is changed.

Options:
  --stack NAME     the stack whose configuration counts (default: the one that is selected)
  --cwd FOLDER     folder of the Pulumi project (default: this one); without a project, only the
                   environment is looked at
  --format F       text or json (default: text)
  --help           show this text

Exit code: 0 no problem (there may be warnings), 1 a problem or an error.

Example:
  dataplatform doctor --stack prod
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      stack: { type: "string", short: "s" },
      cwd: { type: "string", default: "." },
      format: { type: "string", default: "text" },
    },
  });
  const format = oneOf("--format", values.format, ["text", "json"]);
  const findings = await examine({ cwd: resolve(values.cwd), stack: values.stack }, new StatusLine());
  process.stdout.write(format === "json" ? jsonReport(findings) : textReport(findings));
  return countOf(findings, "problem") > 0 ? 1 : 0;
}

async function examine(place: Place, progress: StatusLine): Promise<Finding[]> {
  const project = projectAt(place.cwd);
  const tools = await progress.during("looking at the tools", () => toolFindings(place.cwd, project));
  // Without an engine nobody can read a stack; that has been said once.
  const readable = project !== undefined && !tools.some(({ what, verdict }) => what === "Pulumi" && verdict !== "ok");
  const stack: Stack = readable ? await progress.during("reading the stack", () => stackAt(place)) : {};
  const onStack = place.stack === undefined ? "" : ` --stack ${quoted(place.stack)}`;
  const { findings, settings, apiPathFix } = configurationFindings(stack.config, process.env, onStack);
  const plugin = project === undefined ? undefined : pluginFinding(project);
  const answers = settings ? await platformFindings(settings, progress, { apiPathFix, onStack }) : [];
  const settling = { onStack, pluginFix: plugin?.fix };
  const usable =
    settings !== undefined && !answers.some(({ area, verdict }) => area === "Platform" && verdict === "problem");
  return [
    ...tools,
    ...(plugin && usesPlugin(stack) ? [plugin] : []),
    ...(stack.problem ? [stack.problem] : []),
    ...findings,
    ...answers,
    ...(stack.state && stack.config
      ? await stackFindings({ state: stack.state, config: stack.config, usable, settling }, progress)
      : []),
  ];
}

interface Stack {
  readonly config?: StackConfig;
  readonly state?: State;
  readonly problem?: Finding;
}

/** By its mode, or because a resource of the program has a provider of its own. */
function usesPlugin({ config, state }: Stack): boolean {
  return (
    config?.["dataplatform:mode"]?.value === "plugin" ||
    (state?.resources.some(({ type }) => type === "pulumi:providers:dataplatform") ?? false)
  );
}

/** A stack that cannot be read is a finding: what can be read of it, or the environment, may still be enough. */
async function stackAt(place: Place): Promise<Stack> {
  let config: StackConfig | undefined;
  try {
    config = await readConfig(place);
    return { config, state: await readState(place) };
  } catch (error) {
    const { message } = error as Error;
    const fix = /passphrase/i.test(message)
      ? "export PULUMI_CONFIG_PASSPHRASE=…"
      : /no stack|not found|named/i.test(message)
        ? "pulumi stack ls, then pulumi stack select NAME"
        : config
          ? "pulumi stack export"
          : "pulumi config";
    const found = findingsOf("Configuration").problem("stack", message, fix);
    return config ? { config, problem: found } : { problem: found };
  }
}
