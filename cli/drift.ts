import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkDrift, type Stack } from "./drift/check";
import { htmlReport } from "./drift/html";
import { markdownReport } from "./drift/markdown";
import { listOnly, readOnly } from "./drift/only";
import { type DriftReport, exitCode, headline, loadReport, type Status } from "./drift/report";
import { tableReport } from "./drift/table";
import { oneOf, UsageError } from "./errors";
import type { Place } from "./pulumi/run";
import { readConfig, readState, stackName } from "./pulumi/stack";
import { StatusLine } from "./terminal/status-line";
import { packageVersion } from "./version";

export const help = `Usage: dataplatform drift [options]

Reads every resource of a stack from the platform and compares it with what the last "pulumi up"
declared. Reports what is as declared, has drifted, is gone, or cannot be read through the API.
Changes nothing, neither on the platform nor in the state.

Options:
  --stack NAME     stack to check (default: the selected one)
  --cwd FOLDER     folder of the Pulumi project (default: the current one)
  --format F       table, json, markdown (at most 65,536 characters) or html (one self-contained file);
                   default: table
  --only WHAT      list only some resources: differences (drifted, gone or not readable), or any of
                   drifted, gone, error, unverifiable, as-declared, separated by commas. The
                   counts and the exit code still cover the whole stack
  --output FILE    write the report to this file instead of printing it
  --from FILE      render a report saved with --format json instead of checking again
  --help           show this text

Exit code: 0 no drift, 2 drift, 1 an error (including a resource that could not be read).

Example:
  dataplatform drift --stack prod --format html --output drift.html
`;

const formats = {
  table: (report: DriftReport, toFile: boolean) => tableReport(report, toFile ? {} : process.stdout),
  json: (report: DriftReport) => `${JSON.stringify(report, null, 2)}\n`,
  markdown: markdownReport,
  html: htmlReport,
} as const;
type Format = keyof typeof formats;

export async function run(args: string[]): Promise<number> {
  const { place, format, output, from, only } = readOptions(args);
  const report = listOnly(from === undefined ? await checkStack(place) : loadReport(from), only);
  const text = formats[format](report, output !== undefined);
  if (output === undefined) {
    process.stdout.write(text);
    return exitCode(report);
  }
  writeFileSync(output, text);
  process.stderr.write(`${headline(report)}; report written to ${output}\n`);
  return exitCode(report);
}

interface Options {
  readonly place: Place;
  readonly format: Format;
  readonly output: string | undefined;
  readonly from: string | undefined;
  readonly only: readonly Status[] | undefined;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      stack: { type: "string", short: "s" },
      cwd: { type: "string", default: "." },
      format: { type: "string", default: "table" },
      output: { type: "string", short: "o" },
      from: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  if (values.from !== undefined && values.stack !== undefined)
    throw new UsageError("--from renders a saved report, so it cannot be combined with --stack");
  return {
    place: { cwd: resolve(values.cwd), stack: values.stack },
    format: oneOf("--format", values.format, Object.keys(formats) as Format[]),
    output: values.output,
    from: values.from,
    only: readOnly(values.only),
  };
}

async function checkStack(place: Place): Promise<DriftReport> {
  const progress = new StatusLine();
  const stack = await progress.during("reading stack", () => stackAt(place));
  return checkDrift(stack, { progress, tool: `pulumi-dataplatform ${packageVersion()}` });
}

async function stackAt(place: Place): Promise<Stack> {
  const [{ resources: state }, config] = await Promise.all([readState(place), readConfig(place)]);
  const [name, project] = state[0]?.urn.replace(/^urn:pulumi:/, "").split("::") ?? [];
  return { state, config, name: name ?? (await stackName(place)), project: project ?? "" };
}
