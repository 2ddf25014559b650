import { z } from "zod";
import { signatureKey, signatures, unknownValue } from "../../provider/core/engine-values";
import { engineNames, secretSettings } from "../../provider/core/provider-config";
import { isDefaultProvider, urnOfReference, urnParts } from "../../provider/core/urn";
import type { HeadConfig } from "./head-config";
import { Refused } from "./refused";
import { leftOutOf, renamedIn } from "./renamed";
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
      outputDiff: diff,
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
  /** As the state has it, if that is another one. */
  readonly oldUrn?: string | undefined;
  readonly type: string;
  readonly isCustom: boolean;
  /**
   * What is done with it: `create`, `update`, `replace`, `delete`, `same`, or another word of the engine; `protect` if
   * only that changes.
   */
  readonly op: string;
  readonly steps: readonly string[];
  readonly before: Values;
  /** Undefined if it is removed. */
  readonly after: Values | undefined;
  /** Outputs of the state, if it is kept. */
  readonly outputs: Values;
  /** The same after the plan, of the stack and of components: the engine allows no others. */
  readonly nextOutputs: Values;
  readonly isProtected: boolean;
  readonly wasProtected: boolean;
  /** Whether the state has it as something that a program only read: it was never this stack's. */
  readonly wasRead: boolean;
  /** What is imported, by a plan that does not say more about it: empty if nothing is. */
  readonly importId: string;
  /** Whether it stays on the platform when it is deleted, as the state says. A plan of the engine does not. */
  readonly retained: Values;
  /** Whether the engine makes it by itself: the stack, and providers that have the stack's own settings. */
  readonly isMade: boolean;
  readonly provider: string | undefined;
  readonly dependencies: Readonly<Record<string, readonly string[] | null>>;
}

/** Whether a plan does something to it. */
export const isChange = ({ op, isMade }: Planned): boolean => op !== "same" && !isMade;

export function planIn(text: string): z.output<typeof wholePlan> {
  try {
    return wholePlan.parse(JSON.parse(text));
  } catch {
    // The parser's message quotes the text.
    throw new Refused(["not verifiable: the plan is not one that the versions of Pulumi known here write"]);
  }
}

/** The stack's configuration, as far as it is not encrypted. */
type Config = HeadConfig["plain"];
type Plans = Readonly<Record<string, ResourcePlan>>;

/**
 * The resources after the plan, worked out from the plan and the state: `pulumi up --plan` allows these inputs and steps
 * and no others, whatever the program that made the plan printed.
 */
export function plannedResources(plans: Plans, resources: readonly StateResource[], config: Config = []): Planned[] {
  const known = new Map<string, StateResource>(renamedIn(plans, resources));
  const read = new Set(resources.filter(({ external }) => external === true).map(({ urn }) => urn));
  for (const resource of resources)
    if (resource["delete"] !== true && !read.has(resource.urn)) known.set(resource.urn, resource);
  const left = new Set(resources.filter((resource) => resource["delete"] === true).map(({ urn }) => urn));
  return Object.entries(plans).map(([urn, plan]) => {
    const isOfItsType = plan.goal?.type === undefined || plan.goal.type === urnParts(urn).type;
    if (!urn.startsWith("urn:pulumi:") || !isOfItsType)
      throw new Refused(["not verifiable: the plan names something that is not a resource"]);
    const wasRead = read.has(urn);
    const one = { ...plannedOne(urn, wasRead ? ofRead(plan) : plan, known.get(urn), config), wasRead };
    refuseOther(one, plan, { isKnown: known.has(urn), isLeft: left.has(urn) });
    return one;
  });
}

/** What was only read is not replaced: one is created beside it, and the state forgets what was read. */
function ofRead({ goal, steps }: ResourcePlan): ResourcePlan {
  const own = (steps ?? []).filter((step) => step !== "discard-replaced");
  return { goal, steps: own.toSorted().join() === "create-replacement,replace" ? ["create"] : own };
}

/**
 * The steps that the engine writes, in any order. Of others, it would allow more than their words say. A read is in no
 * plan.
 */
const stepLists = [
  ...["create", "update", "delete", "same"],
  ...["create-replacement,replace", "create-replacement,delete-replaced,replace"],
];
const words: Readonly<Record<string, string>> = { same: "keep", protect: "keep", update: "change", replace: "replace" };

/** What is not as the engine writes it, or is about something that the state does not have: it would be judged in part. */
function refuseOther(
  { urn, op, steps, after, isCustom, wasRead }: Planned,
  { goal }: ResourcePlan,
  /** `isLeft`: the state still has one that was replaced before, and is to be deleted. */
  { isKnown, isLeft }: { readonly isKnown: boolean; readonly isLeft: boolean },
): void {
  const wrong = (why: string): Refused => new Refused([`not verifiable: the plan ${why}`]);
  const own = steps.filter((step) => step !== "refresh");
  const withoutLeft = isLeft && own.at(-1) === "delete-replaced" ? own.slice(0, -1) : own;
  const isAsWritten = [own, withoutLeft].some((list) => stepLists.includes(list.toSorted().join()));
  const isLeftOnly = isLeft && own.join() === "delete-replaced" && goal == null;
  const isForgotten = wasRead && own.join() === "discard" && goal == null;
  if (!isAsWritten && !isLeftOnly && !isForgotten && op !== "import")
    throw wrong(`has the steps ${JSON.stringify(steps)} for ${urn}, which no version of Pulumi known here writes`);
  if (goal == null && op !== "delete" && !isLeftOnly && !isForgotten)
    throw wrong(`does not say what becomes of ${urn}`);
  if (op in words && !isKnown) throw wrong(`would ${words[op]} ${urn}, which the state has under no name`);
  // What stays as it is was known before. The rules would not see it.
  if (isCustom && (op === "same" || op === "protect") && JSON.stringify(after).includes(unknownValue))
    throw wrong(`says that ${urn} stays as it is, and that a part of it is not known`);
}

