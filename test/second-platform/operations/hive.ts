import { type Answer, invalid, missing, ok } from "../answers";
import type { HiveTable } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import { Parameters } from "../parameters";
import type { World } from "../world";

function matcher(world: World, filter: string): (name: string) => boolean {
  const { hiveFilter } = world.switches;
  const glob = filter
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const source = { glob: `^${glob}$`, "whole name": `^(?:${filter})$` }[hiveFilter as string] ?? filter;
  const expression = new RegExp(source, hiveFilter === "anywhere, case ignored" ? "i" : "");
  return (name) => expression.test(name);
}

function columnsOf(world: World, table: HiveTable): unknown {
  const form = world.switches.hiveColumns;
  if (form === "null") return null;
  if (form === "[]") return [];
  const keys = form === "table columns" ? [] : Object.keys(table.partitions[0] ?? {});
  return [...structuredClone(table.columns), ...keys.map((name) => ({ name, type: "string" }))];
}

function list(call: Call): Answer {
  const { world, user, query } = call;
  const { switches } = world;
  new Parameters(switches, query).only("filter", "describe");
  const describe = query["describe"];
  if (describe !== undefined && describe !== "true") throw invalid("describe must be true when given");
  const fits = query["filter"] === undefined ? () => true : matcher(world, query["filter"]);
  // The path names the database: default.
  const tables = world.data.hiveTables.filter(
    (table) => table.accountId === user.accountId && table.schema === "default" && fits(table.name),
  );
  if (switches.hiveOrder === "by name") tables.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (tables.length === 0) {
    if (switches.hiveEmpty === "missing") throw missing("no tables");
    return ok({ "[]": [], null: null, "{}": {} }[switches.hiveEmpty]);
  }
  if (describe !== "true") return ok(tables.map((table) => table.name));
  return ok(tables.map((table) => ({ [table.name]: { columns: columnsOf(world, table) } })));
}

export const hiveOperations: readonly Operation[] = [
  operation("hive.tables", "GET /api/v1.2/hive/default/", needs.viewHive, list),
];
