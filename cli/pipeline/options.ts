import { parseArgs } from "node:util";
import { UsageError, wrongValue } from "../errors";

export const help = `Usage: dataplatform pipeline <step> <stack> [options]

The steps of a pipeline that keeps a platform in git. GitHub Actions and GitLab CI run each as a job of its
own, with the secrets that it needs, in the repository's folder. On your machine, "preview" runs the first
three, and its plan is in plans/. Reports are in reports/.

Steps:
  snapshot    copy the state for a job that must not reach it; runs no program
  preview     run the program on that copy, and save what it would do
  seal        judge that, on a checkout of the protected branch; sign it, post it
  find        print the id of the plan for this commit
  apply       carry out the plan that was approved, and nothing else
  drift       what was changed by hand; one issue, opened, updated or closed
  repair      a plan for what has drifted, and nothing else
  keys        make the keys that sign and verify plans

Options:
  --snapshot FILE   preview: the state, as "snapshot" wrote it
  --head COMMIT     seal: the commit that was previewed (default: HEAD)
  --folder FOLDER   seal: what "preview" wrote (default: preview/STACK)
  --output PATH     snapshot, preview: where to write (default: snapshot/STACK.json, preview/STACK);
                    keys: a new file for the signing key, which is not printed then
  --plan ID         apply: the id of the plan, 64 digits
  --max-age HOURS   apply: how old the plan may be (default: 72)
  --repair          snapshot, seal, find: for a repair
  --branch NAME     the protected branch: repairs are at its head, your previews compare (default: main)
  --pull NUMBER     seal: the pull request to comment on (GitLab knows it)
  --group ID=NAME   seal, preview: the name of a group, for "dataplatform access". Repeatable
  --help            show this text

Environment: DATAPLATFORM_API_TOKEN, PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE; in a pipeline also
DATAPLATFORM_TOKEN_HOSTS, for "seal" DATAPLATFORM_SIGNING_KEY, for "find" and "apply" DATAPLATFORM_VERIFY_KEY
(or the file dataplatform.pub). LOCK_SECONDS (default 600): how long to wait for another run on the stack.

Exit code: 0 done, 2 drift (of the step drift), 1 anything else.

Example:
  dataplatform pipeline preview dev
`;

export const steps = ["snapshot", "preview", "seal", "find", "apply", "drift", "repair", "keys"] as const;
export type Step = (typeof steps)[number];

export type Options = ReturnType<typeof readOptions>;

export function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      snapshot: { type: "string" },
      head: { type: "string" },
      folder: { type: "string" },
      output: { type: "string" },
      plan: { type: "string", default: "" },
      "max-age": { type: "string", default: "72" },
      repair: { type: "boolean", default: false },
      branch: { type: "string", default: "main" },
      pull: { type: "string" },
      group: { type: "string", multiple: true, default: [] },
    },
  });
  const [step = "", stack = "", ...rest] = positionals;
  if (rest.length > 0) throw new UsageError("name one step and one stack");
  const { "max-age": age, group: groups, pull, ...named } = values;
  if (pull !== undefined && !/^\d+$/.test(pull)) throw wrongValue("--pull", pull, "its number");
  return { ...named, step, stack, pull, groups, maxAgeHours: hoursIn(age) };
}

function hoursIn(text: string): number {
  const hours = Number(text);
  if (text.trim() !== "" && hours > 0 && hours <= 8760) return hours;
  throw wrongValue("--max-age", text, "a number of hours, such as 72");
}
