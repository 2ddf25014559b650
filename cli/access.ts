import { parseArgs } from "node:util";
import { asNumber, type Id } from "../provider/values/id";
import { examine, type Question } from "./access/examine";
import { accessPage } from "./access/html";
import { planIn, previewPlan } from "./access/plan";
import { readable } from "./access/readable";
import { exitCode, jsonReport } from "./access/report";
import { folderNamed, objectNamed } from "./access/target";
import { UsageError, wrongValue } from "./errors";
import { readStack } from "./inventory/accounts";
import { projectAt } from "./pulumi/project";
import { placeIn, placeOptions } from "./pulumi/run";
import { destinationIn, destinationOptions, writeReport } from "./report/write";
import { StatusLine } from "./terminal/status-line";
import { toolName } from "./version";

export const help = `Usage: dataplatform access [options]

Says who may read, update, delete and manage the objects of a stack, and read and write its folders, and
why: the element of the policy that decides, and the group through which it does. With --preview, says
what the next "pulumi up" would change: who gains or loses what. Where the API's manual does not say what
applies, neither does this. Changes nothing, neither on the platform nor in the state.

Options:
  --stack NAME       stack to examine (default: the selected one)
  --cwd FOLDER       folder of the Pulumi project (default: the current one)
  --object T/ID      only this object; T is note, cluster, scheduler or environment. Repeatable. Need not be
                     in a stack: outside a project, DATAPLATFORM_BASE_URL and DATAPLATFORM_API_TOKEN apply
  --folder T/PATH    only this folder; T is notes or notebook_dashboards. Repeatable, like --object
  --user WHO         only this user: an id of getUsers, or an e-mail address. Repeatable
  --group ID=NAME    the name of a group, for platforms that show names only. Repeatable
  --preview          run "pulumi preview" and report what it would change
  --plan-file FILE   the same with a plan that "pulumi preview --json" has printed to FILE
  --fail-on-gain     with a plan: exit code 2 if somebody gains access, may gain it, or if that is not known
                     before the update
  --format F         table, json, markdown (at most 65,536 characters) or html (one self-contained file);
                     default: table
  --output FILE      write the report to this file instead of printing it
  --help             show this text

Exit code: 0 done, 1 an error (including a policy that could not be read), 2 with --fail-on-gain.

Example:
  dataplatform access --stack prod --preview --format markdown --fail-on-gain
`;

export async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  const progress = new StatusLine();
  const question = await questionOf(options, progress);
  const report = await examine(question, { progress, tool: toolName() });
  writeReport(readable(report, args), options, {
    json: () => jsonReport(report),
    html: () => accessPage(report, args),
  });
  return exitCode(report, options.failOnGain);
}

type Options = ReturnType<typeof readOptions>;

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      ...placeOptions,
      object: { type: "string", multiple: true, default: [] },
      folder: { type: "string", multiple: true, default: [] },
      user: { type: "string", multiple: true, default: [] },
      group: { type: "string", multiple: true, default: [] },
      preview: { type: "boolean", default: false },
      "plan-file": { type: "string" },
      "fail-on-gain": { type: "boolean", default: false },
      ...destinationOptions,
    },
  });
  const { preview, "plan-file": file, "fail-on-gain": failOnGain } = values;
  if (preview && file !== undefined)
    throw new UsageError("--preview makes a plan and --plan-file reads one; use one of them");
  if (failOnGain && !preview && file === undefined)
    throw new UsageError("--fail-on-gain compares access before and after a plan; add --preview or --plan-file");
  return {
    place: placeIn(values),
    about: {
      targets: [...values.object.map(objectNamed), ...values.folder.map(folderNamed)],
      users: values.user,
      groupNames: new Map(values.group.map(groupNamed)),
    },
    /** True to run a preview, or the file of a plan. */
    plan: file ?? preview,
    failOnGain,
    ...destinationIn(values),
  };
}

function groupNamed(text: string): [Id, string] {
  const [, id, name] = /^([^=\s]+)=(.*\S.*)$/.exec(text) ?? [];
  if (id === undefined || name === undefined) throw wrongValue("--group", text, "ID=NAME, such as 204=analysts");
  return [asNumber(id), name];
}

/** The stack and its plan. Named objects can be examined without a stack. */
async function questionOf({ place, about, plan: wanted }: Options, progress: StatusLine): Promise<Question> {
  const alone = about.targets.length > 0 && wanted === false && place.stack === undefined;
  if (alone && projectAt(place.cwd) === undefined) return { ...about, project: "", stack: "", state: [], config: {} };
  const stack = await progress.during("reading stack", () => readStack(place));
  if (wanted === false) return { ...about, ...stack };
  const plan =
    wanted === true
      ? await progress.during("previewing", () => previewPlan(place, stack.state))
      : planIn(wanted, stack.state);
  return { ...about, ...stack, plan };
}
