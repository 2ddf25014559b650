import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { isPlatformError, leavesOutcomeOpen } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { operations } from "../api/operations";
import type { Context } from "../core/define";
import { lookFor } from "../core/extended";
import { answeredId, type Id, sameId } from "../values/id";
import { recordIn } from "./entries";
import { type Listing, sharedListing } from "./listing";
import { type Kind, type Written, writeOne } from "./write-one";

const text = z.string().nullish().catch(undefined);
const number = z
  .union([z.int(), z.string().regex(/^\d+$/).transform(Number)])
  .nullish()
  .catch(undefined);

/** A data store, in a list or in the response to a request. Only the id is required; the password is not parsed. */
export const dataStoreRecord = z.object({
  id: z.union([z.number(), z.string().min(1)]),
  account_id: answeredId.catch(undefined),
  user_id: answeredId.catch(undefined),
  active: z.boolean().nullish().catch(undefined),
  name: text,
  created_at: text,
  db_type: text,
  db_location: text,
  db_host: text,
  db_name: text,
  db_user: text,
  port: number,
  catalog_name: text,
  gateway_ip: text,
  gateway_port: number,
  gateway_username: text,
});
export type DataStoreRecord = z.output<typeof dataStoreRecord>;

export const dataStoresOf = sharedListing(extendedOperations.listDataStores, "db_taps", dataStoreRecord);

export function lookForDataStore(context: Context, id: Id): Promise<DataStoreRecord | "gone" | "unknown"> {
  const { api } = context;
  return lookFor(context, {
    view: extendedOperations.viewDataStore,
    read: () => api.call(extendedOperations.viewDataStore, { path: { id }, answer: recordIn(dataStoreRecord) }),
    list: extendedOperations.listDataStores,
    find: async () => (await dataStoresOf(api).fresh()).find((record) => sameId(record.id, id)),
  });
}

const dataStores: Kind = { lookFor: lookForDataStore, lists: [dataStoresOf] };

/** Edits a data store. Fields that are absent stay as they are. */
export function editDataStore(context: Context, id: string, body: { readonly port?: unknown }): Promise<Written> {
  const { editDataStore: operation } = extendedOperations;
  const send = (fields: object) => context.api.call(operation, { path: { id }, body: fields, answer: anyAnswer });
  return writeOne(context, dataStores, id, operation, () => withEitherPort(body, send));
}

export function deleteDataStore(context: Context, id: string): Promise<Written> {
  const { deleteDataStore: operation } = extendedOperations;
  const remove = () => context.api.call(operation, { path: { id }, answer: anyAnswer });
  return writeOne(context, dataStores, id, operation, remove);
}

/** Clients disagree on the name of the port. A rejected edit was not carried out, so it is sent with the other one. */
async function withEitherPort<T>(body: { readonly port?: unknown }, send: (body: object) => Promise<T>): Promise<T> {
  try {
    return await send(body);
  } catch (error) {
    if (body.port === undefined || !isPlatformError(error, "rejected") || leavesOutcomeOpen(error)) throw error;
    const { port, ...rest } = body;
    return send({ ...rest, db_port: port }).catch((second: unknown) => {
      throw isPlatformError(second, "rejected") && !leavesOutcomeOpen(second) ? error : second;
    });
  }
}

type Wanted = Partial<Pick<DataStoreRecord, "name" | "db_type" | "db_host" | "db_name" | "db_user">>;

/**
 * Creates a data store, and finds it in the list if the response is lost: the one record that was not there before, was
 * not created by another resource of this run, and looks like it.
 */
export async function createAndFind(
  { api }: Context,
  before: Listing<DataStoreRecord>,
  body: Wanted & object,
): Promise<DataStoreRecord> {
  const listing = dataStoresOf(api);
  const created = api.shared(makeCreated);
  const isOld = new Set(before.records.map(({ id }) => String(id)));
  const record = await listing.writing(() =>
    api.callOnce(operations.createDataStore, {
      body,
      answer: dataStoreRecord,
      looks: maxLookups,
      lookUp: async () => {
        listing.written();
        const isNew = ({ id }: DataStoreRecord) => !isOld.has(String(id)) && !created.has(String(id));
        const candidates = (await listing.fresh()).records.filter((one) => isNew(one) && isLike(one, body));
        return candidates.length === 1 ? candidates[0] : undefined;
      },
    }),
  );
  created.add(String(record.id));
  return record;
}
const makeCreated = (): Set<string> => new Set();
/** The list may show a new data store with a delay. */
const maxLookups = 4;

function isLike(record: DataStoreRecord, wanted: Wanted): boolean {
  const names = ["name", "db_type", "db_host", "db_name", "db_user"] as const;
  // What the list does not show proves nothing.
  return names.every((name) => (record[name] ?? wanted[name] ?? "") === (wanted[name] ?? record[name] ?? ""));
}
