import { z } from "zod";
import type { Client } from "../../api/client";
import { isPlatformError } from "../../api/errors";
import { extendedOperations } from "../../api/extended-operations";
import { operations } from "../../api/operations";
import { SharedRead } from "../../api/shared-read";
import type { Context } from "../../core/define";
import { told } from "../../values/fields";
import { type Id, sameId } from "../../values/id";
import { recordIn } from "../entries";
import { attempt, undefinedIfNotFound } from "../lacking";
import { type CommandRecord, commandRecord, iso } from "./record";

export const largestPage = 100;

export const pagingInfo = z
  .object({
    previousPage: z.int().optional().describe("Page before it."),
    nextPage: z.int().optional().describe("Page after it."),
    perPage: z.int().optional().describe("Commands per page."),
  })
  .meta({ id: "PagingInfo", description: "What the platform says about a page." });

/** The records as the platform shows them: it is undocumented which field holds the tags, and in which form. */
const shownAs = new WeakMap<CommandRecord, unknown>();

function asCommand(shown: unknown): CommandRecord | undefined {
  const { data } = commandRecord.safeParse(shown);
  if (data) shownAs.set(data, shown);
  return data;
}

/** A malformed record must not hide the others. */
const Page = z.object({
  paging_info: z.looseObject({}).nullish().catch(undefined),
  commands: z
    .array(z.unknown())
    .nullable()
    .transform((records) => (records ?? []).flatMap((record) => asCommand(record) ?? [])),
});

