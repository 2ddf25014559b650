import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { isPlatformError, leavesOutcomeOpen, PlatformError, withNote } from "../api/errors";
import { accountIdOutput, type Context, keepIfOpen, PartialSuccess } from "../core/define";
import { foreseeConflict } from "../core/keys";
import { deepEqual } from "../core/properties";
import { isRespelled } from "../core/spelling";
import { afterRename, importAdvice } from "../core/urn";
import { shownText } from "../values/fields";
import { type Id, isNumeric, outputId, recordId, sameId, shownId } from "../values/id";
import { Collection, type CollectionOptions } from "./collection";
import { cannotDo, required } from "./lacking";
import { type Listing, lookUntil, maxLooks } from "./listing";
import { inTwoSteps, isGivenUp, refuseIfTaken } from "./names";

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

/** What a thing is beside its name. */
interface Fields<R, Inputs> {
  /** As the API takes it. What the program does not set is what that means, such as an empty list. */
  readonly fieldsOf: (given: Inputs) => Readonly<Record<string, unknown>>;
  /** The inputs that a record shows. `known`: what the program says, whose spelling stays if it means the same. */
  readonly shownIn: (record: R, known: Partial<Inputs>) => { readonly [K in keyof Inputs]?: Inputs[K] | undefined };
}

/** What things like roles and groups have in common: a unique name, an input `adopt`, an id that may stay unknown for a while, and a source. */
export class NamedCollection<R extends NamedRecord> extends Collection<R, Naming<R>> {
  /** The members of a definition that everything with a unique name has. */
  members(example: string) {
    return {
      extended: { required: true as const },
      outputs: z.object({
        source: z.string().optional().describe(`Who made the ${this.noun}, if the platform shows it.`),
        accountId: accountIdOutput,
      }),
      importId: { format: `the ${this.noun}'s id, or its name`, example },
      replaceOn: [],
      keys: {
        property: "name" as const,
        of: ({ name }: Partial<Wanted>) => (name === undefined ? [] : [this.keyOf(name)]),
      },
      settledOutputs: ["source" as const, "accountId" as const],
      rules: ({ name }: { readonly name?: string }, report: (property: "name", reason: string) => void) => {
        if (name === undefined) return;
        if (isNumeric(name))
          report("name", `is "${name}", which the API reads as an id; use a name with a letter in it`);
        if (this.options.systemNames?.includes(name))
          report("name", `is "${name}", a system ${this.noun}, which cannot be changed`);
      },
      foresee: this.foresee,
      // Without those of the system, which no program can declare.
      list: (context: Context) => this.importable(context, this.options.isSystem),
      delete: this.remove,
    };
  }

  /** The same, with how one lives that has fields and nothing else. */
  life<Inputs extends Wanted>(example: string, { fieldsOf, shownIn }: Fields<R, Inputs>) {
    const bodyOf = (given: Inputs): Record<string, unknown> => ({ name: given.name, ...fieldsOf(given) });
    const make = (context: Context, given: Inputs) => this.create(context, given.name, bodyOf(given));
    const change = (context: Context, id: string, name: string, body: object) =>
      keepIfOpen(id, {}, () => this.change(context, id, name, body));
    return {
      ...this.members(example),

      create: async (context: Context, given: Inputs) => {
        const existing = await this.existing(context, given);
        if (!existing) {
          const made = await make(context, given);
          return { id: String(made?.id ?? given.name), ...this.outputsOf(made) };
        }
        const id = String(existing.id);
        const shown = Object.entries(shownIn(existing, given));
        const isAsGiven = shown.every(([name, value]) => deepEqual(value, given[name as keyof Inputs]));
        if (!isAsGiven) await change(context, id, given.name, fieldsOf(given));
        return { id, ...this.outputsOf(existing) };
      },

      read: async (context: Context, id: string, known: Partial<Inputs>) => {
        const found = await this.lookByState(context, id, known.name);
        if (found === "gone") return undefined;
        if (found === "unknown") return {};
        const name = found.name || undefined;
        return { id: String(found.id), name, ...shownIn(found, known), ...this.outputsOf(found) };
      },

      update: async (
        context: Context,
        id: string,
        old: Inputs,
        given: Inputs,
        { redo }: { readonly redo: boolean },
      ) => {
        const target = await this.currentId(context, id, old.name);
        if (target === undefined) {
          if (!redo || isNumeric(id)) throw this.noLongerThere(old.name);
          // Its creation had an open outcome, and nothing came of it.
          return this.outputsOf(await make(context, given));
        }
        const before = bodyOf(old);
        const changes = Object.entries(bodyOf(given)).filter(
          ([name, value]) => redo || !deepEqual(value, before[name]),
        );
        if (changes.length > 0) await change(context, target, given.name, Object.fromEntries(changes));
        this.noteName(context, old.name, given.name);
        return {};
      },
    };
  }

