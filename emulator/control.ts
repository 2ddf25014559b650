import { z } from "zod";
import type { Clock } from "./clock";
import { applyOutcome } from "./commands/life";
import { invalid, notFound } from "./errors";
import { type FaultInjector, type Faults, faultsSchema } from "./faults";
import { mask } from "./mask";
import { openApiDocument } from "./openapi";
import { catalogue, type ReadingSwitches, readingsSchema } from "./readings";
import { outcomeRuleSchema, type Part, partNames, parts, type Seed, settingsSchema } from "./records";
import type { RequestLog } from "./request-log";
import { type Method, type Route, Router, validate } from "./router";
import { parseSeed } from "./seed";
import type { Snapshots } from "./snapshots";
import type { Store } from "./store";

interface ControlRoute {
  method: Method;
  paths: readonly string[];
  handle(query: URLSearchParams, body: () => unknown, path: Record<string, string>): unknown;
}

const clockSchema = z.strictObject({
  mode: z.enum(["real", "manual"]).optional(),
  at: z.iso.datetime().optional(),
  advance: z.number().min(0).optional(),
});

const changeableSettings = settingsSchema
  .pick({ viewPolicyAs: true, waitSeconds: true, runSeconds: true })
  .strict()
  .partial();

const limitSchema = z.coerce.number().int().min(0).default(100);

