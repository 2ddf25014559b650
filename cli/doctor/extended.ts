import { anyAnswer } from "../../provider/api/answer";
import { extendedOperations } from "../../provider/api/extended-operations";
import { isLacking } from "../../provider/api/meaning";
import type { Operation } from "../../provider/api/operations";
import type { Settings } from "../../provider/api/settings";
import { entriesIn } from "../../provider/platform/entries";
import { Reader } from "../platform/connect";
import type { StatusLine } from "../terminal/status-line";
import { printable } from "../terminal/style";
import { type Finding, findingsOf } from "./finding";
import { attempt, failFast, type Tried } from "./platform";

const extended = findingsOf("Extended API");

/** Reads that work without knowing anything about the account. The page is named only where the provider names it. */
const checks: readonly { readonly what: string; readonly operation: Operation; readonly query?: object }[] = [
  { what: "data stores", operation: extendedOperations.listDataStores, query: { page: 1 } },
  { what: "groups", operation: extendedOperations.listGroups, query: { page: 1 } },
  { what: "roles", operation: extendedOperations.listRoles, query: { page: 1 } },
  { what: "whitelist v2", operation: extendedOperations.listWhitelistedIpsV2 },
];

/** Reads of one thing, with where an id of one comes from. */
const readsOfOne: readonly { readonly what: string; readonly operation: Operation; readonly of: Source }[] = [
  { what: "one data store", operation: extendedOperations.viewDataStore, of: "data stores" },
  { what: "members of a group", operation: extendedOperations.listGroupUsers, of: "groups" },
  { what: "roles of a group", operation: extendedOperations.listGroupRoles, of: "groups" },
  { what: "one command", operation: extendedOperations.viewCommand, of: "commands" },
  { what: "log of a command", operation: extendedOperations.commandLog, of: "commands" },
  { what: "table definition", operation: extendedOperations.tableDefinition, of: "tables" },
  { what: "table partitions", operation: extendedOperations.tablePartitions, of: "tables" },
];

type Source = "data stores" | "groups" | "commands" | "tables";

interface TriedExtended extends Tried {
  /** What is missing to try it. */
  readonly untried?: Source;
}

/** Which of the operations beyond the specification this installation has, as far as reading tells. */
export async function extendedFindings(
  settings: Settings,
  progress: StatusLine,
  { onStack = "" }: { readonly onStack?: string } = {},
): Promise<Finding[]> {
  const reader = new Reader(failFast(settings));
  const check = (one: Tried, path: object, query: object = {}): Promise<TriedExtended> => {
    const call = { path: path as never, query: { ...query }, answer: anyAnswer };
    return attempt(one, () => reader.client.call<string, unknown>(one.operation, call));
  };
  try {
    const lists = await progress.each("checking the extended API", checks, 4, ({ query, ...one }) =>
      check(one, {}, query),
    );
    const paths = await examplesOf(reader, lists);
    const others = await progress.each("checking the extended API", readsOfOne, 4, ({ of, ...one }) =>
      paths[of] ? check(one, paths[of]) : Promise.resolve({ ...one, untried: of }),
    );
    return report([...lists, ...others], settings, onStack);
  } finally {
    await reader.close();
  }
}

/** Path parameters of one thing of each kind, if there is one. */
async function examplesOf(reader: Reader, lists: readonly Tried[]): Promise<Partial<Record<Source, object>>> {
  const first = (what: string) => firstId(lists.find((one) => one.what === what)?.answer);
  const result = (name: string, inputs: object) => reader.run(name, { ...inputs }).catch(() => undefined);
  const [history, tables] = await Promise.all([result("getCommandHistory", { limit: 1 }), result("getHiveTables", {})]);
  const command = firstId(history);
  const table = (tables?.["names"] as string[] | undefined)?.[0];
  const [dataStore, group] = [first("data stores"), first("groups")];
  return {
    ...(dataStore && { "data stores": { id: dataStore } }),
    ...(group && { groups: { group } }),
    ...(command && { commands: { id: command } }),
    ...(table && { tables: { schema: "default", table } }),
  };
}

/** The id of the first record in the list of an answer. */
function firstId(answer: unknown): string | undefined {
  const idOf = (entry: unknown) => (entry as { id?: unknown } | null | undefined)?.id;
  const id = idOf(entriesIn(answer, "", (entry) => idOf(entry) !== undefined)?.[0]);
  return id === undefined ? undefined : String(id);
}

function report(tried: readonly TriedExtended[], { extendedApi }: Settings, onStack: string): Finding[] {
  const has = tried.filter(({ error, untried }) => !error && !untried);
  const untried = tried.filter((one) => one.untried).length;
  const command = `pulumi config set dataplatform:extendedApi true${onStack}`;
  if (!extendedApi && has.length === 0) return [extended.info("off", "this installation has none of its operations")];
  const count = `this installation has ${has.length} of ${tried.length - untried} operations that read${untried ? `, and ${untried} were not tried` : ""}`;
  const onState = tried.every(({ error, untried }) => untried || (error && error.code !== "forbidden"))
    ? extended.warning("on", count, "turn it off, or start the emulator with --extended")
    : extended.ok("on", count);
  const state = extendedApi ? onState : extended.info("off", `${count}; to use them: ${command}`);
  return [state, ...tried.map(findingOf)];
}

function findingOf({ what, operation, error, untried }: TriedExtended): Finding {
  if (untried) return extended.info(what, `not tried: the token is shown no ${untried}`);
  if (!error) return extended.ok(what, `can ${operation.does}`);
  if (error.code === "forbidden") {
    const { groups, role } = operation.permission;
    return extended.info(what, `may not ${operation.does}: needs ${groups}, or a role that allows ${role}`);
  }
  const { code, message } = error;
  const isAbsent = isLacking(operation, error) || code === "not-found";
  return extended.info(what, isAbsent ? `cannot ${operation.does}: the operation is lacking` : printable(message));
}