  /** What knows it by its old name, and comes later in the run, asks for the new one. */
  noteName({ run }: Context, old: string, name: string): void {
    const [from, to] = [this.keyOf(old), this.keyOf(name)];
    if (from !== to) run.move(from, to, name);
  }

  /** By its id, else by its name. */
  override find(listing: Listing<R>, idOrName: Id): R | undefined {
    const isIt = ({ id, name }: R) => sameId(id, idOrName) || (name ?? "") === String(idOrName);
    return listing.records.find(({ id }) => sameId(id, idOrName)) ?? listing.find(isIt);
  }

  override async look(context: Context, idOrName: Id): Promise<R | "gone" | "unknown"> {
    // Only an id can be viewed.
    return isNumeric(idOrName) ? super.look(context, idOrName) : this.lookInList(context, idOrName);
  }

  /**
   * An empty list proves nothing where every account has some, such as those of the system; and a record that shows no
   * name, or another spelling of it, may be the one that is looked for by its name.
   */
  async lookInList(context: Context, idOrName: Id): Promise<R | "gone" | "unknown"> {
    const listing = await this.listed(context);
    const found = listing && this.find(listing, idOrName);
    if (found) return found;
    const mayBeIt = ({ name }: R) =>
      !isNumeric(idOrName) && (!name || isRespelled(String(idOrName), name, { ignoreCase: true }));
    const mayBeEmpty = this.options.systemNames === undefined;
    const provesIt = listing && (mayBeEmpty || listing.records.length > 0) && !listing.records.some(mayBeIt);
    return provesIt ? "gone" : "unknown";
  }

  /** The id, as far as the platform tells it; else the name. Undefined if there is no such thing. */
  async currentId(context: Context, id: string, name: string): Promise<string | undefined> {
    if (isNumeric(id)) return id;
    const found = await this.look(context, name);
    if (found === "gone") return undefined;
    return found === "unknown" ? name : String(found.id);
  }

  /** By its id, or by its name while the id is unknown and on import. */
  async lookByState(context: Context, id: string, name: string | undefined): Promise<R | "gone" | "unknown"> {
    const found = await this.look(context, isNumeric(id) ? id : (name ?? id));
    if (typeof found !== "string") this.#refuseSystem(found);
    return found;
  }

  /** The one that has this name already, if the program may take it over. */
  async existing(context: Context, { name, adopt }: Wanted, isPreview = false) {
    const key = this.keyOf(name);
    const named = async () => (await this.listed(context))?.find((one) => one.name === name);
    const found = await named();
    if (!found) return undefined;
    this.#refuseSystem(found);
    if (!isPreview && (await isGivenUp(context, key, async () => !!(await named())))) return undefined;
    const isOurs = adopt || context.run.isOwned(key);
    if (isOurs && !isPreview) context.run.takenOver.add(`${this.noun} ${found.id}`);
    if (isOurs) return found;
    throw new PlatformError(
      `${this.noun} ${name} already exists (id ${found.id}). ${afterRename} To take over the ${this.noun}, set adopt: true, or ${importAdvice(this.options.type, found.id)}`,
      { code: "conflict" },
    );
  }

