import { invalid } from "../answers";
import type { Parameters } from "../parameters";
import type { World } from "../world";
import { commonNames, type ReadCommand } from "./read-command";

const named = ["scala", "python", "sql", "command_line", "py", "R"];
const texts = [
  ...["program", "sql", "language", "script_location", "arguments", "user_program_arguments", "cmdline", "app_id"],
  "pool",
];
const own = [...texts, "retry", "retry_delay"];

export function readSpark(world: World, parameters: Parameters): ReadCommand {
  const { switches } = world;
  parameters.only(...commonNames, ...own);
  const sent: Record<string, unknown> = {};
  for (const name of texts) {
    const value = parameters.text(name);
    if (value !== undefined) sent[name] = value;
  }
  const language = sent["language"] as string | undefined;
  if (language !== undefined && !named.includes(language)) throw invalid(`language ${language} is not supported`);
  if (sent["sql"] !== undefined && language !== undefined && language !== "sql")
    throw invalid("sql goes with language sql");
  const sources = ["program", "sql", "script_location", "cmdline"].filter((name) => sent[name] !== undefined);
  if (switches.sparkSource === "exactly one" && sources.length !== 1) throw invalid("exactly one program is needed");
  return { commandType: "SparkCommand", command: shape(world, sent), pool: (sent["pool"] as string) ?? null };
}

function shape(world: World, sent: Record<string, unknown>): Record<string, unknown> {
  return {
    "all parameters, null when unset": Object.fromEntries(own.map((name) => [name, sent[name] ?? null])),
    "program only": { program: sent["program"] ?? sent["sql"] ?? null },
    "{}": {},
    // The whole command object is null then.
    null: sent,
    "parameters sent": sent,
  }[world.switches.sparkCommandObject];
}
