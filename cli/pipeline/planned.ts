import { z } from "zod";
import { signatureKey, signatures } from "../../provider/core/engine-values";
import { urnOfReference, urnParts } from "../../provider/core/urn";
import { Refused } from "./refused";
import type { StateResource } from "./state";

type Values = Readonly<Record<string, unknown>>;

const values = z.record(z.string(), z.unknown());
const diff = z.strictObject({ adds: values, updates: values, deletes: z.array(z.string()) }).partial();
/** What nobody here looks at: the engine compares it with what the program does. */
const ofTheEngine = z.unknown();

/**
 * What `pulumi preview --save-plan` writes, field by field. The engine reads a field in any case of its letters, so one
 * that is spelled otherwise, or is unknown here, could say something else than what is judged.
 */
const resourcePlan = z.strictObject({
  goal: z
    .strictObject({
      type: z.string(),
      name: ofTheEngine,
      custom: z.boolean(),
      inputDiff: diff,
      outputDiff: ofTheEngine,
      parent: ofTheEngine,
      protect: z.boolean(),
      dependencies: ofTheEngine,
      provider: z.string(),
      propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()),
      deleteBeforeReplace: ofTheEngine,
      ignoreChanges: ofTheEngine,
      additionalSecretOutputs: ofTheEngine,
      aliases: ofTheEngine,
      structuredAliases: ofTheEngine,
      id: ofTheEngine,
      customTimeouts: ofTheEngine,
    })
    .partial()
    .nullish(),
  steps: z.array(z.string()).nullish(),
  state: ofTheEngine.optional(),
  seed: ofTheEngine.optional(),
});
type ResourcePlan = z.output<typeof resourcePlan>;

const wholePlan = z.strictObject({
  manifest: ofTheEngine.optional(),
  config: ofTheEngine.optional(),
  resourcePlans: z.record(z.string(), resourcePlan),
});

/** A resource as the plan allows it to become. */
export interface Planned {
  readonly urn: string;
  readonly type: string;
  readonly isCustom: boolean;
  /** What is done with it: `create`, `update`, `replace`, `delete`, `same`, or another word of the engine. */
  readonly op: string;
  readonly steps: readonly string[];
  readonly before: Values;
  /** Undefined if it is removed. */
  readonly after: Values | undefined;
  /** Outputs of the state, if it is kept. */
  readonly outputs: Values;
  readonly isProtected: boolean;
  readonly provider: string | undefined;
  readonly dependencies: Readonly<Record<string, readonly string[] | null>>;
}

export function planIn(text: string): z.output<typeof wholePlan> {
  try {
    return wholePlan.parse(JSON.parse(text));
  } catch {
    // The parser's message quotes the text.
    throw new Refused(["not verifiable: the plan is not one that the versions of Pulumi known here write"]);
  }
}

/**
 * The resources after the plan, worked out from the plan and the state: `pulumi up --plan` allows these inputs and steps
 * and no others, whatever the program that made the plan printed.
 */
export function plannedResources(
  plans: Readonly<Record<string, ResourcePlan>>,
  resources: readonly StateResource[],
): Planned[] {
  const known = new Map<string, StateResource>();
  for (const resource of resources) if (resource["delete"] !== true) known.set(resource.urn, resource);
  return Object.entries(plans).map(([urn, plan]) => {
    const isOfItsType = plan.goal?.type === undefined || plan.goal.type === urnParts(urn).type;
    if (!urn.startsWith("urn:pulumi:") || !isOfItsType)
      throw new Refused(["not verifiable: the plan names something that is not a resource"]);
    return plannedOne(urn, plan, known.get(urn));
  });
}

function plannedOne(urn: string, { goal, steps }: ResourcePlan, old: StateResource | undefined): Planned {
  const ops = steps ?? [];
  const op = opOf(ops);
  const before = old?.inputs ?? {};
  const isKept = op === "same" || op === "update";
  return {
    urn,
    type: goal?.type ?? old?.type ?? urnParts(urn).type,
    isCustom: goal?.custom ?? true,
    op,
    steps: ops,
    before,
    after: goal ? applied(before, goal.inputDiff ?? {}) : undefined,
    outputs: isKept ? (old?.outputs ?? {}) : {},
    isProtected: goal?.protect ?? false,
    provider: goal?.provider ? urnOfReference(goal.provider) : undefined,
    dependencies: goal?.propertyDependencies ?? {},
  };
}

function applied(before: Values, { adds = {}, updates = {}, deletes = [] }: z.output<typeof diff>): Values {
  const gone = new Set(deletes);
  const kept = Object.entries(before).filter(([name]) => !gone.has(name));
  return Object.fromEntries([...kept, ...Object.entries(adds), ...Object.entries(updates)]);
}

function opOf(steps: readonly string[]): string {
  if (steps.includes("replace") || steps.includes("create-replacement")) return "replace";
  return steps.find((step) => step !== "same" && step !== "refresh") ?? "same";
}

/** Whether people read about it: not the stack itself, nor providers that the engine makes. */
export function isListed({ urn }: Pick<Planned, "urn">): boolean {
  const { type, name } = urnParts(urn);
  const isMade = type === "pulumi:pulumi:Stack" || (type.startsWith("pulumi:providers:") && /^default(_|$)/.test(name));
  return !isMade;
}

/** The same without secrets, whether decrypted or not. */
export function masked<T>(value: T): T {
  const text = JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null) return inner;
    return (inner as Values)[signatureKey] === signatures.secret ? "[secret]" : inner;
  });
  return text === undefined ? value : (JSON.parse(text) as T);
}

/** In the form of `pulumi preview --json`, which `dataplatform access` reads. Secrets are masked. */
export function previewOf(planned: readonly Planned[]): object {
  const state = ({ urn, type, isCustom, dependencies }: Planned, inputs: Values): object => ({
    urn,
    type,
    custom: isCustom,
    inputs,
    outputs: inputs,
    propertyDependencies: dependencies,
  });
  const steps = planned.flatMap((one): object[] => {
    const old = { oldState: state(one, one.before) };
    const now = { newState: state(one, one.after ?? {}) };
    const both = { urn: one.urn, ...old, ...now };
    if (one.op === "replace")
      return [
        { op: "create-replacement", ...both },
        { op: "delete-replaced", urn: one.urn, ...old },
      ];
    if (one.op === "delete") return [{ op: "delete", urn: one.urn, ...old }];
    return [one.op === "create" ? { op: "create", urn: one.urn, ...now } : { op: one.op, ...both }];
  });
  return masked({ steps });
}
