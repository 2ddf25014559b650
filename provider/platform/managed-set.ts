import type { PlatformError } from "../api/errors";
import { type Context, PartialSuccess } from "../core/define";
import { changeSet, type Declared, foreseen, foreseeSet, type Recorded, type SetView, settled } from "./sets";

/** What a resource says about the set that it manages, or manages a part of. */
interface Management<T, Inputs, State, View, Outputs> {
  /** Of a resource that is being created. */
  readonly idOf: (context: Context, inputs: Inputs) => string | Promise<string>;
  /** The set, which must be there. `references`: what is looked for in it. */
  readonly look: (context: Context, inputs: Inputs, references: readonly T[], id?: string) => Promise<View>;
  readonly declaredBy: (inputs: Inputs) => Pick<Declared<T>, "wanted" | "isWhole" | "adopt">;
  /** `inputs`: of a change, where another version of what the state has is one to add. */
  readonly recordedIn: (state: State, inputs?: Inputs) => Recorded<T>;
  /** How the state records it: in the input that lists it, which the program has set unless a part was done, and in outputs. */
  readonly listedAs: (listed: readonly T[], inputs: Inputs) => Record<string, unknown>;
  readonly outputsOf: (recorded: Recorded<T>, id: string) => Outputs;
  /** Throws if the program contradicts itself, as the set tells. */
  readonly refuse?: (context: Context, set: View, declared: Declared<T>, inputs: Inputs) => void;
  /** Why nothing is changed where nothing shows what there is. */
  readonly blind?: (inputs: Inputs) => PlatformError | undefined;
}

/** How a resource that manages a set is created and changed, and what a preview says about that. */
export function managing<T, Inputs, State, View extends SetView<T>, Outputs extends Record<string, unknown>>(
  kind: Management<T, Inputs, State, View, Outputs>,
) {
  const plan = async (context: Context, id: string | undefined, inputs: Inputs, old?: State, redo?: boolean) => {
    const declared = { ...kind.declaredBy(inputs), before: old && kind.recordedIn(old, inputs), redo };
    const look = () => kind.look(context, inputs, [...declared.wanted, ...(declared.before?.listed ?? [])], id);
    // What another resource gives up, and is still there, will be gone in a moment.
    const set = await settled(context, declared.wanted, look);
    kind.refuse?.(context, set, declared, inputs);
    return { set, declared };
  };
  const refusalOf = ({ shown }: View, inputs: Inputs) => (shown ? undefined : kind.blind?.(inputs));
  const apply = async (context: Context, oldId: string | undefined, inputs: Inputs, old?: State, redo?: boolean) => {
    const { set, declared } = await plan(context, oldId, inputs, old, redo);
    const refusal = refusalOf(set, inputs);
    if (refusal) throw refusal;
    const { error, ...recorded } = await changeSet(context, set, declared);
    const id = oldId ?? (await kind.idOf(context, inputs));
    const outputs = kind.outputsOf(recorded, id);
    if (error) throw new PartialSuccess(id, { ...outputs, ...kind.listedAs(recorded.listed, inputs) }, error);
    return { id, outputs };
  };

  return {
    recordedIn: kind.recordedIn,

    async foresee(context: Context, inputs: Inputs, old?: State, id?: string): Promise<void> {
      const { set, declared } = await plan(context, id, inputs, old);
      const refusal = refusalOf(set, inputs);
      if (refusal) context.log.warn(`"pulumi up" will fail: ${refusal.message}`);
      else foreseeSet(context, set, declared);
    },

    /** The same for a report. */
    async foreseen(context: Context, inputs: Inputs, old?: State, id?: string) {
      const { set, declared } = await plan(context, id, inputs, old);
      return { set, declared, change: foreseen(context, set, declared) };
    },

    async create(context: Context, inputs: Inputs) {
      const { id, outputs } = await apply(context, undefined, inputs);
      return { id, ...outputs };
    },

    async update(context: Context, id: string, old: State, inputs: Inputs, { redo }: { readonly redo: boolean }) {
      return (await apply(context, id, inputs, old, redo)).outputs;
    },
  };
}