/** What stays as it is, although the plan does not name it: the rules look at everything that will be there. */
export function unplannedResources(plans: Plans, resources: readonly StateResource[]): Planned[] {
  return leftOutOf(plans, resources).map((resource) => {
    const goal = { protect: resource["protect"] === true, custom: resource["custom"] !== false };
    return plannedOne(resource.urn, { goal, steps: ["same"] }, resource, []);
  });
}

function plannedOne(
  urn: string,
  { goal, steps }: ResourcePlan,
  old: StateResource | undefined,
  config: Config,
): Planned {
  const ops = steps ?? [];
  const before = old?.inputs ?? {};
  const after = goal ? applied(before, goal.inputDiff ?? {}) : undefined;
  const [wasProtected, isProtected] = [old?.["protect"] === true, goal?.protect ?? false];
  // The engine writes no steps for what is imported, unless the program has more to say about it.
  const done = goal?.id && !old && ["", "update"].includes(ops.join()) ? "import" : opOf(ops);
  const op = done === "same" && wasProtected !== isProtected ? "protect" : done;
  const outputs = (["same", "update", "protect"].includes(op) && old?.outputs) || {};
  return {
    urn,
    oldUrn: old?.urn,
    type: goal?.type ?? old?.type ?? urnParts(urn).type,
    isCustom: goal?.custom ?? true,
    op,
    steps: ops,
    before,
    after,
    outputs,
    nextOutputs: applied(outputs, goal?.outputDiff ?? {}),
    isProtected,
    wasProtected,
    wasRead: false,
    importId: op === "import" ? String(goal?.id) : "",
    retained: retentionOf(old),
    isMade: isMade(urn, goal?.parent, after, config),
    provider: goal?.provider ? urnOfReference(goal.provider) : undefined,
    dependencies: goal?.propertyDependencies ?? {},
  };
}

function retentionOf({ retainOnDelete, deletedWith }: Partial<StateResource> = {}): Values {
  return { ...(retainOnDelete === true && { retainOnDelete }), ...(deletedWith ? { deletedWith } : {}) };
}

/**
 * A provider can be given the name of one that the engine makes. One that a program declares has a parent, which the engine
 * compares; and the settings in it must be the stack's as well.
 */
function isMade(urn: string, parent: unknown, after: Values = {}, config: Config): boolean {
  const { type } = urnParts(urn);
  if (type === "pulumi:pulumi:Stack") return true;
  if (!type.startsWith("pulumi:providers:") || !isDefaultProvider(urn) || parent) return false;
  const settings = new Map(config);
  return Object.entries(after).every(([name, value]) => {
    // That of dynamic providers has the settings of all packages, with the package's name.
    const key = name.includes(":") ? name : `${type.slice("pulumi:providers:".length)}:${name}`;
    const setting = /^dataplatform:(.*)/s.exec(key)?.[1];
    if (setting === undefined || engineNames.includes(setting)) return true;
    const isSecret = typeof value === "object" && value !== null;
    return isSecret ? (secretSettings as string[]).includes(setting) : settings.get(key) === String(value);
  });
}

function applied(before: Values, { adds = {}, updates = {}, deletes = [] }: z.output<typeof diff>): Values {
  const gone = new Set(deletes);
  const kept = Object.entries(before).filter(([name]) => !gone.has(name));
  return Object.fromEntries([...kept, ...Object.entries(adds), ...Object.entries(updates)]);
}

function opOf(steps: readonly string[]): string {
  if (steps.includes("replace") || steps.includes("create-replacement")) return "replace";
  const others = steps.filter((step) => step !== "same" && step !== "refresh");
  // Of one that was replaced before: nobody sees a difference.
  return others.find((step) => step !== "delete-replaced") ?? (steps.includes("same") ? "same" : (others[0] ?? "same"));
}

/** Why the platform keeps what the plan removes, as the engine decides it by the state; empty if it does not. */
export function staysBecause(
  { op, retained: { retainOnDelete, deletedWith } }: Planned,
  planned: readonly Planned[],
): string {
  if (op !== "delete" && op !== "replace") return "";
  if (retainOnDelete) return "`retainOnDelete` is set";
  if (!deletedWith) return "";
  const isGone = planned.some((one) => one.urn === deletedWith && (one.op === "delete" || one.op === "replace"));
  return isGone ? "`deletedWith` names something that is removed as well" : "";
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
  const state = ({ urn, type, isCustom, dependencies, retained, provider }: Planned, inputs: Values): object => ({
    ...retained,
    ...(provider && { provider: `${provider}::planned` }),
    urn,
    type,
    custom: isCustom,
    inputs,
    outputs: inputs,
    propertyDependencies: dependencies,
  });
  const steps = planned.flatMap((one): object[] => {
    const old = { oldState: { ...state(one, one.before), urn: one.oldUrn ?? one.urn } };
    const now = { newState: state(one, one.after ?? {}) };
    const both = { urn: one.urn, ...old, ...now };
    if (one.op === "replace")
      return [
        { op: "create-replacement", ...both },
        { op: "delete-replaced", urn: one.urn, ...old },
      ];
    if (one.op === "delete") return [{ op: "delete", urn: one.urn, ...old }];
    if (one.op === "discard") return [];
    if (one.op === "create") return [{ op: "create", urn: one.urn, ...now }];
    return [{ op: one.op === "protect" ? "same" : one.op, ...both }];
  });
  return masked({ steps });
}