  /** At preview: the same, for one that is to be created. */
  readonly foresee = async (context: Context, change: { old: object | undefined; inputs: Partial<Wanted> }) => {
    const { name, adopt } = change.inputs;
    if (change.old || name === undefined) return;
    await foreseeConflict(context, () => this.existing(context, { name, adopt }, true));
    if (!(await this.listed(context)))
      context.log.warn(
        `"pulumi up" will probably fail: an installation that cannot list ${this.noun}s can hardly create ${this.noun} ${name} (the emulator can, with --extended)`,
      );
  };

  /**
   * Creates one that the list did not show before. If the response is lost, or shows no record, the list tells its id,
   * which may show it with a delay. Undefined if it does not show it. An open outcome is kept under the name, so that it is
   * neither lost nor created twice. `unset`: what the state must not claim.
   */
  async create(context: Context, name: string, body: object, unset: object = {}): Promise<R | undefined> {
    const { api, run } = context;
    const { create } = this.operations;
    const list = this.of(api);
    const before = await this.listed(context, "recent");
    /** The platform may keep it in another spelling, such as small letters: then it is the new one that nobody else declares. */
    const isRespelledNew = (one: R) =>
      isRespelled(name, one.name, { ignoreCase: true }) &&
      before?.records.every(({ id }) => !sameId(id, one.id)) === true &&
      run.declarerOf(this.keyOf(one.name!)) === undefined;
    const lookUp = async () => {
      const listing = await list.again();
      return listing.records.find((one) => one.name === name) ?? listing.find(isRespelledNew);
    };
    try {
      const answer = await list.writing(() =>
        required(create, () => api.callOnce(create, { body, answer: anyAnswer, looks: maxLooks, lookUp })),
      );
      const { data } = this.answer.safeParse(answer);
      // It exists, and its name identifies it too, so a list that cannot be read does no harm.
      const made = data ?? (await lookUntil(api, lookUp, (found) => found !== undefined).catch(() => undefined));
      if (made) this.noteWritten(api, made.id, { ...made, name: made.name ?? name });
      return made;
    } catch (error) {
      if (leavesOutcomeOpen(error))
        throw new PartialSuccess(
          name,
          { ...unset },
          withNote(error, 'It may exist: run "pulumi up" again to find or create it'),
        );
      if (!isPlatformError(error, "conflict")) throw error;
      throw withNote(
        error,
        `If a ${this.noun} ${name} exists, ${importAdvice(this.options.type, JSON.stringify(name))}`,
      );
    }
  }

  /** For a change that must be carried out. Fields that are absent stay as they are. */
  async change(context: Context, id: Id, name: string, body: { name?: unknown }, done = "changed"): Promise<void> {
    if (body.name !== undefined) refuseIfTaken(context, `${this.noun} ${id}`);
    const isOther = (one: R) => one.name === body.name && !sameId(one.id, id);
    const other = async () => (body.name ? (await this.listed(context))?.records.find(isOther) : undefined);
    const updated = await this.update(context, id, body).catch((error) => inTwoSteps(error, this.noun, other));
    if (updated === "gone") throw this.noLongerThere(name);
    if (updated === "lacking")
      throw cannotDo(this.operations.update, `${this.noun} ${name} (id ${id}) was not ${done}`);
  }

  override noLongerThere(name: Id): PlatformError {
    return super.noLongerThere(name, this.options.lostToo);
  }

  readonly remove = async (context: Context, id: string, { name }: { readonly name: string }): Promise<void> => {
    const keeper = context.run.keeperOf(this.keyOf(name));
    if (keeper) return context.log.info(`${this.noun} ${name} is left, because ${keeper} declares it`);
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
    if (!this.options.isSystem?.(record)) return;
    throw new PlatformError(
      `${this.noun} ${record.name ?? record.id} is a system ${this.noun}, which cannot be changed or deleted${this.options.instead ?? ""}`,
      { code: "rejected" },
    );
  }
}
