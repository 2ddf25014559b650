import { PlatformError } from "../api/errors";
import type { AnyResource, Listed } from "./define";
import { needsExtendedApi, withExtendedApi } from "./extended";
import { guarded, type Host } from "./guard";

/** What exists of one type, read from the platform as far as somebody asks for it. */
export class Importable {
  readonly #definition: AnyResource;
  readonly #host: Host;
  readonly #found: Listed[] = [];
  #rest: AsyncIterator<Listed> | undefined;

  constructor(definition: AnyResource, host: Host) {
    const isExtended = host.extendedApi?.() ?? false;
    this.#definition = isExtended ? withExtendedApi(definition) : definition;
    if (!this.#definition.list || (definition.extended?.required && !isExtended)) throw cannotList(definition);
    this.#host = host;
  }

  async page(start: number, size: number): Promise<{ readonly items: readonly Listed[]; readonly hasMore: boolean }> {
    const end = start + size;
    // One more tells whether there are more.
    await this.#readUpTo(end + 1);
    return { items: this.#found.slice(start, end), hasMore: this.#found.length > end };
  }

  #readUpTo(count: number): Promise<void> {
    const { type, list } = this.#definition;
    return guarded(this.#host, { name: type, failed: `cannot list ${type}`, secrets: [] }, async (context) => {
      this.#rest ??= list!(context)[Symbol.asyncIterator]();
      while (this.#found.length < count) {
        const next = await this.#rest.next().catch((error: unknown) => {
          // A generator that has failed counts as ended: begin anew, so that the next page does not look like the last.
          this.#rest = undefined;
          this.#found.length = 0;
          throw error;
        });
        if (next.done) return;
        this.#found.push(next.value);
      }
    });
  }
}

function cannotList({ type, list, extended }: AnyResource): PlatformError {
  const why =
    list || extended?.list
      ? needsExtendedApi
      : "the API cannot list them; read one by its import id, which docs/resources describes";
  return new PlatformError(`cannot list ${type}: ${why}`, { code: "rejected" });
}
