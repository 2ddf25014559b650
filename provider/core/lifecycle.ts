import { isPlatformError } from "../api/errors";
import { enumerate } from "../values/enumerate";
import { foreseeAccount, mayBeElsewhere, requireAccount, requireOneOf, showsAccount, withAccount } from "./account";
import {
  adviseOn,
  type CheckFailure,
  type CheckRequest,
  ownInputsFor,
  ownInputsIn,
  parsed,
  withoutFailed,
  withoutOwnInputs,
  withoutValue,
} from "./check";
import { type AnyResource, CannotChange, type Context, PartialSuccess } from "./define";
import {
  changedInputs,
  type Difference,
  diffInputs,
  inputNames,
  knownState,
  reconcile,
  unseenAfterImport,
} from "./diff";
import { knownOf } from "./engine-values";
import { failuresWithoutExtendedApi, withExtendedApi, withoutExtendedApi } from "./extended";
import { orKept, withPlace } from "./gone";
import { briefly, type Existing, guarded, type Host, PartialFailure, withoutVerb } from "./guard";
import { refuseSecondHolder } from "./holders";
import { failuresOf, inNewNames, isClash, keysOf, leavingOf, noteAccount, own, takeOver } from "./keys";
import { adviseAlias, warnOfReplacement } from "./limits";
import { type Properties, pick, withoutUndefined } from "./properties";
import { redactor } from "./redact";
import { mustRedo, withRemoved } from "./removed";
import { idWithout, outputsDerivedFrom, type PropertyPath, pathsOf, secretsOf, secretValues } from "./secrets";
import { inDeclaredForm } from "./spelling";
import { bookkeepingOf, withoutBookkeeping } from "./state";

/** A resource, and what of it changes. */
type Compared = Pick<Existing, "id" | "state"> & { readonly difference: Difference };

/** The life of a resource, the same for every definition and for both adapters. */
export class Lifecycle {
  /** As it is with the extended API, if that is on. */
  readonly definition: AnyResource;
  readonly #host: Host;
  /** Inputs that the program marked as secrets. */
  readonly #marked: readonly PropertyPath[];
  readonly #isExtended: boolean;
  readonly #plain: AnyResource;

  constructor(definition: AnyResource, host: Host, marked: readonly PropertyPath[] = []) {
    this.#isExtended = host.extendedApi?.() ?? false;
    this.#plain = definition;
    this.definition = this.#isExtended ? withExtendedApi(definition) : definition;
    this.#host = host;
    this.#marked = marked;
  }

