import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { examine, refuseWrongToken } from "./conform/examine";
import { parts, planText } from "./conform/probes";
import { exitCode, readable } from "./conform/report";
import type { Examination } from "./conform/session";
import { folderTarget, groupRoleTarget, objectTarget, type Targets, tableTarget } from "./conform/targets";
import { oneOf, UsageError, wrongValue } from "./errors";
import { settingsAt } from "./platform/connect";
import { destinationIn, destinationOptions, jsonText, writeReport } from "./report/write";
import { stopOnSignals } from "./terminal/signals";
import { StatusLine } from "./terminal/status-line";
import { toolName } from "./version";

export const help = `Usage: dataplatform conform [options]

Examines a platform, operation by operation: whether it answers as the specification says and as this
provider needs, and how it answers where the specification leaves that open. Sends only requests that
read, unless --write is given. Can write what it found out to a profile, which the emulator plays.

The platform and the token come from DATAPLATFORM_BASE_URL and DATAPLATFORM_API_TOKEN, or from a
stack's configuration (--stack).

Options:
  --object T/ID         view the policy of this object; T is note, cluster, scheduler or environment.
                        Repeatable: name one with a policy and one without
  --environment ID      package environment to look at
  --folder T/ID/LOC     folder to look at, such as notes/701/Common/reports; T is notes or
                        notebook_dashboards
  --table SCHEMA.TABLE  Hive table to look at
  --defloc LOCATION     default location with which the account was created
  --profile-out FILE    write a profile for "dataplatform emulator --profile FILE" (JSON)
  --format F            table, json or markdown (default: table)
  --output FILE         write the report to this file instead of printing it
  --stack NAME          take the settings from this stack
  --cwd FOLDER          folder of that stack's project (default: the current one)
  --help                show this text

Options for writing:
  --write               also examine operations that write. Prints first what it creates, and what
                        cannot be removed
  --account ID          account that may be changed; the token must belong to it (required)
  --yes                 do not ask for confirmation
  --skip PART           leave out account, whitelist, data-stores, access, sensors, policies, packages,
                        folders, users or commands. Repeatable
  --overwrite-policy T/ID
                        object whose policy may be overwritten; it is put back as shown. Repeatable
  --package NAME        Python package that the environment does not have; added and removed
  --group-role G/ROLE   role that group G does not have; assigned and unassigned
  --user ID             user (id or e-mail address) to disable and enable; enabled afterwards
  --edit-account        edit the account without changing it
  --wait SECONDS        how long to wait for commands to end (default 120)

Exit code: 0 as specified, 2 deviations, 1 an error (including something that could not be removed).

Examples:
  dataplatform conform --object note/501 --profile-out platform.json
  dataplatform conform --write --account 1001 --skip commands --format markdown --output report.md
`;

export async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  const { write, targets, waitSeconds } = options;
  const settings = await settingsAt(options.place);
  const mark = randomBytes(4).toString("hex");
  const examination = { settings, targets, write, waitSeconds, mark, tool: toolName(), progress: new StatusLine() };
  if (write) {
    await refuseWrongToken(settings, write.account);
    process.stderr.write(planText(examination));
    if (!(await isConfirmed(options.yes))) throw new Error("not confirmed; nothing was sent");
  }
  // A second signal ends the process, which then removes nothing.
  const stopping = stopOnSignals("once");
  try {
    return await report({ ...examination, signal: stopping.signal }, options);
  } finally {
    stopping.end();
  }
}

async function report(examination: Examination, options: Options): Promise<number> {
  const { profileOut } = options;
  const { report: found, profile } = await examine(examination);
  if (profileOut !== undefined) writeFileSync(profileOut, jsonText(profile));
  writeReport(readable(found), options, { json: () => jsonText(found) });
  if (profileOut !== undefined) process.stderr.write(`profile written to ${profileOut}\n`);
  return exitCode(found);
}

async function isConfirmed(yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    throw new UsageError("--write asks for confirmation, which needs a terminal; to go on without, add --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question("Go on? (y/N) ")).trim());
  } finally {
    terminal.close();
  }
}

type Options = ReturnType<typeof readOptions>;

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true, default: [] as string[] } as const;
const flag = { type: "boolean", default: false } as const;
const readingOptions = {
  object: texts,
  environment: text,
  folder: text,
  table: text,
  defloc: text,
  "profile-out": text,
  ...destinationOptions,
  stack: { type: "string", short: "s" },
  cwd: text,
  write: flag,
  wait: { type: "string", default: "120" },
} as const;
const writingOptions = {
  account: text,
  yes: { type: "boolean", short: "y", default: false },
  skip: texts,
  "overwrite-policy": texts,
  package: text,
  "group-role": text,
  user: text,
  "edit-account": flag,
} as const;
const optionTypes = { ...readingOptions, ...writingOptions };

type Values = ReturnType<typeof parseArgs<{ args: string[]; options: typeof optionTypes }>>["values"];

export function readOptions(args: string[]) {
  const { values } = parseArgs({ args, options: optionTypes });
  const waitSeconds = Number(values.wait);
  if (!/^\d+$/.test(values.wait)) throw wrongValue("--wait", values.wait, "whole seconds");
  const fromStack = values.stack !== undefined || values.cwd !== undefined;
  return {
    targets: targetsOf(values),
    write: writeOf(values),
    yes: values.yes,
    waitSeconds,
    ...destinationIn(values, ["table", "json", "markdown"]),
    profileOut: values["profile-out"],
    place: fromStack ? { cwd: resolve(values.cwd ?? "."), stack: values.stack } : undefined,
  };
}

function writeOf(values: Values): Examination["write"] {
  if (!values.write) {
    const names = Object.keys(writingOptions) as (keyof typeof writingOptions)[];
    const given = names.find((name) => [values[name]].flat().some(Boolean));
    if (given) throw new UsageError(`--${given} is for writing; add --write`);
    return undefined;
  }
  if (values.account === undefined) throw new UsageError("--write needs --account ID, the account that may be changed");
  return { account: values.account, skip: values.skip.map((part) => oneOf("--skip", part, parts)) };
}

function targetsOf(values: Values): Targets {
  const { folder, table, "group-role": groupRole } = values;
  return {
    objects: values.object.map((one) => objectTarget("--object", one)),
    overwritable: values["overwrite-policy"].map((one) => objectTarget("--overwrite-policy", one)),
    environment: values.environment,
    package: values.package,
    folder: folder === undefined ? undefined : folderTarget(folder),
    groupRole: groupRole === undefined ? undefined : groupRoleTarget(groupRole),
    user: values.user,
    table: table === undefined ? undefined : tableTarget(table),
    defloc: values.defloc,
    editAccount: values["edit-account"],
  };
}
