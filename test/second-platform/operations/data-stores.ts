import { type Answer, invalid, ok } from "../answers";
import type { DataStore } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import type { Parameters } from "../parameters";
import type { World } from "../world";

const types = ["mysql", "vertica", "mongo", "postgresql", "redshift"];
const defaultPorts: Record<string, number> = {
  mysql: 3306,
  vertica: 5433,
  mongo: 27017,
  postgresql: 5432,
  postgres: 5432,
  redshift: 5439,
};
const locations = ["us-east-1", "us-west-2", "ap-southeast-1", "eu-west-1", "on-premise"];
const gatewayTexts = ["gateway_ip", "gateway_username", "gateway_private_key"];
const names = [
  ...["catalog_name", "name", "db_name", "db_host", "db_user", "db_passwd", "port", "db_type", "db_location"],
  ...[...gatewayTexts, "gateway_port", "skip_validation"],
];

function readGateway(parameters: Parameters, location: string | undefined): Record<string, unknown> {
  const gateway: Record<string, unknown> = {};
  for (const name of gatewayTexts) if (parameters.has(name)) gateway[name] = parameters.text(name);
  const port = parameters.within("gateway_port", 1, 65535);
  const texts = Object.keys(gateway).length;
  if ((texts > 0 || port !== undefined) && location !== "on-premise")
    throw invalid("gateway parameters are allowed only when db_location is on-premise");
  if (texts > 0 && texts < gatewayTexts.length) throw invalid(`${gatewayTexts.join(", ")} go together`);
  return texts > 0 || port !== undefined ? { ...gateway, gateway_port: port ?? 22 } : gateway;
}

function readCatalog(parameters: Parameters, type: string): string | null {
  const catalog = parameters.text("catalog_name");
  if (catalog === undefined) return null;
  if (!/^[a-z0-9]+$/.test(catalog)) throw invalid("catalog_name has lower-case letters and digits only");
  const allowed = ["mysql", "postgres", "snowflake", "redshift", "postgresql"];
  if (!allowed.includes(type)) throw invalid(`catalog_name does not go with db_type ${type}`);
  return catalog;
}

function password(world: World, value: string | null): Record<string, unknown> {
  return {
    "as sent": { db_passwd: value },
    masked: { db_passwd: "********" },
    null: { db_passwd: null },
    absent: {},
    "empty text": { db_passwd: "" },
  }[world.switches.dataStorePassword];
}

function portOf(world: World, store: DataStore): unknown {
  if (world.switches.dataStorePort === "null" && store.port === defaultPorts[store.dbType]) return null;
  return world.switches.dataStorePort === "text" && store.port !== null ? String(store.port) : store.port;
}

function extras(world: World, store: DataStore): Record<string, unknown> {
  if (world.switches.dataStoreExtras === "no") return {};
  const catalog = { catalog_name: store.catalogName };
  if (world.switches.dataStoreExtras === "catalog_name") return catalog;
  const { gateway_private_key: key, ...gateway } = store.gateway;
  return {
    ...catalog,
    ...gateway,
    ...(world.switches.dataStoreExtras === "all" && { gateway_private_key: key ?? null }),
  };
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
    port: portOf(world, store),
    created_at: world.stamp(store.createdAt),
    ...extras(world, store),
  };
}

function create(call: Call): Answer {
  const { world, user, parameters } = call;
  const { switches } = world;
  parameters.only(...names).mayNeed(["db_name", "db_host", "db_user", "db_passwd"], ["db_location"]);
  const type = parameters.oneOf("db_type", types) ?? "mysql";
  const location = parameters.oneOf("db_location", locations);
  const host = parameters.text("db_host") ?? null;
  const database = parameters.text("db_name") ?? null;
  const gateway = readGateway(parameters, location);
  const catalogName = readCatalog(parameters, type);
  const port = parameters.within("port", 1, 65535) ?? null;
  const skip = parameters.flag("skip_validation") ?? false;
  if (!skip && switches.dataStoreValidation === "fails") throw invalid("the data store cannot be reached");
  const name = parameters.text("name") ?? `${host ?? ""}-${database ?? ""}`;
  const unreachable = !skip && switches.dataStoreValidation === "inactive, created";
  const store: DataStore = {
    id: world.nextId("data store"),
    accountId: user.accountId,
    userId: user.userId,
    active: unreachable ? false : { true: true, false: false, null: null }[switches.dataStoreActive],
    name,
    dbName: database,
    dbHost: host,
    dbUser: parameters.text("db_user") ?? null,
    dbPasswd: parameters.text("db_passwd") ?? null,
    dbType: type,
    dbLocation: location ?? null,
    port,
    createdAt: world.now(),
    catalogName,
    gateway,
  };
  world.data.dataStores.push(store);
  return ok(record(world, store));
}

export const dataStoreOperations: readonly Operation[] = [
  operation("dataStores.create", "POST /api/v1.2/db_taps/", needs.createDataStore, create),
];
