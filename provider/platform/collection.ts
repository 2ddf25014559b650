import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import type { Operation } from "../api/operations";
import type { SharedRead } from "../api/shared-read";
import type { Context, Listed } from "../core/define";
import { type Id, sameId } from "../values/id";
import { isMarkedDeleted, recordIn } from "./entries";
import { actOn, attempt, lookAt, required, undefinedIfNotFound } from "./lacking";
import { type Listing, sharedListing } from "./listing";

interface Identified {
  readonly id: Id;
  readonly name?: string | null | undefined;
}

export interface CollectionOptions<R> {
  /** In messages: `role`. */
  readonly noun: string;
  /** The name of the list in a response, and what one of its entries is. */
  readonly listName: string;
  readonly record: z.ZodType<R>;
  readonly operations: Readonly<Record<"list" | "view" | "create" | "update" | "delete", Operation>>;
  /** Other lists that show something of it, and are stale after a write. */
  readonly alsoIn?: readonly ((api: Client) => { written(): void })[];
}

/** What an account has several of, each with an id, as the extended API shows, creates, changes and deletes them. */
export class Collection<R extends Identified, Options extends CollectionOptions<R> = CollectionOptions<R>> {
  readonly #viewed: z.ZodType<R | "gone">;
  /** A record in a response: bare or one level down. */
  readonly answer: z.ZodType<R>;
  /** All of them, as this process has left them. Concurrent callers share one read. */
  readonly of: (api: Client) => SharedRead<Listing<R>>;
  /** By id: what this process has made, renamed or deleted. A late list does not show that yet. */
  readonly #written: (api: Client) => Map<string, Partial<R> | "gone">;

  constructor(protected readonly options: Options) {
    this.answer = recordIn(options.record);
    this.#viewed = z.union([gone, this.answer]);
    const make = () => new Map<string, Partial<R> | "gone">();
    this.#written = (api) => api.shared(make);
    const seen = (api: Client, shown: readonly R[]) => this.#asWritten(api, shown);
    this.of = sharedListing(options.operations.list, options.listName, options.record, { seen });
  }

  get noun(): string {
    return this.options.noun;
  }

  get operations(): Options["operations"] {
    return this.options.operations;
  }

  /** Undefined if the installation cannot list them. `recent`: whether or not it shows our own latest writes. */
  listed(context: Context, how: "fresh" | "recent" = "fresh"): Promise<Listing<R> | undefined> {
    return attempt(context, this.operations.list, () => this.of(context.api)[how]());
  }

  /** For what cannot do without the list. */
  async all({ api, log }: Pick<Context, "api" | "log">): Promise<readonly R[]> {
    return (await required(this.operations.list, () => this.of(api).fresh())).told(log);
  }

  /** By import id. */
  async *importable(context: Context, isLeftOut: (record: R) => boolean = () => false): AsyncGenerator<Listed> {
    for (const record of await this.all(context))
      if (!isLeftOut(record)) yield { id: String(record.id), name: record.name ?? undefined };
  }

  find(listing: Listing<R>, id: Id): R | undefined {
    return listing.find((record) => sameId(record.id, id));
  }

  /**
   * An installation that cannot show a single one may answer "not found" too, so only a list that does not show it says
   * that it is gone. `unknown`: the installation can do neither.
   */
  async look(context: Context, id: Id): Promise<R | "gone" | "unknown"> {
    const { view } = this.operations;
    const path = pathOf(view, id);
    const read = () => context.api.call(view, { path, answer: this.#viewed }).catch(undefinedIfNotFound);
    const inList = async () => {
      const listing = await this.listed(context);
      return listing ? (this.find(listing, id) ?? "gone") : "unknown";
    };
    const isGone = async () => (await inList()) === "gone";
    const viewed = await lookAt(context, view, async () => ({ record: await read() }), isGone);
    if (viewed === "gone") return viewed;
    return (viewed !== "unknown" && viewed.record) || inList();
  }

  /** Fields that are absent stay as they are. */
  update(context: Context, id: Id, body: object) {
    const now = "name" in body ? { name: body.name } : {};
    return this.#write(context, id, this.operations.update, now as Partial<R>, body);
  }

  delete(context: Context, id: Id) {
    return this.#write(context, id, this.operations.delete, "gone");
  }

  noteWritten(api: Client, id: Id, now: Partial<R> | "gone"): void {
    const all = this.#written(api);
    const before = all.get(String(id));
    all.set(String(id), now === "gone" || before === "gone" ? now : { ...before, ...now });
  }

  #asWritten(api: Client, shown: readonly R[]): R[] {
    const written = this.#written(api);
    const isMade = (one: Partial<R> | "gone"): one is R => one !== "gone" && one.id !== undefined;
    const isLate = ({ id }: R) => !shown.some((one) => sameId(one.id, id));
    return [...shown, ...[...written.values()].filter(isMade).filter(isLate)].flatMap((record) => {
      const now = written.get(String(record.id)) ?? record;
      return now === "gone" ? [] : { ...record, name: now.name ?? record.name };
    });
  }

  noLongerThere(which: Id, more = ""): PlatformError {
    return new PlatformError(
      `${this.noun} ${which} no longer exists; run "pulumi refresh", then "pulumi up" to create it again${more}`,
      { code: "not-found" },
    );
  }

  async #write(context: Context, id: Id, operation: Operation, now: Partial<R> | "gone", body?: object) {
    const { api } = context;
    const send = () => api.call(operation, { path: pathOf(operation, id), ...(body && { body }), answer: anyAnswer });
    try {
      const written = await actOn(context, operation, send, () => this.look(context, id));
      if (written === "done") this.noteWritten(api, id, now);
      return written;
    } finally {
      for (const listOf of [this.of, ...(this.options.alsoIn ?? [])]) listOf(api).written();
    }
  }
}

const gone = z
  .unknown()
  .refine(isMarkedDeleted)
  .transform(() => "gone" as const);

/** The path of each of these operations has one parameter. */
function pathOf({ path }: Operation, id: Id): Record<string, Id> {
  return { [/\{(\w+)\}/.exec(path)![1]!]: id };
}
