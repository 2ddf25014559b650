import { invalid } from "../../answers";
import type { DataStore } from "../../model";
import type { Call } from "../../operation";
import { Parameters } from "../../parameters";
import { locations, names, readCatalog, readGateway, types } from "../data-stores";

const texts = { name: "name", dbName: "db_name", dbHost: "db_host", dbUser: "db_user", dbPasswd: "db_passwd" } as const;

/** The port has one name in the manual and another in a client. */
function readPort(call: Call): number | undefined {
  const way = call.world.switches.dataStoreEditPort;
  const wanted = way === "both" ? ["port", "db_port"] : [way];
  return wanted.map((name) => call.parameters.within(name, 1, 65535)).find((port) => port !== undefined);
}

function gatewayAfter(call: Call, store: DataStore, location: string | undefined): Record<string, unknown> {
  // A part of the gateway may change alone; moving away from the premises drops it.
  const merged = location === "on-premise" ? { ...store.gateway, ...call.body } : call.body;
  return readGateway(new Parameters(call.world.switches, merged), location);
}

/** Fields that an edit did not send, under the readings in which it replaces the record. */
function reset(call: Call, store: DataStore): void {
  const way = call.world.switches.dataStoreEditRest;
  if (way !== "kept" && !call.parameters.has("db_passwd")) store.dbPasswd = null;
  if (way !== "reset to null") return;
  for (const [field, name] of Object.entries(texts) as [keyof typeof texts, string][])
    if (field !== "name" && !call.parameters.has(name)) store[field] = null;
  if (readPort(call) === undefined) store.port = null;
}

export function editDataStore(call: Call, store: DataStore): void {
  const { world, parameters } = call;
  const { switches } = world;
  parameters.only(...names, "db_port");
  const next: DataStore = { ...store };
  next.dbType = parameters.oneOf("db_type", types) ?? store.dbType;
  const location = parameters.oneOf("db_location", locations) ?? store.dbLocation ?? undefined;
  next.dbLocation = location ?? null;
  next.gateway = gatewayAfter(call, store, location);
  if (parameters.has("catalog_name")) next.catalogName = readCatalog(parameters, next.dbType);
  next.port = readPort(call) ?? store.port;
  for (const [field, name] of Object.entries(texts) as [keyof typeof texts, string][]) {
    const value = parameters.text(name);
    if (value !== undefined) next[field] = value;
  }
  if (!(parameters.flag("skip_validation") ?? false) && switches.dataStoreEditValidation === "fails")
    throw invalid("the data store cannot be reached");
  reset(call, next);
  const { previous: _, ...before } = store;
  Object.assign(store, next, { previous: { store: { ...before }, delay: world.delay(switches.dataStoreEditDelay) } });
}
