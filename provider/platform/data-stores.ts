import { z } from "zod";
import { outcomeUnknown, PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { operations } from "../api/operations";
import { CannotChange, type Context, keepIfOpen } from "../core/define";
import { foreseeConflict } from "../core/keys";
import { afterRename, importAdvice } from "../core/urn";
import { spelledType } from "../values/database";
import { shownText, told } from "../values/fields";
import { outputId, recordId, shownId } from "../values/id";
import { Collection } from "./collection";
import { type Listing, lookUntil, maxLooks } from "./listing";
import { withTakenName } from "./names";

const number = z
  .union([z.int(), z.string().regex(/^\d+$/).transform(Number)])
  .nullish()
  .catch(undefined);

/** A data store, in a list or in the response to a request. Only the id is required; the password is not parsed. */
const dataStoreRecord = z.object({
  id: recordId,
  account_id: shownId,
  user_id: shownId,
  active: z.boolean().nullish().catch(undefined),
  name: shownText,
  created_at: shownText,
  db_type: shownText,
  db_location: shownText,
  db_host: shownText,
  db_name: shownText,
  db_user: shownText,
  port: number,
  catalog_name: shownText,
  gateway_ip: shownText,
  gateway_port: number,
  gateway_username: shownText,
});
export type DataStoreRecord = z.output<typeof dataStoreRecord>;

/** The API's manual shows all fields, but some platforms return little more than the id. */
export function dataStoreOutputs<S extends z.ZodRawShape>(outputs: S, record: DataStoreRecord) {
  const { account_id, user_id } = record;
  return { ...told(outputs, record), accountId: outputId(account_id), userId: outputId(user_id) };
}

const { listDataStores, viewDataStore, editDataStore, deleteDataStore } = extendedOperations;

export const dataStores = new Collection<DataStoreRecord>({
  noun: "data store",
  listName: "db_taps",
  record: dataStoreRecord,
  operations: {
    list: listDataStores,
    view: viewDataStore,
    create: operations.createDataStore,
    update: editDataStore,
    delete: deleteDataStore,
  },
});

const identifying = ["name", "db_type", "db_host", "db_name", "db_user", "port"] as const;
/** The body of a request: all fields, absent where the program does not set them. */
export type Wanted = Pick<DataStoreRecord, (typeof identifying)[number]> & Readonly<Record<string, unknown>>;

/** What it is, in words: several may be for the same database. */
export function keyOf(host: unknown, database: unknown): string {
  return `data store for ${database} on ${host}`;
}

export async function foreseeDataStore(context: Context, body: Wanted): Promise<void> {
  if (!body.db_host || !body.db_name) return;
  const before = await dataStores.listed(context);
  await foreseeConflict(context, async () => lookForLeftover(context, before, body));
}

export async function createDataStore(context: Context, body: Wanted): Promise<DataStoreRecord> {
  const key = keyOf(body.db_host, body.db_name);
  const before = await dataStores.listed(context);
  lookForLeftover(context, before, body);
  try {
    return await createAndFind(context, before, body);
  } catch (error) {
    throw outcomeUnknown(
      withTakenName(error, "data store"),
      `Look in the platform's user interface for a new ${key}. If it exists, remove it before the next "pulumi up", or there will be two.`,
    );
  }
}

/** Sends what changes, or all of it if it is unclear what there was. Undefined if the platform does not show it afterwards. */
export async function changeDataStore(context: Context, id: string, before: Wanted | undefined, after: Wanted) {
  const { skip_validation, ...fields } = after;
  const changes = before ? changesIn(before, fields) : fields;
  if (Object.keys(changes).length === 0) return undefined;
  const edited = await keepIfOpen(id, {}, () => dataStores.update(context, id, { ...changes, skip_validation }));
  if (edited === "lacking") throw new CannotChange(`this installation cannot change data store ${id}`);
  if (edited === "gone") throw dataStores.noLongerThere(id);
  // It is changed, and must be recorded even if it cannot be read now.
  const found = await dataStores.look(context, id).catch(() => "unknown" as const);
  return typeof found === "string" ? undefined : found;
}

/** The fields that change. One that the program no longer sets is emptied, where the platform can know that. */
function changesIn(before: Wanted, after: object): Record<string, unknown> {
  const changed = Object.entries(after).filter(([name, value]) => (before[name] ?? undefined) !== (value ?? undefined));
  const sent = changed.map(([name, value]): [string, unknown] => [name, value ?? emptied[name]]);
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

/** `name` and `db_location` are not emptied: the platform's defaults for them are its own affair. */
const emptied: Readonly<Record<string, unknown>> = {
  db_user: "",
  db_passwd: "",
  port: null,
  catalog_name: null,
  gateway_ip: null,
  gateway_port: null,
  gateway_username: null,
  gateway_private_key: null,
};

/**
 * A killed run leaves a data store that no state knows, and the platform would accept a second one without a word. Where
 * the list does not show names, another one for the same database may be meant, so that is only a warning.
 */
function lookForLeftover({ api, log, run }: Context, list: Listing<DataStoreRecord> | undefined, wanted: Wanted): void {
  if (!list || run.isOwned(keyOf(wanted.db_host, wanted.db_name))) return;
  const created = api.shared(makeCreated);
  const [found] = list.records.filter(
    (one) => !created.has(String(one.id)) && one.active !== false && isSameDatabase(one, wanted) && isLike(one, wanted),
  );
  if (!found) return;
  const which = `data store ${found.id} for ${wanted.db_name} on ${wanted.db_host}`;
  const takeOver = importAdvice("DataStore", found.id);
  if (!found.name) {
    log.warn(
      `${which} already exists. If this resource was renamed without an alias, this run deletes the old one, and nothing is left to do. If an interrupted run left it, delete one of the two, or ${takeOver}`,
    );
    return;
  }
  throw new PlatformError(
    `${which} already exists, so no other one was created. ${afterRename} If an interrupted run left it, delete it, or ${takeOver}. To have both, set another name`,
    { code: "conflict" },
  );
}

/** The platform makes a name from the host and the database, so another name was chosen by somebody. */
function isSameDatabase({ db_host, db_name, name }: DataStoreRecord, wanted: Wanted): boolean {
  if (!db_host || !db_name || !isSameHost(db_host, wanted.db_host) || db_name !== wanted.db_name) return false;
  return Boolean(wanted.name) || !name || (name.includes(db_host) && name.includes(db_name));
}

/** After a lost response: the one that was not there before, no other resource has made, and looks like it. */
async function createAndFind(
  context: Context,
  before: Listing<DataStoreRecord> | undefined,
  body: Wanted,
): Promise<DataStoreRecord> {
  const { api } = context;
  if (!before) return api.call(operations.createDataStore, { body, answer: dataStores.answer });
  const listing = dataStores.of(api);
  const created = api.shared(makeCreated);
  const isOld = new Set(before.records.map(({ id }) => String(id)));
  const record = await listing.writing(() =>
    api.callOnce(operations.createDataStore, {
      body,
      answer: dataStores.answer,
      looks: maxLooks,
      lookUp: async () => {
        const isNew = ({ id }: DataStoreRecord) => !isOld.has(String(id)) && !created.has(String(id));
        const candidates = (await listing.again()).records.filter((one) => isNew(one) && isLike(one, body));
        return candidates.length === 1 ? candidates[0] : undefined;
      },
    }),
  );
  created.add(String(record.id));
  // A refresh right after the create must not count it as gone. It exists and must be recorded, whatever the wait ends with.
  const look = () => dataStores.look(context, record.id);
  await lookUntil(api, look, (found) => found !== "gone").catch(() => undefined);
  return record;
}
const makeCreated = (): Set<string> => new Set();

function isLike(shown: DataStoreRecord, wanted: Wanted): boolean {
  const record = { ...shown, db_type: spelledType(shown.db_type) };
  return identifying.every((name) => {
    // What the list does not show proves nothing.
    const [one, other] = [record[name] ?? wanted[name] ?? "", wanted[name] ?? record[name] ?? ""];
    return one === other || (name === "db_host" && isSameHost(one, other));
  });
}

export function isSameHost(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}
