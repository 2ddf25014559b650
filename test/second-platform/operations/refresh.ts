import { invalid } from "../answers";
import type { Parameters } from "../parameters";
import type { World } from "../world";
import { commonNames, type ReadCommand } from "./read-command";

export function readRefresh(world: World, parameters: Parameters, type: string | undefined): ReadCommand {
  const { switches } = world;
  parameters.only(...commonNames, "db_name", "hive_table", "loader_stable", "loader_stable_mult", "template");
  if (type !== undefined && type !== "HiveCommand") throw invalid("a table refresh is a HiveCommand");
  if (type === undefined && switches.refreshCommandType === "HiveCommand needed")
    throw invalid("command_type HiveCommand is required");
  if (type !== undefined && switches.refreshCommandType === "must be absent")
    throw invalid("command_type must not be given with template s3import");
  const database = parameters.needs("db_name", "hive_table").text("db_name");
  const table = parameters.text("hive_table");
  const stable = parameters.text("loader_stable");
  parameters.text("loader_stable_mult");
  return {
    commandType: "HiveCommand",
    template: "s3import",
    command: {
      sample: false,
      approx_aggregations: false,
      approx_mode: false,
      md_cmd: null,
      query: `alter table ${database}.${table} recover partitions`,
      loader_table_name: `${database}.${table}`,
      retry: 0,
      script_location: null,
      loader_stable:
        switches.refreshStable === "text as sent" ? (stable ?? "0") : Number.parseInt(stable ?? "0", 10) || 0,
    },
  };
}
