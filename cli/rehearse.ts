import { parseArgs } from "node:util";
import type { Profile } from "../emulator";
import { readSettings } from "../provider/api/settings";
import { wrongValue } from "./errors";
import { readJson } from "./files";
import { placeIn, placeOptions } from "./pulumi/run";
import { namesOf, readConfig, readExport } from "./pulumi/stack";
import { rehearse } from "./rehearse/rehearse";
import { exitCode, readable } from "./rehearse/report";
import type { Rehearsal } from "./rehearse/result";
import { destinationIn, destinationOptions, jsonText, writeReport } from "./report/write";
import { stopOnSignals } from "./terminal/signals";
import { StatusLine } from "./terminal/status-line";
import { toolName } from "./version";

export const help = `Usage: dataplatform rehearse [options]

Runs the program's next "pulumi up" against a copy of the account: reads what the API shows of it, adds
what the stack's state knows, and plays that in an emulator of its own. The stack is copied into a
temporary backend. Reports every call that production would receive, with its body, the warnings and
errors, what would be left behind, and the resources at the end. Production receives only requests that
read; the stack is not changed. Everything temporary is removed afterwards.

Options:
  --stack NAME       stack to rehearse (default: the selected one)
  --cwd FOLDER       folder of the Pulumi project (default: the current one)
  --profile FILE     play the platform that "dataplatform conform --profile-out" examined for this file
  --latency TIME     how long each call takes, such as 200ms or 1s (default: 0)
  --faults           rehearse again with faults, and report whether it recovers
  --allow-provider NAME
                     run a program with resources of this other provider too, which are changed for
                     real. Repeatable
  --format F         table, json or markdown (at most 65,536 characters); default: table
  --output FILE      write the report to this file instead of printing it
  --help             show this text

Exit code: 0 the rehearsal succeeded, 2 it failed, or with faults it did not recover or ended differently,
1 an error.

Example:
  dataplatform rehearse --stack prod --latency 200ms --faults
`;

export async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  const stopping = stopOnSignals("always");
  try {
    const report = await rehearse(await rehearsalOf(options, stopping.signal));
    writeReport(readable(report), options, { json: () => jsonText(report) });
    return exitCode(report);
  } catch (error) {
    if (stopping.signal.aborted) throw new Error("interrupted; everything temporary was removed");
    throw error;
  } finally {
    stopping.end();
  }
}

type Options = ReturnType<typeof readOptions>;

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      ...placeOptions,
      profile: { type: "string" },
      latency: { type: "string", default: "0ms" },
      faults: { type: "boolean", default: false },
      "allow-provider": { type: "string", multiple: true, default: [] },
      ...destinationOptions,
    },
  });
  return {
    place: placeIn(values),
    profile: values.profile,
    latencyMs: millisecondsOf(values.latency),
    withFaults: values.faults,
    allowedProviders: values["allow-provider"],
    ...destinationIn(values, ["table", "json", "markdown"]),
  };
}

const longestLatency = 60_000;

function millisecondsOf(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (unit === "s" ? 1000 : 1);
  if (amount === undefined || milliseconds > longestLatency)
    throw wrongValue("--latency", text, "a time of at most 60s, such as 200ms or 1.5s");
  return milliseconds;
}

async function rehearsalOf({ place, ...options }: Options, signal: AbortSignal): Promise<Rehearsal> {
  const progress = new StatusLine();
  const file = options.profile;
  // The emulator checks what is in it.
  const profile = file === undefined ? undefined : (readJson(`the profile ${file}`, file) as Profile);
  const [exported, config] = await progress.during("reading stack", () =>
    Promise.all([readExport(place), readConfig(place)]),
  );
  const { project, stack: fullName } = await namesOf(place, exported.deployment?.resources ?? []);
  if (project === "") throw new Error(`there is no Pulumi project in ${place.cwd}; set --cwd to its folder`);
  // The name alone: a service's stacks are called organization/project/stack.
  const stack = fullName.split("/").at(-1)!;
  const settings = readSettings((name) => config[`dataplatform:${name}`]?.value);
  const original = { cwd: place.cwd, project, stack, config };
  return { ...options, original, exported, settings, profile, tool: toolName(), progress, signal };
}
