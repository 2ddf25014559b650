import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import type { Operation } from "../api/operations";
import type { SharedRead } from "../api/shared-read";
import type { Context, Listed } from "../core/define";
import { type Id, sameId } from "../values/id";
import { isMarkedDeleted, recordIn } from "./entries";
import { actOn, attempt, required, undefinedIfNotFound } from "./lacking";
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

/** `lacking`: the installation cannot do that. */
type Written = Awaited<ReturnType<typeof actOn>>;

/** What an account has several of, each with an id, as the extended API shows, creates, changes and deletes them. */
export class Collection<R extends Identified, Options extends CollectionOptions<R> = CollectionOptions<R>> {
  readonly #viewed: z.ZodType<R | "gone">;
  /** A record in a response: bare or one level down. */
  readonly answer: z.ZodType<R>;
  /** All of them. Concurrent callers share one read. */
  readonly of: (api: Client) => SharedRead<Listing<R>>;

  constructor(protected readonly options: Options) {
    this.answer = recordIn(options.record);
    this.#viewed = z.union([gone, this.answer]);
    this.of = sharedListing(options.operations.list, options.listName, options.record);
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
    const viewed = await attempt(context, view, () =>
      context.api.call(view, { path, answer: this.#viewed }).catch(undefinedIfNotFound),
    );
    if (viewed) return viewed;
    const listing = await this.listed(context);
    return listing ? (this.find(listing, id) ?? "gone") : "unknown";
  }

  /** Fields that are absent stay as they are. */
  update(context: Context, id: Id, body: object): Promise<Written> {
    return this.#write(context, id, this.operations.update, body);
  }

  delete(context: Context, id: Id): Promise<Written> {
    return this.#write(context, id, this.operations.delete);
  }

  noLongerThere(which: Id, more = ""): PlatformError {
    return new PlatformError(
      `${this.noun} ${which} no longer exists; run "pulumi refresh", then "pulumi up" to create it again${more}`,
      { code: "not-found" },
    );
  }

  async #write(context: Context, id: Id, operation: Operation, body?: object): Promise<Written> {
    const { api } = context;
    const send = () => api.call(operation, { path: pathOf(operation, id), ...(body && { body }), answer: anyAnswer });
    try {
      return await actOn(context, operation, send, () => this.look(context, id));
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
