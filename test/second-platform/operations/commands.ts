import { type Answer, invalid, ok } from "../answers";
import { type Call, needs, type Operation, operation } from "../operation";
import type { Parameters } from "../parameters";
import { type Command, command } from "../state";
import type { World } from "../world";
import { commandObject } from "./history";

/** Parameters of 4.2, common to all submissions. */
const commonNames = ["command_type", "label", "name", "tags", "macros", "timeout"];

function checkCommon(parameters: Parameters): void {
  parameters.within("timeout", 1);
  parameters.text("label");
  const name = parameters.text("name") ?? "";
  if ([...name].length > 255) throw invalid("name has more than 255 characters");
  if (/[&<>"']/.test(name)) throw invalid("name has a forbidden character");
  for (const tag of parameters.list("tags") ?? []) {
    if (typeof tag !== "string") throw invalid("each tag must be a string");
    if ([...tag].length > 255) throw invalid("a tag has more than 255 characters");
  }
  for (const macro of parameters.list("macros") ?? []) {
    if (typeof macro !== "object" || macro === null || Array.isArray(macro)) throw invalid("each macro is an object");
    const types = ["string", "number", "boolean"];
    if (Object.values(macro).some((value) => !types.includes(typeof value)))
      throw invalid("a macro's expression has a wrong type");
  }
}

/** What the command object says of a submission of each type. */
type Read = Pick<Command, "commandType" | "command">;

const named = ["scala", "python", "sql", "command_line", "py", "R"];
const texts = [
  ...["program", "sql", "language", "script_location", "arguments", "user_program_arguments", "cmdline", "app_id"],
  "pool",
];

function readSpark({ switches }: World, parameters: Parameters): Read {
  parameters.only(...commonNames, ...texts, "retry", "retry_delay");
  const all = Object.fromEntries(texts.map((name) => [name, parameters.text(name) ?? null]));
  const { language = null, sql = null } = all;
  if (language !== null && !named.includes(language)) throw invalid(`language ${language} is not supported`);
  if (sql !== null && language !== null && language !== "sql") throw invalid("sql goes with language sql");
  const sources = ["program", "sql", "script_location", "cmdline"].filter((name) => all[name] !== null);
  if (switches.sparkSource === "exactly one" && sources.length !== 1) throw invalid("exactly one program is needed");
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  const shown = {
    "all parameters, null when unset": { ...all, retry: null, retry_delay: null },
    "program only": { program: all["program"] ?? sql },
    "{}": {},
    // The whole command object is null then.
    null: sent,
    "parameters sent": sent,
  }[switches.sparkCommandObject];
  return { commandType: "SparkCommand", command: shown };
}

/** Whether an expression of srcPattern or groupBy has a * outside single quotes. */
function bareStar(text: string): boolean {
  // The whole argument text may stand in single quotes, in place of the expressions within it.
  if (/^\s*'[^']*'\s*$/.test(text)) return false;
  // Split at blanks the way a shell does, with the quotes kept.
  const words = [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word);
  return words.some((word, index) => {
    const expression = /^--(?:srcPattern|groupBy)(?:=(.*))?$/s.exec(word);
    if (!expression) return false;
    return (expression[1] ?? words[index + 1] ?? "").replace(/'[^']*'/g, "").includes("*");
  });
}

/** Nothing asks for the options as parameters of their own. */
function readDistCp(parameters: Parameters): Read {
  parameters.only(...commonNames, "sub_command", "sub_command_args");
  parameters.needs("sub_command").oneOf("sub_command", ["s3distcp"]);
  const args = parameters.text("sub_command_args") ?? "";
  if (bareStar(args)) throw invalid("an expression with * must be enclosed in single quotes");
  return { commandType: "HadoopCommand", command: { sub_command: "s3distcp", sub_command_args: args } };
}

function readRefresh({ switches }: World, parameters: Parameters, type: string | undefined): Read {
  parameters.only(...commonNames, "db_name", "hive_table", "loader_stable", "loader_stable_mult", "template");
  if (type !== undefined && type !== "HiveCommand") throw invalid("a table refresh is a HiveCommand");
  if (type === undefined && switches.refreshCommandType === "HiveCommand needed")
    throw invalid("command_type HiveCommand is required");
  if (type !== undefined && switches.refreshCommandType === "must be absent")
    throw invalid("command_type must not be given with template s3import");
  const table = `${parameters.needs("db_name", "hive_table").text("db_name")}.${parameters.text("hive_table")}`;
  const stable = parameters.text("loader_stable") ?? "0";
  parameters.text("loader_stable_mult");
  return {
    commandType: "HiveCommand",
    command: {
      sample: false,
      approx_aggregations: false,
      approx_mode: false,
      md_cmd: null,
      query: `alter table ${table} recover partitions`,
      loader_table_name: table,
      retry: 0,
      script_location: null,
      loader_stable: switches.refreshStable === "text as sent" ? stable : Number.parseInt(stable, 10) || 0,
    },
  };
}

function readKind(world: World, parameters: Parameters): Read {
  const type = parameters.text("command_type");
  if (parameters.text("template") === "s3import") return readRefresh(world, parameters, type);
  if (type === "SparkCommand") return readSpark(world, parameters);
  if (type === "HadoopCommand") return readDistCp(parameters);
  throw invalid("command_type must be SparkCommand or HadoopCommand, or template s3import");
}

function submit({ world, user, parameters, body }: Call): Answer {
  const { switches } = world;
  checkCommon(parameters);
  const read = readKind(world, parameters);
  const id = world.nextId("command");
  const made: Command = {
    ...command(id, user.accountId, user.userId, world.now(), structuredClone(body)),
    ...read,
    shown: world.delay(switches.historyDelay),
    tagsShown: world.delay(switches.tagsDelay),
  };
  world.data.commands.push(made);
  const whole = commandObject(world, made, false);
  const { id: newId, status } = whole;
  return ok(
    { "whole object": whole, "id and status": { id: newId, status }, "id only": { id: newId } }[
      switches.submissionAnswer
    ],
  );
}

export const commandOperations: readonly Operation[] = [
  operation("commands.submit", "POST /api/v1.2/commands/", needs.submitCommand, submit, { slashOptional: true }),
];
