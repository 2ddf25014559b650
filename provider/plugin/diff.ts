import type { AnyResource } from "../core/define";
import type { Difference } from "../core/diff";
import { deepEqual, type Properties } from "../core/properties";
import { messages } from "./stubs";

type Kind = "ADD" | "DELETE" | "UPDATE";

/** A difference as the engine expects it: what changes, how, and whether it replaces the resource. */
export function differenceAnswer(
  definition: AnyResource,
  difference: Difference,
  state: Properties,
  inputs: Properties,
  oldInputs: Properties,
): InstanceType<typeof messages.DiffResponse> {
  const answer = changesAnswer(difference.changed, difference.replaces, state, inputs, oldInputs);
  if (difference.redo) answer.setChanges(messages.DiffResponse.DiffChanges.DIFF_SOME);
  answer.setDeletebeforereplace(difference.deleteBeforeReplace);
  if (difference.replaces.length === 0) {
    const outputs = Object.keys(definition.outputs.shape);
    answer.setStablesList(definition.update ? [...(definition.settledOutputs ?? [])] : outputs);
  }
  return answer;
}

export function changesAnswer(
  changed: readonly string[],
  replaces: readonly string[],
  before: Properties,
  after: Properties,
  oldInputs: Properties = before,
): InstanceType<typeof messages.DiffResponse> {
  const { DiffChanges } = messages.DiffResponse;
  const answer = new messages.DiffResponse()
    .setChanges(changed.length > 0 ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE)
    .setDiffsList([...changed])
    .setReplacesList([...replaces])
    .setHasdetaileddiff(true);
  for (const name of changed) {
    const kind: Kind = before[name] === undefined ? "ADD" : after[name] === undefined ? "DELETE" : "UPDATE";
    const detail = messages.PropertyDiff.Kind[replaces.includes(name) ? (`${kind}_REPLACE` as const) : kind];
    // Else the engine would show the inputs, which are the same: what the platform shows differs.
    const isOfInputs = !deepEqual(oldInputs[name], after[name]);
    answer.getDetaileddiffMap().set(name, new messages.PropertyDiff().setKind(detail).setInputdiff(isOfInputs));
  }
  return answer;
}
