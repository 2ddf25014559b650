import { type Answer, invalid, ok } from "../answers";
import type { DataStore } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import type { World } from "../world";

const types = ["mysql", "vertica", "mongo", "postgresql", "redshift"];
const locations = ["us-east-1", "us-west-2", "ap-southeast-1", "eu-west-1", "on-premise"];
const names = [
  ...["catalog_name", "name", "db_name", "db_host", "db_user", "db_passwd", "port", "db_type", "db_location"],
  "skip_validation",
];

function password(world: World, value: string | null): Record<string, unknown> {
  return {
    "as sent": { db_passwd: value },
    masked: { db_passwd: "********" },
    null: { db_passwd: null },
    absent: {},
  }[world.switches.dataStorePassword];
}

function record(world: World, store: DataStore): Record<string, unknown> {
  if (world.switches.dataStoreAnswer === "id only") return { id: store.id };
  if (world.switches.dataStoreAnswer === "id and name") return { id: store.id, name: store.name };
  return {
    id: store.id,
    account_id: store.accountId,
    user_id: store.userId,
    active: store.active,
    name: store.name,
    db_name: store.dbName,
    db_host: store.dbHost,
    db_user: store.dbUser,
    ...password(world, store.dbPasswd),
    db_type: store.dbType,
    db_location: store.dbLocation,
    port: store.port,
    created_at: world.stamp(store.createdAt),
  };
}

function create(call: Call): Answer {
  const { world, user, parameters } = call;
  const { switches } = world;
  parameters.only(...names).mayNeed(["db_name", "db_host", "db_user", "db_passwd"], ["db_location"]);
  const host = parameters.text("db_host") ?? null;
  const database = parameters.text("db_name") ?? null;
  const skip = parameters.flag("skip_validation") ?? false;
  if (!skip && switches.dataStoreValidation === "fails") throw invalid("the data store cannot be reached");
  const store: DataStore = {
    id: world.nextId("data store"),
    accountId: user.accountId,
    userId: user.userId,
    active: skip || switches.dataStoreValidation !== "inactive, created",
    name: parameters.text("name") ?? `${host ?? ""}-${database ?? ""}`,
    dbName: database,
    dbHost: host,
    dbUser: parameters.text("db_user") ?? null,
    dbPasswd: parameters.text("db_passwd") ?? null,
    dbType: parameters.oneOf("db_type", types) ?? "mysql",
    dbLocation: parameters.oneOf("db_location", locations) ?? null,
    port: parameters.within("port", 1, 65535) ?? null,
    createdAt: world.now(),
  };
  world.data.dataStores.push(store);
  return ok(record(world, store));
}

export const dataStoreOperations: readonly Operation[] = [
  operation("dataStores.create", "POST /api/v1.2/db_taps/", needs.createDataStore, create),
];
