import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { Api } from "./api";
import { Clock } from "./clock";
import { Control } from "./control";
import { takeDataLock } from "./data-lock";
import { FaultInjector, type Faults } from "./faults";
import { Hosts } from "./hosts";
import { Journal, readJournal } from "./journal";
import { chosenRoutes, type ExtendedChoice, extendedOf, type Profile, parseProfile } from "./profile";
import { ReadingSwitches, type Readings } from "./readings";
import { type Seed, type Settings, settingsSchema } from "./records";
import { RequestLog, type RequestReport } from "./request-log";
import { parseSeed } from "./seed";
import { createEmulatorServer } from "./server";
import { type SnapshotInfo, Snapshots } from "./snapshots";
import { type Change, Store } from "./store";

export { type Faults, faultKinds } from "./faults";
export type { Profile } from "./profile";
export { parseReading, type ReadingName, type Readings } from "./readings";
export type { Seed } from "./records";
export type { LoggedRequest, RequestReport } from "./request-log";
export { defaultSeed } from "./seed";
export type { SnapshotInfo } from "./snapshots";

export interface EmulatorOptions {
  /** 0 (the default) picks a free port. */
  port?: number | undefined;
  host?: string | undefined;
  /** Host names to serve in addition to localhost and the address it listens on. */
  allowedHosts?: readonly string[] | undefined;
  /** File to keep the state in; if it exists, it is used instead of the seed. */
  data?: string | undefined;
  seed?: Seed | undefined;
  /** `manual` stops the clock until `advance` is called. */
  clock?: "real" | "manual" | undefined;
  /** How long commands wait before they run. */
  waitSeconds?: number | undefined;
  /** How long commands run. */
  runSeconds?: number | undefined;
  /** How to interpret the specification where it is ambiguous; docs/emulator-readings.md lists the choices. */
  readings?: Partial<Readings> | undefined;
  /** Also serve operations beyond the specification: all of them, or those with these names. */
  extended?: ExtendedChoice | undefined;
  /** Answer like the platform that `dataplatform conform` examined for this; `readings` and `extended` go first. */
  profile?: Profile | undefined;
  /** Maximum size of a request body. */
  maxBodyBytes?: number | undefined;
  /** Whether the console and the control endpoints are served: whoever reaches the port can use them. Default: true. */
  control?: boolean | undefined;
}

export interface Emulator {
  url: string;
  port: number;
  /** Tokens by their user's alias: admin, user, powerless, … */
  tokens: Record<string, string>;
  /** Whether the state came from an existing data file. */
  restored: boolean;
  /** Whether operations beyond the specification are served. */
  extended: boolean;
  /** Extended operations of which the profile does not know whether the platform has them. */
  notTried: readonly string[];
  state(options?: { secrets?: boolean; account?: number }): ReturnType<Store["toSeed"]>;
  requests(limit?: number): RequestReport;
  clearRequests(): void;
  setFaults(faults: Faults): void;
  clearFaults(): void;
  readings(): Readings;
  /** Changes only the given readings; `reset` restores those of the start. */
  setReadings(readings: Partial<Readings>): void;
  advance(seconds: number): void;
  reset(seed?: Seed): void;
  /** Saves the state under this name, beside the data file if there is one; replaces a snapshot of the same name. */
  snapshot(name: string): void;
  /** Puts the state back as it was saved. Faults, readings and the request log stay. */
  restore(name: string): void;
  /** By name. */
  snapshots(): SnapshotInfo[];
  close(): Promise<void>;
}

const megabyte = 1024 * 1024;

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const profile = options.profile === undefined ? undefined : parseProfile(options.profile);
  const played = options.extended === undefined && profile ? extendedOf(profile) : undefined;
  const file = options.data === undefined ? undefined : resolve(options.data);
  const journal = file === undefined ? undefined : new Journal(file);
  const store = new Store((change) => journal?.note(change));
  const clock = new Clock(store);
  const faults = new FaultInjector();
  const log = new RequestLog();
  const readings = new ReadingSwitches({ ...profile?.readings, ...options.readings });
  const snapshots = new Snapshots(store, file);
  const instance = randomUUID();
  const adjustNow = () => adjust(store, clock, options);
  const api = new Api(store, clock, readings, options.extended ?? played?.served);
  const { seed } = options;
  const control = new Control(store, clock, faults, log, readings, snapshots, seed, adjustNow, instance, api.routes);
  const host = options.host ?? "127.0.0.1";
  let isReady = false;
  let open = () => {};
  const server = createEmulatorServer({
    api,
    control: options.control === false ? undefined : control,
    store,
    faults,
    log,
    journal,
    hosts: new Hosts([host, ...(options.allowedHosts ?? [])]),
    maxBodyBytes: options.maxBodyBytes ?? megabyte,
    ready: new Promise<void>((done) => {
      open = () => {
        isReady = true;
        done();
      };
    }),
    isReady: () => isReady,
    instance,
  });

  // Take the port before the data file: an emulator that fails to start must not touch the file of a running one.
  const port = await listen(server, options.port ?? 0, host);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  let restored = false;
  let unlock = () => {};
  try {
    if (file !== undefined) unlock = await takeDataLock(file, { url, pid: process.pid, instance });
    restored = fill(store, options.seed, file === undefined ? undefined : readJournal(file));
    adjustNow();
    await journal?.start(store);
  } catch (error) {
    unlock();
    await stop(server);
    throw error;
  }
  open();
  return {
    url,
    port,
    tokens: tokensOf(store),
    restored,
    extended: chosenRoutes(options.extended ?? played?.served).length > 0,
    notTried: played?.notTried ?? [],
    state: (wanted) => control.state(wanted) as ReturnType<Store["toSeed"]>,
    requests: (limit) => log.report(limit),
    clearRequests: () => log.clear(),
    setFaults: (wanted) => faults.set(wanted),
    clearFaults: () => faults.clear(),
    readings: () => readings.values,
    setReadings: (given) => readings.set(given),
    advance: (seconds) => clock.advance(seconds),
    reset: (seed) => void control.reset(seed ?? options.seed),
    snapshot: (name) => void snapshots.save(name),
    restore: (name) => void snapshots.load(name),
    snapshots: () => snapshots.list(),
    async close() {
      await stop(server);
      await journal?.close();
      unlock();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        error.message = `port ${port} on ${host} is already in use; choose another, or 0 for a free one`;
      fail(error);
    });
    server.listen(port, host, done);
  });
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
}

/** Fills the store from the data file, or else from the seed. */
function fill(store: Store, seed: Seed | undefined, changes: Change[] | undefined): boolean {
  if (changes) for (const change of changes) store.apply(change);
  else store.load(parseSeed(seed));
  return changes !== undefined;
}

function adjust(store: Store, clock: Clock, options: EmulatorOptions): void {
  const { waitSeconds, runSeconds } = options;
  const timing: Partial<Settings> = {
    ...(waitSeconds !== undefined && { waitSeconds }),
    ...(runSeconds !== undefined && { runSeconds }),
  };
  if (Object.keys(timing).length > 0) store.setSettings(settingsSchema.parse({ ...store.settings, ...timing }));
  if (options.clock !== undefined && options.clock !== clock.mode) clock.set(options.clock);
}

function tokensOf(store: Store): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const account of store.accounts.keys())
    for (const user of store.list("users", account)) if (user.alias !== undefined) tokens[user.alias] = user.token;
  return tokens;
}
