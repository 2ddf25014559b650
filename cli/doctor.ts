import { parseArgs } from "node:util";
import { providerToken } from "../provider/core/urn";
import { configurationFindings } from "./doctor/configuration";
import { extendedFindings } from "./doctor/extended";
import { countOf, type Finding, findingsOf, readable } from "./doctor/finding";
import { platformFindings } from "./doctor/platform";
import { ifNeeded, mentionOfPlugin, pluginFinding } from "./doctor/plugin";
import { lockFindings, stackFindings } from "./doctor/stack";
import { toolFindings } from "./doctor/tools";
import { oneOf } from "./errors";
import { projectAt, projectName, runtimeOf } from "./pulumi/project";
import { onStack as flagFor, type Place, placeIn, placeOptions } from "./pulumi/run";
import { backendOf, namesOf, readConfig, readState, type StackConfig, type State } from "./pulumi/stack";
import { terminalReport } from "./report/terminal";
import { jsonText } from "./report/write";
import { StatusLine } from "./terminal/status-line";

export const help = `Usage: dataplatform doctor [options]

Checks everything the provider needs: the versions of Pulumi, Node and the packages; the settings and
where each comes from (secrets masked); whether the platform answers, accepts the token, and what the
token may read; which operations of the extended API the installation has; whether the token's account
owns the stack's resources; and the outcome of interrupted operations. Each finding comes with its fix.
Changes nothing.

Options:
  --stack NAME     stack to check (default: the selected one)
  --cwd FOLDER     folder of the Pulumi project (default: the current one); without a project, only the
                   environment is checked
  --format F       text or json (default: text)
  --help           show this text

Exit code: 0 no problems (warnings are allowed), 1 a problem or an error.

Example:
  dataplatform doctor --stack prod
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      ...placeOptions,
      format: { type: "string", default: "text" },
    },
  });
  const format = oneOf("--format", values.format, ["text", "json"]);
  const findings = await examine(placeIn(values), new StatusLine());
  const ok = countOf(findings, "problem") === 0;
  process.stdout.write(format === "json" ? jsonText({ format: 1, ok, findings }) : terminalReport(readable(findings)));
  return ok ? 0 : 1;
}

async function examine(place: Place, progress: StatusLine): Promise<Finding[]> {
  const project = projectAt(place.cwd);
  const runtime = runtimeOf(project);
  const tools = await progress.during("checking tools", () => toolFindings(place.cwd, project, runtime));
  // Without Pulumi the stack cannot be read; the tools section already reports that.
  const readable = project !== undefined && !tools.some(({ what, verdict }) => what === "Pulumi" && verdict !== "ok");
  const stack: Stack = readable ? await progress.during("reading stack", () => stackAt(place)) : {};
  const onStack = flagFor(place.stack);
  const name = stack.config && project !== undefined ? projectName(project) : undefined;
  const { findings, settings, apiPathFix } = configurationFindings(stack.config, process.env, onStack, name, runtime);
  const plugin = project === undefined ? undefined : pluginFinding(project);
  // Dynamic providers are a matter of Node alone.
  const isCertain = usesPlugin(stack) || (runtime !== undefined && runtime !== "nodejs");
  const answers = settings ? await platformFindings(settings, progress, { apiPathFix, onStack }) : [];
  const settling = { onStack, pluginFix: plugin?.fix };
  const usable =
    settings !== undefined && !answers.some(({ area, verdict }) => area === "Platform" && verdict === "problem");
  return [
    ...tools,
    ...(plugin ? [isCertain ? plugin : ifNeeded(plugin, mentionOfPlugin(project!))] : []),
    ...(stack.problem ? [stack.problem] : []),
    ...findings,
    ...answers,
    ...(settings && usable ? await extendedFindings(settings, progress, { onStack }) : []),
    ...(stack.state ? await progress.during("looking for a lock", () => locksOn(place, stack.state!, onStack)) : []),
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

/** Either the mode says so, or the program declares an explicit provider. */
function usesPlugin({ config, state }: Stack): boolean {
  return (
    config?.["dataplatform:mode"]?.value === "plugin" ||
    (state?.resources.some(({ type }) => type === providerToken) ?? false)
  );
}

/** What cannot be told is in the page. */
async function locksOn(place: Place, { resources }: State, onStack: string): Promise<Finding[]> {
  const backend = await backendOf(place).catch(() => "");
  return lockFindings(backend, { ...(await namesOf(place, resources)), cwd: place.cwd }, onStack);
}

/** An unreadable stack is a finding, not a failure: the rest can still be checked. */
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