  /** What is wrong with the inputs, and the inputs with those that the provider fills in. */
  check(inputs: Properties, request: CheckRequest = {}): { inputs: Properties; failures: CheckFailure[] } {
    const { definition } = this;
    const given = withoutOwnInputs(definition, withoutUndefined(inputs));
    const failures = failuresOf(definition, given, request, this.#host.declarations);
    if (!this.#isExtended) failures.push(...failuresWithoutExtendedApi(definition, withoutFailed(given, failures)));
    const hidden = secretValues(this.#secrets, given);
    for (const secret of hidden) this.#host.declarations?.secrets.add(secret);
    const redact = redactor(...hidden);
    // Said when it is new: nobody reads what every run repeats. The policy pack is for what must not stay.
    const isNew = () => !request.old || changedInputs(definition, request.old, given).length > 0;
    const advice = failures.length === 0 && isNew() ? adviseOn(definition, given, this.#marked) : [];
    for (const one of advice) this.#warn(redact(one));
    return {
      inputs: { ...(inDeclaredForm(definition.inputs, inputs) as Properties), ...ownInputsFor(definition, request) },
      failures: failures.map((failure) => withoutValue(failure, this.#secrets, given, redact)),
    };
  }

  diff(state: Properties, inputs: Properties): Difference {
    const { declarations } = this.#host;
    const difference = withRemoved(this.definition, inputs, diffInputs(this.definition, state, inputs), declarations);
    own(this.definition, state, declarations);
    const assumed = difference.unseen.filter((name) => inputs[name] !== undefined);
    if (assumed.length > 0 && !this.#isRefresh)
      this.#warn(
        `imported, but the API does not show ${assumed.join(", ")}: the values in the program are assumed to be correct, and nothing is sent. Change them in a later pulumi up.`,
      );
    return difference;
  }

  /** What a change does, and what it does that the program does not say, as far as reading tells. */
  async plan(id: string, state: Properties, inputs: Properties): Promise<Difference> {
    const definition = { ...this.definition, replaceOn: await this.#replaceOn(id, state, inputs) };
    const life = new Lifecycle(definition, this.#host, this.#marked);
    if (!this.#isRefresh) refuseSecondHolder(this.definition, { id, state }, inputs, this.#host.declarations);
    const difference = life.diff(state, inputs);
    if (!this.#isRefresh) await life.foresee({ id, state, difference }, inputs);
    this.#host.declarations?.answered();
    return difference;
  }

  /**
   * Previews a create (`existing` is absent) or an update, as far as reading tells. Also called before a replacement,
   * whose create would not notice that the old resource belongs to another account, and where nothing changes: with the
   * token of another account, which a resource gets with another provider too, the next refresh or destroy would fail.
   */
  async foresee(existing: Compared | undefined, inputs: Properties): Promise<void> {
    const { id, state, difference } = existing ?? {};
    const { changed = [], replaces = [] } = difference ?? {};
    const foresee = existing && changed.length === 0 ? undefined : this.definition.foresee;
    const accounts = this.#host.declarations?.accounts;
    if (!existing) adviseAlias(this.definition, this.#host.log);
    if (!foresee && !existing && !accounts?.size) return;
    const change = { id, old: state, inputs: knownOf(inputs), changed, replaces: replaces.length > 0 };
    try {
      await this.#guard("preview", id ?? "", [state ?? {}, inputs], async (context) => {
        await foreseeAccount(this.definition, context, state, accounts);
        if (id !== undefined && state && change.replaces)
          warnOfReplacement(this.definition, context, { id, state, changed });
        if (foresee) await briefly(context, async (brief) => foresee(brief, change));
      });
    } catch (error) {
      if (isPlatformError(error, "wrong-account") || isClash(error)) throw error;
      if (!foresee) return;
      this.#warn(`cannot preview what this changes on the platform: ${withoutVerb(error)}`);
    }
  }

  async create(inputs: Properties): Promise<Existing> {
    const given = withoutUndefined(inputs);
    return this.#guard("create", "", [given], async (context) => {
      await requireOneOf(this.#host.declarations?.accounts, context);
      await takeOver(this.definition, context, given, this.#host.declarations);
      try {
        const ownInputs = ownInputsIn(this.definition, given);
        const { id, ...outputs } = await this.definition.create(context, parsed(this.definition, given), ownInputs);
        return this.#existing(id, given, await withAccount(this.definition, context, outputs));
      } catch (error) {
        throw await this.#keepingPart(context, error, given);
      }
    });
  }

  /** Undefined when the platform clearly says that the resource is gone. */
  async read(id: string, recorded: Properties): Promise<Existing | undefined> {
    const { definition } = this;
    const state = withoutBookkeeping(recorded);
    const importing = Object.keys(state).length === 0;
    if (!importing) own(this.definition, state, this.#host.declarations);
    return this.#guard("read", id, [state], async (context) => {
      if (this.#isMissing && importing) throw withoutExtendedApi(definition.type);
      if (this.#isMissing) {
        context.log.warn(`${withoutExtendedApi(definition.type).message}; its state is kept`);
        return { id, state: recorded };
      }
      const known: Properties = importing ? (definition.importId.tells?.(id) ?? {}) : state;
      await requireAccount(this.definition, context, importing ? known : recorded, "idToRead");
      const look = async () => (definition.read ? definition.read(context, id, known) : {});
      const visible = await (importing ? look() : orKept(context, id, look));
      if (!visible) return (await mayBeElsewhere(context, id, recorded)) ? { id, state: recorded } : undefined;
      const { id: visibleId, ...properties } = withoutUndefined(visible) as Properties & { id?: string };
      const merged = reconcile(definition, known, properties, importing);
      if (!importing) return this.#existing(visibleId ?? id, {}, { ...bookkeepingOf(recorded), ...merged });
      await takeOver(this.definition, context, merged, this.#host.declarations);
      // If a resource does not show its account, the token that imports it says nothing about who created it.
      const imported = showsAccount(definition) ? await withAccount(this.definition, context, merged) : merged;
      const unseen = unseenAfterImport(definition, merged, properties);
      return this.#existing(visibleId ?? id, {}, { ...imported, ...(unseen.length > 0 && { __unseen: unseen }) });
    });
  }

  async update(id: string, recorded: Properties, inputs: Properties): Promise<Existing> {
    const given = withoutUndefined(inputs);
    const outputs = pick(recorded, Object.keys(this.definition.outputs.shape));
    const creator = pick(recorded, ["__account"]);
    return this.#guard("update", id, [recorded, given], async (context) => {
      await requireAccount(this.definition, context, recorded);
      const redo = mustRedo(this.definition, given, recorded, this.#host.declarations);
      await takeOver(this.definition, context, given, this.#host.declarations);
      try {
        const changed = await this.#change(context, id, recorded, given, redo);
        const known = { ...outputs, ...withoutUndefined(changed), ...creator };
        return this.#existing(id, given, await withAccount(this.definition, context, known));
      } catch (error) {
        if (error instanceof CannotChange)
          throw new PartialFailure({ id, state: { ...recorded, __fixed: true } }, error.message);
        throw await this.#keepingPart(context, error, { ...outputs, ...given, ...creator });
      }
    });
  }

  async delete(id: string, recorded: Properties): Promise<void> {
    await this.#guard("delete", id, [recorded], async (context) => {
      await requireAccount(this.definition, context, recorded);
      noteAccount(recorded, this.#host.declarations);
      const state = inNewNames(this.definition, recorded, this.#host.declarations);
      const keys = keysOf(this.definition, state);
      const leaving = leavingOf(this.definition, state, context);
      if (keys.length > 0 && !keys.some((key) => leaving.includes(key))) {
        const kept = keys.map((key) => `${key} (${context.run.keeperOf(key)})`);
        context.log.info(`left on the platform because this run declares it elsewhere: ${enumerate(kept, 10)}`);
        const lost = keys.some((key) => context.run.isInherited(key)) ? "" : this.definition.keys?.lostWith?.(state);
        if (lost) context.log.warn(lost);
        return;
      }
      const kept = this.definition.limits.kept?.(id, state);
      if (kept) return context.log.warn(kept);
      await context.run.removing(leaving, async () => this.definition.delete?.(context, id, state));
    });
  }

  inputsOf(state: Properties): Properties {
    return pick(state, [...inputNames(this.definition), ...Object.keys(this.definition.job?.ownInputs ?? {})]);
  }

  /** After a read, a refresh also asks for the difference, to show what it found. It changes nothing on the platform. */
  get #isRefresh(): boolean {
    return this.#host.declarations?.hasProgram === false;
  }

  /** Whether there is no such resource, because the extended API is off. */
  get #isMissing(): boolean {
    return !this.#isExtended && this.definition.extended?.required === true;
  }

  get #secrets(): PropertyPath[] {
    return [...pathsOf(secretsOf(this.definition)), ...this.#marked];
  }

  /** What replaces it this time. Reading tells, where it must, and only when something of that changes. */
  async #replaceOn(id: string, recorded: Properties, inputs: Properties): Promise<readonly string[]> {
    const { canChange, replaceOn } = this.definition;
    if (!canChange || diffInputs(this.#plain, recorded, inputs).replaces.length === 0) return replaceOn;
    if (bookkeepingOf(recorded).__fixed) return this.#plain.replaceOn;
    const ask = (context: Context) => canChange(context, id, withoutBookkeeping(recorded), knownOf(inputs));
    const inPlace = this.#plain.canChange ? [] : replaceOn;
    try {
      return (await this.#guard("preview", id, [recorded, inputs], ask)) ? inPlace : this.#plain.replaceOn;
    } catch (error) {
      // As everywhere in a preview. The update itself finds out, and fails before anything is sent if it cannot.
      if (isPlatformError(error, "wrong-account", "cancelled")) throw error;
      this.#warn(`cannot tell whether this is changed in place or replaced: ${withoutVerb(error)}`);
      return inPlace;
    }
  }

  async #change(context: Context, id: string, recorded: Properties, given: Properties, redo: boolean) {
    const { update, create } = this.definition;
    const inputs = parsed(this.definition, given);
    // What an import did not read is assumed to be as in the program.
    const state = inNewNames(this.definition, knownState(this.definition, inputs, recorded), this.#host.declarations);
    if (update) return update(context, id, state, inputs, { redo });
    if (!redo) return {};
    const { id: _, ...outputs } = await create(context, inputs, ownInputsIn(this.definition, given));
    return outputs;
  }

  #existing(id: string, given: Properties, outputs: Properties): Existing {
    const declared = inDeclaredForm(this.definition.inputs, given) as Properties;
    const state = withoutUndefined({ ...declared, ...outputs });
    noteAccount(state, this.#host.declarations);
    const marked = secretValues(this.#marked, state);
    const asAWhole = new Set(this.#marked.flatMap(([name, ...rest]) => (rest.length === 0 ? [name] : [])));
    const others = Object.fromEntries(Object.entries(state).filter(([name]) => !asAWhole.has(name)));
    const secretOutputs = outputsDerivedFrom(marked, others);
    return { id: idWithout(marked, id), state, ...(secretOutputs.length > 0 && { secretOutputs }) };
  }

  async #keepingPart(context: Context, error: unknown, state: Properties): Promise<unknown> {
    if (!(error instanceof PartialSuccess)) return withPlace(this.definition, error);
    const known = error.isOpen ? { ...error.outputs, __open: true } : error.outputs;
    const outputs = await withAccount(this.definition, context, known);
    return new PartialFailure(this.#existing(error.id, state, outputs), error.message, error.cause);
  }

  #warn(message: string): void {
    this.#host.log.warn(`${this.definition.type}: ${message}`);
  }

  #guard<T>(
    verb: string,
    id: string,
    secretsIn: readonly Properties[],
    work: (context: Context) => Promise<T>,
  ): Promise<T> {
    const { type } = this.definition;
    const failed = `cannot ${verb} ${[type, id].filter(Boolean).join(" ")}`;
    // What was written must be recorded, so it is awaited; other operations can be restarted.
    const isRecorded = verb === "create" || verb === "update" || verb === "delete";
    const mayBeOld = verb === "read" || verb === "delete";
    const about = { name: type, failed, secrets: secretValues(this.#secrets, ...secretsIn), mayBeOld };
    return guarded(this.#host, about, async (given) => {
      if (this.#isMissing && verb !== "read") throw withoutExtendedApi(type);
      const context = verb === "delete" ? { ...given, api: given.api.lingering() } : given;
      return isRecorded ? work(context) : context.api.untilStopped(work(context));
    });
  }
}