/** The endpoints under /_emulator/. Not part of the platform, so no token, no faults, no log. */
export class Control {
  readonly #started = Date.now();
  readonly #router: Router<ControlRoute>;
  #document: ReturnType<typeof openApiDocument> | undefined;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly faults: FaultInjector,
    private readonly log: RequestLog,
    private readonly readings: ReadingSwitches,
    private readonly snapshots: Snapshots,
    private readonly seed: Seed | undefined,
    /** Applies the emulator's start options to a fresh state. */
    private readonly adjust: () => void,
    /** Distinguishes this emulator from any other at the same address. */
    private readonly instance: string,
    private readonly apiRoutes: readonly Route[],
  ) {
    this.#router = new Router(this.#routes());
  }

  handle(method: string, pathname: string, query: URLSearchParams, body: () => unknown): unknown {
    const { route, path } = this.#router.match(method, pathname);
    return route.handle(query, body, path);
  }

  reset(seed: Seed | undefined = this.seed): { status: string } {
    const full = parseSeed(seed);
    this.store.load(full);
    this.adjust();
    this.faults.clear();
    this.log.clear();
    this.readings.reset();
    return { status: "reset" };
  }

  state(options: { secrets?: boolean; account?: number } = {}): unknown {
    const { accounts, settings } = this.store.toSeed();
    const chosen = options.account === undefined ? accounts : accounts.filter(({ id }) => id === options.account);
    const state = { accounts: chosen, settings };
    return options.secrets ? state : mask(state);
  }

  #routes(): ControlRoute[] {
    const route = (method: Method, path: string, handle: ControlRoute["handle"]): ControlRoute => ({
      method,
      paths: [`/_emulator${path}`],
      handle,
    });
    const clearing = (path: string, clear: () => void): ControlRoute =>
      route("DELETE", path, () => {
        clear();
        return { status: "cleared" };
      });
    return [
      route("GET", "", () => ({ endpoints: this.#router.describe() })),
      route("GET", "/health", () => this.#health()),
      route("GET", "/openapi.json", () => this.#openApi()),
      route("GET", "/state", (query) => this.#state(query)),
      route("PUT", "/state/:part", (query, body, { part }) => this.#putRecord(query, body(), part)),
      route("DELETE", "/state/:part/:key", (query, _body, path) => this.#deleteRecord(query, path)),
      route("POST", "/reset", (_query, body) => this.#reset(body())),
      route("GET", "/snapshots", () => ({ snapshots: this.snapshots.list() })),
      route("PUT", "/snapshots/:name", (_query, _body, { name = "" }) => this.snapshots.save(name)),
      route("POST", "/snapshots/:name/load", (_query, _body, { name = "" }) => this.snapshots.load(name)),
      route("DELETE", "/snapshots/:name", (_query, _body, { name = "" }) => this.#deleteSnapshot(name)),
      route("GET", "/requests", (query) =>
        this.log.report(validate(limitSchema, query.get("limit") ?? undefined) as number),
      ),
      clearing("/requests", () => this.log.clear()),
      route("GET", "/faults", () => this.faults.report()),
      route("POST", "/faults", (_query, body) => this.#setFaults(body())),
      clearing("/faults", () => this.faults.clear()),
      route("GET", "/readings", () => ({ readings: this.readings.values, catalogue })),
      route("POST", "/readings", (_query, body) => this.#setReadings(body())),
      clearing("/readings", () => this.readings.reset()),
      route("GET", "/clock", () => this.#clock()),
      route("POST", "/clock", (_query, body) => this.#setClock(body())),
      route("GET", "/settings", () => this.store.settings),
      route("POST", "/settings", (_query, body) => this.#setSettings(body())),
      route("POST", "/commands/outcome", (_query, body) => this.#addOutcome(body())),
      clearing("/commands/outcome", () => this.store.setSettings({ outcomes: [] })),
    ];
  }

  #openApi(): unknown {
    this.#document ??= openApiDocument(this.apiRoutes);
    return this.#document;
  }

  #health() {
    const uptimeSeconds = Math.round((Date.now() - this.#started) / 1000);
    const changes = this.store.changes + this.log.changes + this.snapshots.changes;
    const { instance } = this;
    return { status: "ok", instance, uptimeSeconds, accounts: this.store.accounts.size, changes, ...this.#clock() };
  }

  #clock() {
    return { mode: this.clock.mode, now: this.clock.timestamp() };
  }

  #state(query: URLSearchParams): unknown {
    const account = query.get("account");
    return this.state({ secrets: query.get("secrets") === "1", ...(account !== null && { account: Number(account) }) });
  }

  #account(query: URLSearchParams): number {
    const id = Number(query.get("account") ?? this.store.accounts.keys().next().value);
    if (!this.store.accounts.has(id)) throw notFound(`account: there is no account ${query.get("account")}`);
    return id;
  }

  #part(name: string | undefined): Part {
    const part = partNames.find((known) => known === name);
    if (!part) throw notFound(`the state has no ${name}; use one of ${partNames.join(", ")}`);
    return part;
  }

  #putRecord(query: URLSearchParams, body: unknown, name: string | undefined): unknown {
    const part = this.#part(name);
    const account = this.#account(query);
    const withId =
      typeof body === "object" && "id" in parts[part].shape ? { id: this.store.nextId(part), ...body } : body;
    return this.store.put(part, account, validate(parts[part] as unknown as z.ZodType<never>, withId));
  }

  #deleteRecord(query: URLSearchParams, { part: name, key = "" }: Record<string, string>): unknown {
    const part = this.#part(name);
    const account = this.#account(query);
    if (!this.store.get(part, account, key)) throw notFound(`account ${account} has no ${part} ${key}`);
    this.store.delete(part, account, key);
    return { status: "deleted" };
  }

  #reset(body: unknown): unknown {
    const given = typeof body === "object" && body !== null && Object.keys(body).length > 0;
    try {
      return this.reset(given ? (body as Seed) : this.seed);
    } catch (error) {
      throw invalid(error instanceof Error ? error.message : String(error));
    }
  }

  #deleteSnapshot(name: string): unknown {
    this.snapshots.delete(name);
    return { status: "deleted" };
  }

  #setFaults(body: unknown): unknown {
    this.faults.set(validate(faultsSchema, body) as Faults);
    return this.faults.report();
  }

  #setReadings(body: unknown): unknown {
    this.readings.set(validate(readingsSchema, body ?? {}));
    return { readings: this.readings.values };
  }

  #setClock(body: unknown): unknown {
    const { mode, at, advance } = validate(clockSchema, body ?? {});
    if (mode !== undefined || at !== undefined)
      this.clock.set(mode ?? this.clock.mode, at === undefined ? undefined : Date.parse(at));
    if (advance !== undefined) this.clock.advance(advance);
    return this.#clock();
  }

  #setSettings(body: unknown): unknown {
    const given = validate(changeableSettings, body ?? {});
    this.store.setSettings(given as Partial<typeof this.store.settings>);
    return this.store.settings;
  }

  #addOutcome(body: unknown): unknown {
    const rule = validate(outcomeRuleSchema, body);
    const changed = applyOutcome(this.store, this.clock.now(), rule);
    return { outcomes: this.store.settings.outcomes, changed };
  }
}
