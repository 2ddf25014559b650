import { extendedOperations } from "../../provider/api/extended-operations";
import { type Operation, operations } from "../../provider/api/operations";
import { table } from "./docs";

/** Every request that the provider may send. */
export function operationTables(): { readonly specified: string; readonly extended: string } {
  return { specified: tableOf(operations), extended: tableOf(extendedOperations) };
}

function tableOf(all: Readonly<Record<string, Operation>>): string {
  const rows = Object.values(all).map(({ method, path, does, permission }) => [
    `\`${method} ${path}\``,
    does,
    permission.role,
    permission.groups,
  ]);
  return table(["request", "to", "needs a role that allows", "or a member of"], rows);
}
