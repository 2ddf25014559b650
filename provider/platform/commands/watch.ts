import { extendedOperations } from "../../api/extended-operations";
import type { Context } from "../../core/define";
import { attempt, undefinedIfNotFound } from "../../core/extended";
import { type Id, sameId } from "../../values/id";
import { recordIn } from "../entries";
import { type Finder, finderOf } from "./history";
import { type CommandRecord, commandRecord } from "./record";

const viewed = recordIn(commandRecord);

/** One command, read as often as needed: by its id with the extended API, else from the history. */
export class CommandWatch {
  readonly #context: Context;
  readonly #id: Id;
  readonly #createdAt: string | undefined;
  readonly #finder: Finder;
  #isViewable: boolean;

  constructor(context: Context, id: Id, createdAt: string | undefined, finder = finderOf(context.api)) {
    this.#context = context;
    this.#id = id;
    this.#createdAt = createdAt;
    this.#finder = finder;
    this.#isViewable = context.api.settings.extendedApi;
  }

  /** Undefined if the platform does not show it, which does not mean that it never existed. */
  async now(): Promise<CommandRecord | undefined> {
    const found = this.#isViewable ? await this.#view() : undefined;
    if (found) return found;
    // An installation that cannot view a command may answer "not found". Only the history of this command is read from then on.
    this.#isViewable = false;
    return this.#finder.byId(this.#id, this.#createdAt);
  }

  async #view(): Promise<CommandRecord | undefined> {
    const operation = extendedOperations.viewCommand;
    const view = () => this.#context.api.call(operation, { path: { id: this.#id }, answer: viewed });
    const found = await attempt(this.#context, operation, () => view().catch(undefinedIfNotFound));
    return found?.result && sameId(found.result.id, this.#id) ? found.result : undefined;
  }
}
