import { z } from "zod";
import { isPlatformError, leavesOutcomeOpen, PlatformError } from "../api/errors";
import { type Context, PartialSuccess } from "../core/define";
import { cannotDo } from "../core/extended";
import { foreseeConflict } from "../core/keys";
import { afterRename, importAdvice } from "../core/urn";
import { shownText } from "../values/fields";
import { type Id, outputId, recordId, shownId } from "../values/id";
import { Collection, type CollectionOptions } from "./collection";
import { isNumeric } from "./references";

/** A role or a group, in a list or in the response to a request. Only the id is required. */
export const namedRecord = z.object({
  id: recordId,
  name: shownText,
  source: shownText,
  account_id: shownId,
});
type NamedRecord = z.output<typeof namedRecord>;

/** What tells those of the system. */
export type Origin = Partial<Pick<NamedRecord, "source" | "name">>;

interface Naming<R> extends CollectionOptions<R> {
  readonly type: string;
  /** Those that are in every account, and cannot be changed. Default: none. */
  readonly systemNames?: readonly string[];
  readonly isSystem?: (record: Origin) => boolean;
  /** What to do instead of changing one of the system. */
  readonly instead?: string;
  /** What else is lost with one. */
  readonly lostToo?: string;
}

interface Wanted {
  readonly name: string;
  readonly adopt?: boolean | undefined;
}
interface ForeseenChange {
  readonly old: object | undefined;
  readonly inputs: Partial<Wanted>;
}

/** What things like roles and groups have in common: a unique name, an input `adopt`, an id that may stay unknown for a while, and a source. */
export class NamedCollection<R extends NamedRecord> extends Collection<R> {
  readonly #naming: Naming<R>;

  constructor(naming: Naming<R>) {
    super({ ...naming, hasUniqueNames: true });
    this.#naming = naming;
  }

  readonly rules = ({ name }: { readonly name?: string }, report: (property: "name", reason: string) => void) => {
    if (name === undefined) return;
    if (isNumeric(name)) report("name", `is "${name}", which the API reads as an id; use a name with a letter in it`);
    if (this.#naming.systemNames?.includes(name))
      report("name", `is "${name}", a system ${this.noun}, which cannot be changed`);
  };

  /** Without those of the system, which no program can declare. */
  readonly list = ({ api }: Context) => this.importable(api, this.#naming.isSystem);

  /** What identifies one: its id, or its name while the id is unknown and on import. */
  targetOf(id: string, name: string | undefined): string {
    return isNumeric(id) ? id : (name ?? id);
  }

  /** The id, as far as the platform tells it; else the name. Undefined if there is no such thing. */
  async currentId(context: Context, id: string, name: string): Promise<string | undefined> {
    if (isNumeric(id)) return id;
    const found = await this.look(context, name);
    if (found === "gone") return undefined;
    return found === "unknown" ? name : String(found.id);
  }

  /** By its id, else by the name. */
  async lookByState(context: Context, id: string, name: string | undefined): Promise<R | "gone" | "unknown"> {
    const found = await this.look(context, this.targetOf(id, name));
    if (typeof found !== "string") this.#refuseSystem(found);
    return found;
  }

  /** The one that has this name already, if the program may take it over. */
  async existing(context: Context, { name, adopt }: Wanted) {
    const found = (await this.listed(context))?.find((one) => one.name === name);
    if (!found) return undefined;
    this.#refuseSystem(found);
    if (adopt || context.run.isOwned(this.keyOf(name))) return found;
    throw new PlatformError(
      `${this.noun} ${name} already exists (id ${found.id}). ${afterRename} To take over the ${this.noun}, set adopt: true, or ${importAdvice(this.#naming.type, found.id)}`,
      { code: "conflict" },
    );
  }

  /** At preview: the same, for one that is to be created. */
  readonly foresee = async (context: Context, { old, inputs: { name, adopt } }: ForeseenChange): Promise<void> => {
    if (old || name === undefined) return;
    await foreseeConflict(context, () => this.existing(context, { name, adopt }));
    if (!(await this.listed(context)))
      context.log.warn(
        `"pulumi up" will probably fail: an installation that cannot list ${this.noun}s can hardly create ${this.noun} ${name} (the emulator can, with --extended)`,
      );
  };

  /** An open outcome is kept under the name, so that it is neither lost nor created twice. `unset`: what the state must not claim. */
  override async create(context: Context, name: string, body: object, unset: object = {}): Promise<R | undefined> {
    try {
      return await super.create(context, name, body);
    } catch (error) {
      if (leavesOutcomeOpen(error))
        throw new PartialSuccess(
          name,
          { ...unset },
          error.with(`${error.message}. It may exist: run "pulumi up" again to find or create it`),
        );
      if (!isPlatformError(error, "conflict")) throw error;
      throw error.with(
        `${error.message}. If a ${this.noun} ${name} exists, ${importAdvice(this.#naming.type, JSON.stringify(name))}`,
      );
    }
  }

  /** For a change that must be carried out. Fields that are absent stay as they are. */
  async change(context: Context, id: Id, name: string, body: object, done = "changed"): Promise<void> {
    const updated = await this.update(context, id, body);
    if (updated === "gone") throw this.noLongerThere(name);
    if (updated === "lacking")
      throw cannotDo(this.operations.update, `${this.noun} ${name} (id ${id}) was not ${done}`);
  }

  override noLongerThere(name: Id): PlatformError {
    return super.noLongerThere(name, this.#naming.lostToo);
  }

  readonly remove = async (context: Context, id: string, { name }: { readonly name: string }): Promise<void> => {
    const target = await this.currentId(context, id, name);
    if (target !== undefined && (await this.delete(context, target)) === "lacking")
      context.log.warn(
        `${this.noun} ${name} (id ${id}) stays on the platform: this installation cannot delete a ${this.noun}. Delete it in the platform's user interface if it is no longer needed.`,
      );
  };

  keyOf(name: string): string {
    return `${this.noun} ${name}`;
  }

  outputsOf({ source, account_id }: Partial<NamedRecord> = {}) {
    return { source: source || undefined, accountId: outputId(account_id) };
  }

  #refuseSystem(record: R): void {
    if (!this.#naming.isSystem?.(record)) return;
    throw new PlatformError(
      `${this.noun} ${record.name ?? record.id} is a system ${this.noun}, which cannot be changed or deleted${this.#naming.instead ?? ""}`,
      { code: "rejected" },
    );
  }
}
