import { type Answer, missing, ok, unshown } from "../../answers";
import type { DataStore } from "../../model";
import { type Call, type Operation, operation } from "../../operation";
import { pick } from "../../rights";
import type { World } from "../../world";
import { editDataStore } from "./data-store-edit";
import { shownDataStore } from "./data-store-record";
import { inOrder, withOdd } from "./lists";
import { needs } from "./needs";
import { paged } from "./paging";

/** Whether a store is still shown; a deleted one may stay for a while. */
function visible(world: World, store: DataStore): boolean {
  if (store.shown && !world.passed(store.shown)) return false;
  return !store.gone || !world.passed(store.gone);
}

const ofAccount = ({ world, user }: Call) => world.data.dataStores.filter((one) => one.accountId === user.accountId);

function storeOf(call: Call): DataStore {
  const given = call.path["id"] ?? "";
  const { dataStores } = call.world.data;
  const store = pick(call, dataStores, (one) => String(one.id) === given, `data store ${given}`);
  if (!visible(call.world, store)) throw missing(`data store ${given} not found`);
  return store;
}

function list(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const found = ofAccount(call).filter((one) => visible(world, one));
  const { items, info } = paged(call, switches.dataStoreListPages, inOrder(found, "by id"));
  const records = withOdd(
    items.map((store) => listed(world, store)),
    switches.dataStoreListOdd,
  );
  if (switches.dataStoreListForm === "list") return ok(records);
  return ok({ ...info, [switches.dataStoreListForm === "under db_taps" ? "db_taps" : "data_stores"]: records });
}

function listed(world: World, store: DataStore): Record<string, unknown> {
  if (world.switches.dataStoreListRecord === "id and name") return { id: store.id, name: store.name };
  const { created_at: createdAt, ...rest } = shownDataStore(world, store);
  return world.switches.dataStoreListRecord === "without times" ? rest : { ...rest, created_at: createdAt };
}

function view(call: Call): Answer {
  const record = shownDataStore(call.world, storeOf(call));
  return {
    bare: ok(record),
    "under db_tap": ok({ db_tap: record }),
    "list of one": ok([record]),
  }[call.world.switches.dataStoreViewEnvelope];
}

function edit(call: Call): Answer {
  const { world } = call;
  const store = storeOf(call);
  if (store.gone) throw missing(`data store ${store.id} not found`);
  const before = shownDataStore(world, store);
  editDataStore(call, store);
  const form = world.switches.dataStoreEditAnswer;
  if (form === "the record before the change") return ok(before);
  if (form === "id only") return ok({ id: store.id });
  return unshown(form, shownDataStore(world, { ...store, previous: undefined }));
}

function remove(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const store = storeOf(call);
  if (store.gone) throw missing(`data store ${store.id} not found`);
  store.gone = world.delay(switches.dataStoreDeleteDelay);
  if (switches.dataStoreDeleteDelay === "at once")
    world.data.dataStores = world.data.dataStores.filter((one) => one !== store);
  return {
    "status deleted": ok({ status: "deleted" }),
    "204": { status: 204 },
    "empty body": { status: 200 },
    "status as object": ok({ status: { status_code: 200, message: "deleted" } }),
  }[switches.dataStoreDeleteAnswer];
}

export function dataStoreOperations(world: World): readonly Operation[] {
  const one = "/api/v1.2/db_taps/:id";
  const edited = world.switches.dataStoreEditSlash === "with" ? `${one}/` : one;
  return [
    operation("dataStores.list", "GET /api/v1.2/db_taps/", needs.viewStores, list),
    operation("dataStores.view", `GET ${one}`, needs.viewStore, view),
    operation("dataStores.edit", `PUT ${edited}`, needs.editStore, edit),
    operation("dataStores.delete", `DELETE ${one}`, needs.deleteStore, remove),
  ];
}
