import type { DataStore } from "../../model";
import type { World } from "../../world";
import { defaultPorts } from "../data-stores";

function password(world: World, value: string | null): Record<string, unknown> {
  return {
    "empty text": { db_passwd: "" },
    masked: { db_passwd: "********" },
    "stars of its length": { db_passwd: "*".repeat((value ?? "").length) },
    "as sent": { db_passwd: value },
    null: { db_passwd: null },
    absent: {},
  }[world.switches.dataStoreViewPassword];
}

function portOf(world: World, store: DataStore): unknown {
  if (world.switches.dataStoreViewPort === "default filled in") return store.port ?? defaultPorts[store.dbType] ?? null;
  return world.switches.dataStoreViewPort === "text" && store.port !== null ? String(store.port) : store.port;
}

function typeOf(world: World, type: string): string {
  if (world.switches.dataStoreViewType === "upper case") return type.toUpperCase();
  return world.switches.dataStoreViewType === "as sent" ? type : type.replace("postgresql", "postgres");
}

function extras(world: World, store: DataStore): Record<string, unknown> {
  const form = world.switches.dataStoreViewExtras;
  if (form === "no") return {};
  const catalog = { catalog_name: store.catalogName };
  if (form === "catalog_name") return catalog;
  const { gateway_private_key: key, ...gateway } = store.gateway;
  const empty = { gateway_ip: null, gateway_port: null, gateway_username: null, gateway_private_key: null };
  if (form === "all, nulls filled in") return { ...catalog, ...empty, ...store.gateway };
  return { ...catalog, ...gateway, ...(form === "all" && key !== undefined && { gateway_private_key: key }) };
}

/** A data store as view and list show it; right after an edit perhaps as it was before. */
export function shownDataStore(world: World, current: DataStore): Record<string, unknown> {
  const { previous } = current;
  const store = previous && !world.passed(previous.delay) ? previous.store : current;
  const name = { absent: {}, shown: { name: store.name }, null: { name: null } }[world.switches.dataStoreViewName];
  return {
    account_id: store.accountId,
    active: store.active,
    db_user: store.dbUser,
    user_id: store.userId,
    db_location: store.dbLocation,
    db_type: typeOf(world, store.dbType),
    ...password(world, store.dbPasswd),
    db_name: store.dbName,
    created_at: world.stamp(store.createdAt),
    db_host: store.dbHost,
    id: store.id,
    port: portOf(world, store),
    ...name,
    ...extras(world, store),
  };
}
