import { PlatformError } from "../api/errors";
import { adviseOn, type CheckFailure, checkInputs } from "./check";
import { type AnyResource, type Context, PartialSuccess } from "./define";
import { type Difference, diffInputs, inputNames, sameInput } from "./diff";
import { type Existing, guarded, type Host, PartialFailure } from "./guard";
import { redactor, secretValues } from "./secrets";
import { knownOf } from "./unknowns";
import { type Properties, pick, withoutUndefined } from "./values";

/** The life of a resource, the same for every definition and for both adapters. */
export class Lifecycle {
  readonly definition: AnyResource;
  readonly #host: Host;

  constructor(definition: AnyResource, host: Host) {
    this.definition = definition;
    this.#host = host;
  }

  check(inputs: Properties): CheckFailure[] {
    const clean = withoutUndefined(inputs);
    const redact = redactor(...secretValues(this.definition, clean));
    const failures = checkInputs(this.definition, clean).map(({ property, reason }) => ({
      property,
      reason: redact(reason),
    }));
    if (failures.length === 0) for (const advice of adviseOn(this.definition, clean)) this.#warn(redact(advice));
    return failures;
  }

  diff(id: string, state: Properties, inputs: Properties): Difference {
    const difference = diffInputs(this.definition, state, inputs);
    const believed = difference.unseen.filter((name) => inputs[name] !== undefined);
    if (believed.length > 0)
      this.#warn(
        `it was imported, and the API does not show ${believed.join(", ")}: what the program says is taken as true, and nothing is sent. Run pulumi up once with what is really there, before you change it.`,
      );
    if (difference.changed.length > 0) {
      const known = knownOf(inputs);
      const change = {
        id,
        old: state,
        inputs: known,
        changed: difference.changed,
        replaces: difference.replaces.length > 0,
      };
      const redact = redactor(...secretValues(this.definition, state, inputs));
      for (const warning of this.definition.beforeChange?.(change) ?? []) this.#warn(redact(warning));
    }
    return difference;
  }

  /** For the preview of a create (`existing` is absent) or of an update: what it will do, as far as reading tells. */
  async foresee(existing: Existing | undefined, inputs: Properties): Promise<void> {
    const { foresee } = this.definition;
    if (!foresee) return;
    const known = knownOf(inputs);
    const change = { id: existing?.id, old: existing?.state, inputs: known };
    try {
      await this.#guard("preview", existing?.id ?? "", [existing?.state ?? {}, inputs], (context) =>
        foresee(context, change),
      );
    } catch (error) {
      this.#warn(`what this changes on the platform is not known before the apply: ${(error as Error).message}`);
    }
  }

  async create(inputs: Properties): Promise<Existing> {
    const given = withoutUndefined(inputs);
    return this.#guard("create", "", [given], async (context) => {
      try {
        const { id, ...outputs } = await this.definition.create(context, this.#parse(given));
        return { id, state: withoutUndefined({ ...given, ...outputs }) };
      } catch (error) {
        throw keepingPart(error, given);
      }
    });
  }

  /** Undefined when the platform clearly says that the resource is gone. */
  async read(id: string, state: Properties): Promise<Existing | undefined> {
    const { definition } = this;
    const importing = Object.keys(state).length === 0;
    return this.#guard("read", id, [state], async (context) => {
      const told: Properties = importing ? (definition.fromId?.(id) ?? {}) : state;
      if (!definition.read) return { id, state: told };
      const shown = await definition.read(context, id, told);
      if (!shown) return undefined;
      const { id: shownId, ...properties } = shown;
      return { id: shownId ?? id, state: withoutUndefined(this.#reconcile(told, properties, importing)) };
    });
  }

  async update(id: string, state: Properties, inputs: Properties): Promise<Existing> {
    const given = withoutUndefined(inputs);
    const outputs = pick(state, Object.keys(this.definition.outputs.shape));
    return this.#guard("update", id, [state, given], async (context) => {
      try {
        const changed = await this.definition.update?.(context, id, state, this.#parse(given));
        return { id, state: withoutUndefined({ ...outputs, ...given, ...changed }) };
      } catch (error) {
        throw keepingPart(error, { ...outputs, ...given });
      }
    });
  }

  async delete(id: string, state: Properties): Promise<void> {
    await this.#guard("delete", id, [state], async (context) => {
      await this.definition.delete?.(context, id, state);
      const kept = this.definition.kept?.(id, state);
      if (kept) this.#warn(redactor(...secretValues(this.definition, state))(kept));
    });
  }

  inputsOf(state: Properties): Properties {
    return pick(state, inputNames(this.definition));
  }

  #parse(given: Properties): Properties {
    const failures = checkInputs(this.definition, given);
    if (failures.length > 0) {
      throw new PlatformError(failures.map(({ property, reason }) => `${property} ${reason}`).join("; "), {
        code: "rejected",
      });
    }
    return this.definition.inputs.parse(given) as Properties;
  }

  /**
   * The state with what the platform shows laid over it. An input keeps the user's spelling where it means the same,
   * and one that the user never set stays unset: the platform's default is no drift.
   */
  #reconcile(state: Properties, shown: Properties, importing: boolean): Properties {
    const merged: Properties = { ...state };
    const inputs = new Set(inputNames(this.definition));
    for (const [name, value] of Object.entries(shown)) {
      if (inputs.has(name)) {
        if (!importing && state[name] === undefined) continue;
        if (sameInput(this.definition, name, state[name], value, state)) continue;
      }
      merged[name] = value;
    }
    return merged;
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
    const secrets = secretValues(this.definition, ...secretsIn);
    // What a create or an update made must be recorded, so that is awaited; the others can be begun anew.
    const recorded = verb === "create" || verb === "update";
    return guarded(this.#host, { name: type, failed, secrets }, (context) =>
      recorded ? work(context) : context.api.untilStopped(work(context)),
    );
  }
}

function keepingPart(error: unknown, state: Properties): unknown {
  if (!(error instanceof PartialSuccess)) return error;
  return new PartialFailure({ id: error.id, state: withoutUndefined({ ...state, ...error.outputs }) }, error.message);
}
