import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { checkDrift } from "./drift/check";
import { checkCoverage } from "./drift/coverage/check";
import { readable as readableCoverage } from "./drift/coverage/readable";
import { CoverageReport, exitCode as coverageExitCode } from "./drift/coverage/report";
import { listOnly, readOnly } from "./drift/only";
import { readable } from "./drift/readable";
import { DriftReport, exitCode } from "./drift/report";
import { UsageError, wrongValue } from "./errors";
import { readJson } from "./files";
import { readFile, readStack, type Source } from "./inventory/accounts";
import { refreshSinceLastUp } from "./pulumi/stack";
import { destinationIn, destinationOptions, jsonText, writeReport } from "./report/write";
import { StatusLine } from "./terminal/status-line";
import { toolName } from "./version";

export const help = `Usage: dataplatform drift [options]
       dataplatform drift --coverage [options]

Reads every resource of a stack from the platform and compares it with what the last "pulumi up"
declared. Reports what is as declared, has drifted, is gone, or cannot be read through the API.
Changes nothing, neither on the platform nor in the state. To check a PartitionSensor, the API creates one.

With --coverage, lists what exists on the platform and is in no stack, and the percentage that is
managed, for everything that the API can list.

Options:
  --stack NAME     stack to check (default: the selected one). Repeatable with --coverage
  --cwd FOLDER     folder of the Pulumi project (default: the current one)
  --format F       table, json, markdown (at most 65,536 characters) or html (one self-contained file);
                   default: table
  --only WHAT      list only some resources: differences (drifted, gone or not readable), or any of
                   drifted, gone, error, unverifiable, as-declared, separated by commas. The
                   counts and the exit code still cover the whole stack
  --output FILE    write the report to this file instead of printing it
  --from FILE      render a report saved with --format json instead of checking again
  --pipeline       advise a repair by "dataplatform pipeline", instead of "pulumi up"
  --coverage       report what is in no stack, instead of drift
  --state FILE     with --coverage: also count what this state manages, as "pulumi stack export" writes
                   it. Repeatable. Without --stack, the settings come from the environment
  --min-coverage P with --coverage: exit code 2 if less than P percent is managed
  --help           show this text

Exit code: 0 no drift, 2 drift, 1 an error (including a resource that could not be read).
With --coverage: 0 done, 2 below --min-coverage, 1 an error (including a list that could not be read).

Example:
  dataplatform drift --stack prod --format html --output drift.html
  dataplatform drift --coverage --stack prod --stack shared --min-coverage 90
`;

export async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  const report = options.from === undefined ? await check(options) : saved(options.from, options);
  if (isCoverage(report)) {
    writeReport(readableCoverage(report), options, { json: () => jsonText(report) });
    return coverageExitCode(report);
  }
  const listed = listOnly(report, options.only);
  writeReport(readable(listed, options.inPipeline), options, { json: () => jsonText(listed) });
  return exitCode(listed);
}

type Options = ReturnType<typeof readOptions>;

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      stack: { type: "string", short: "s", multiple: true, default: [] },
      cwd: { type: "string", default: "." },
      ...destinationOptions,
      from: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
      coverage: { type: "boolean", default: false },
      state: { type: "string", multiple: true, default: [] },
      "min-coverage": { type: "string" },
      pipeline: { type: "boolean", default: false },
      // Of "dataplatform pipeline", whose plans name all that a run includes.
      "plan-file": { type: "string" },
    },
  });
  const options = {
    cwd: resolve(values.cwd),
    stacks: [...new Set(values.stack)],
    files: [...new Set(values.state)],
    ...destinationIn(values),
    from: values.from,
    only: readOnly(values.only),
    coverage: values.coverage,
    minimum: percentIn(values["min-coverage"]),
    inPipeline: values.pipeline,
    plan: values["plan-file"],
  };
  refuseContradictions(options);
  return options;
}

function refuseContradictions({ stacks, files, from, only, coverage, minimum }: Options): void {
  if (from !== undefined && stacks.length + files.length > 0)
    throw new UsageError(
      `--from renders a saved report, so it cannot be combined with ${stacks.length > 0 ? "--stack" : "--state"}`,
    );
  if (coverage && only)
    throw new UsageError("--only chooses resources by their drift; it has no meaning with --coverage");
  if (coverage) return;
  if (stacks.length > 1)
    throw new UsageError("--stack can be repeated with --coverage only; check drift stack by stack");
  if (files.length > 0) throw new UsageError("--state needs --coverage: drift is checked with the settings of a stack");
  if (minimum !== undefined && from === undefined) throw new UsageError("--min-coverage needs --coverage");
}

function percentIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const percent = /^\d+(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent;
  throw wrongValue("--min-coverage", text, "a percentage from 0 to 100, such as 90 or 99.5");
}

function saved(file: string, { coverage, minimum, only }: Options): DriftReport | CoverageReport {
  const report = loadReport(file);
  if (!isCoverage(report)) {
    if (coverage || minimum !== undefined)
      throw new UsageError(`${file} is a report of drift; make one of coverage with --coverage --format json`);
    return report;
  }
  if (only) throw new UsageError(`--only chooses resources by their drift, and ${file} is a report of coverage`);
  return minimum === undefined ? report : { ...report, minimum };
}

async function check(options: Options): Promise<DriftReport | CoverageReport> {
  const { cwd, stacks, coverage, minimum, plan } = options;
  const progress = new StatusLine();
  const tool = toolName();
  if (coverage) {
    const sources = await progress.during("reading stacks", () => sourcesOf(options));
    return checkCoverage(sources, { progress, tool, minimum });
  }
  const place = { cwd, stack: stacks[0] };
  const [stack, refreshedAt] = await progress.during("reading stack", () =>
    Promise.all([readStack(place), refreshSinceLastUp(place)]),
  );
  return checkDrift({ ...stack, refreshedAt }, { progress, tool, plan });
}

/** The named stacks and files; without any, the selected stack. */
async function sourcesOf({ cwd, stacks, files }: Options): Promise<Source[]> {
  const sources: Source[] = [];
  for (const stack of stacks.length + files.length === 0 ? [undefined] : stacks)
    sources.push(await readStack({ cwd, stack }));
  return [...sources, ...files.map(readFile)];
}

/** Reads a report saved with `--format json`, of either kind. */
function loadReport(file: string): DriftReport | CoverageReport {
  const json = readJson(`the report ${file}`, file);
  const parsed = (isCoverage(json) ? CoverageReport : DriftReport).safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Error(
    `${file} is not a report from "dataplatform drift --format json":\n${z.prettifyError(parsed.error).slice(0, 500)}`,
  );
}

function isCoverage(report: unknown): report is CoverageReport {
  return typeof report === "object" && report !== null && "report" in report && report.report === "coverage";
}