interface HistoryQuery {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly all_users?: number | undefined;
  readonly include_query_properties?: boolean | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

export interface HistoryPage {
  readonly commands: readonly CommandRecord[];
  /** As the platform says it. */
  readonly pagingInfo?: z.output<typeof pagingInfo> | undefined;
}

export async function readPage(
  api: Client,
  query: HistoryQuery,
  apiVersion: "v1" | "v1.2" = "v1.2",
): Promise<HistoryPage> {
  const operation = apiVersion === "v1" ? operations.commandHistoryV1 : operations.commandHistory;
  const { commands, paging_info } = await api.call(operation, { query: { ...query }, answer: Page });
  return { commands, pagingInfo: paging_info ? told(pagingInfo.shape, paging_info) : undefined };
}

/** Pages of the history from `query.page` on, in the platform's order, read on demand. */
export async function* pages(
  read: (query: HistoryQuery) => Promise<HistoryPage>,
  query: HistoryQuery,
): AsyncGenerator<HistoryPage> {
  // A command submitted in the meantime shifts the others to the next page: do not return them twice.
  const seen = new Set<Id>();
  for (let page: number | undefined = query.page ?? 1; page !== undefined; ) {
    const { commands, pagingInfo } = await read({ ...query, page });
    const fresh = commands.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    yield { commands: fresh, pagingInfo };
    // Stop if the server repeats its pages.
    const next: number | undefined = pagingInfo?.nextPage;
    page = next !== undefined && next > page && commands.length > 0 ? next : undefined;
  }
}

const prefix = "pulumi-dataplatform:";

/** A tag that identifies a single submission. */
export function tagOf(seed: string): string {
  return `${prefix}${seed}`;
}

/** While nothing tells the id of a command, its tag is the id of the resource. */
export function isTag(id: Id): boolean {
  return String(id).startsWith(prefix);
}

/**
 * Searches the first pages in all that the platform shows of each command. `isMissing`: there are no others, and the
 * history shows tags. `since`: when it was submitted, if that is known; the platform's clock may be another.
 */
export async function findByTag(
  api: Client,
  tag: string,
  { since, maxPages = 20, ...whose }: TagSearch = {},
): Promise<{ readonly found?: CommandRecord | undefined; readonly isMissing: boolean }> {
  const start = since === undefined ? {} : { start_date: iso(since - day) };
  const query = { per_page: largestPage, include_query_properties: true, ...start, ...whose };
  let [pagesRead, isEmpty, showsTags] = [0, true, false];
  for await (const { commands, pagingInfo } of pages((page) => readPage(api, page), query)) {
    const shown = commands.map((command) => JSON.stringify(shownAs.get(command)));
    const found = commands[shown.findIndex((text) => text.includes(tag))];
    if (found) return { found, isMissing: false };
    isEmpty &&= shown.length === 0;
    showsTags ||= shown.some((text) => /"tags":\s*["[{]/.test(text));
    if (++pagesRead >= maxPages && pagingInfo?.nextPage !== undefined) return { isMissing: false };
  }
  return { isMissing: isEmpty || showsTags };
}

interface TagSearch extends Pick<HistoryQuery, "all_users"> {
  readonly since?: number;
  /** The order is not documented. If new commands come first, nobody submits more than on 20 in a few seconds. */
  readonly maxPages?: number;
}

/** For a submission of an earlier run: all that the history shows, within reason. */
export const ofEarlierRun: TagSearch = { maxPages: 500 };

/** Finds single commands by their ids. Callers looking for commands from the same time share their reads. */
export class Finder {
  readonly #reads = new Map<string, SharedRead<HistoryPage>>();
  #whose: Pick<HistoryQuery, "all_users"> = { all_users: 1 };

  constructor(private readonly api: Client) {}

  /** Of all users, or of the token's if it may see no others; around the time of submission if that is known. */
  async byId(id: Id, createdAt: string | undefined): Promise<CommandRecord | undefined> {
    for (const window of windowsAround(createdAt)) {
      const scan = () => this.#scan(id, { per_page: largestPage, ...this.#whose, ...window });
      const found = await scan().catch((error: unknown) => {
        if (!isPlatformError(error, "forbidden") || this.#whose.all_users === undefined) throw error;
        this.#whose = {};
        return scan();
      });
      if (found) return found;
    }
    return undefined;
  }

  async #scan(id: Id, query: HistoryQuery): Promise<CommandRecord | undefined> {
    for await (const { commands } of pages((page) => this.#shared(page), query)) {
      const found = commands.find((command) => sameId(command.id, id));
      if (found) return found;
      // If the ids descend, all further commands are older than the one we want.
      if (commands.length > 1 && idsDescend(commands) && Number(commands.at(-1)!.id) < Number(id)) return undefined;
    }
    return undefined;
  }

  #shared(query: HistoryQuery): Promise<HistoryPage> {
    const key = JSON.stringify(query);
    const read = this.#reads.get(key) ?? new SharedRead(() => readPage(this.api, query), { maxAgeMs });
    this.#reads.set(key, read);
    return read.fresh();
  }
}

/** Shorter than the shortest polling interval, so that every poll gets a fresh page. */
const maxAgeMs = 900;

const minute = 60_000;
const day = 24 * 60 * minute;

/** The narrow window first, aligned to ten minutes, so that commands submitted together share their reads. */
function windowsAround(createdAt: string | undefined): Pick<HistoryQuery, "start_date" | "end_date">[] {
  const at = createdAt === undefined ? Number.NaN : Date.parse(createdAt);
  // Without a start date the history covers only 30 days. Try that first: a platform may refuse a longer range.
  if (Number.isNaN(at)) return [{}, { start_date: "2000-01-01" }];
  const step = Math.floor(at / (10 * minute)) * 10 * minute;
  return [
    { start_date: iso(step - 10 * minute), end_date: iso(step + 20 * minute) },
    { start_date: iso(step - day), end_date: iso(step + day) },
  ];
}

function idsDescend(commands: readonly CommandRecord[]): boolean {
  return commands.every(
    ({ id }, index) => typeof id === "number" && (index === 0 || id < Number(commands[index - 1]!.id)),
  );
}

const finderOf = (api: Client): Finder => api.shared(makeFinder);
const makeFinder = (api: Client): Finder => new Finder(api);

const viewed = recordIn(commandRecord);

/** Reads one command. Undefined if the platform does not show it, which does not mean that it never existed. */
export type CommandWatch = () => Promise<CommandRecord | undefined>;

/** For a command that is read as often as needed: by its id with the extended API, else from the history. */
export function watchOf(
  context: Context,
  id: Id,
  createdAt: string | undefined,
  finder: Finder = finderOf(context.api),
): CommandWatch {
  const { viewCommand } = extendedOperations;
  if (isTag(id)) return async () => (await findByTag(context.api, String(id), ofEarlierRun)).found;
  let isViewable = context.api.settings.extendedApi;
  const view = async () => {
    const call = () => context.api.call(viewCommand, { path: { id }, answer: viewed }).catch(undefinedIfNotFound);
    const found = await attempt(context, viewCommand, call);
    return found && sameId(found.id, id) ? found : undefined;
  };
  return async () => {
    const found = isViewable ? await view() : undefined;
    if (found) return found;
    // An installation that cannot view a command may answer "not found". Only the history of this command is read from then on.
    isViewable = false;
    return finder.byId(id, createdAt);
  };
}
