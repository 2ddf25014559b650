import { z } from "zod";
import type { Client } from "../api/client";
import { leavesOutcomeOpen, outcomeIsOpen, PlatformError } from "../api/errors";
import type { Declarations } from "./declarations";

/** What every operation of a resource gets: the API client, which handles cancellation, a log, and the run. */
export interface Context {
  readonly api: Client;
  readonly log: Log;
  readonly run: Run;
}

/** What an operation may ask and tell about the other resources of this run. */
type Run = Pick<Declarations, Questions | "removing" | "removalsOf" | "move" | "movedTo" | "takenOver" | "isOwned">;
type Questions =
  | ("othersAreDeclared" | "changerOf" | "declarerOf" | "keeperOf" | "mayHaveRemoved" | "nextNameOf" | "sharerOf")
  | ("knowledgeOf" | "isInherited");

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** Something on the platform, by its import id. */
export interface Listed {
  readonly id: string;
  readonly name?: string | undefined;
}

type Schema = z.ZodObject;
type Inputs<I extends Schema> = z.output<I>;
/** Unknown where there are no outputs: zod's type for an empty object would forbid the id too. */
type Outputs<O extends Schema> = string extends keyof z.output<O> ? unknown : z.output<O>;
/** As far as the platform tells it. The core leaves out what is undefined. */
type Told<T> = { [K in keyof T]?: T[K] | undefined };
/** What the state keeps: the inputs as given by the user, and the outputs. */
export type State<I extends Schema, O extends Schema> = Inputs<I> & Outputs<O>;
type Name<S extends Schema> = Extract<keyof z.output<S>, string>;
/** A property, or one inside it: `s3DistCp.encryptionKey`. */
export type PropertyName<S extends Schema> = Name<S> | `${Name<S>}.${string}`;

/** Inputs at preview: unknown values are absent here, and `unknown` names them. */
export type Known<I extends Schema> = Partial<Inputs<I>>;
/** Rules across properties, on known values. `unknown(property)` tells an unknown value from an absent one. */
export type Rules<I extends Schema> = (
  known: Known<I>,
  report: (property: Name<I>, reason: string) => void,
  unknown: (property: Name<I>) => boolean,
) => void;

/** What a preview is about. `id` and `old` are absent for a create, which changes nothing that there was. */
export interface Change<I extends Schema = Schema, O extends Schema = Schema> {
  readonly id: string | undefined;
  readonly old: State<I, O> | undefined;
  readonly inputs: Known<I>;
  readonly changed: readonly string[];
  readonly replaces: boolean;
}

/** What a step of a plan does to the login whitelist. */
export interface WhitelistStep {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** What it declares no more, or would remove, and stays because of `keep`. */
  readonly kept: readonly string[];
  /** What it declares no more, and stays because others put it there or another resource of the run declares it. */
  readonly left: readonly string[];
}

export interface ResourceDefinition<I extends Schema = Schema, O extends Schema = Schema> {
  /** PascalCase; the last part of the type token. */
  readonly type: string;
  /** First sentence: what it is. The rest: what a user must know. Markdown. */
  readonly doc: string;
  readonly inputs: I;
  /** What the platform adds to the inputs. */
  readonly outputs: O;
  readonly importId: {
    readonly format: string;
    readonly example: string;
    /** What import cannot read and the program must supply. */
    readonly note?: string;
    /** An import that reads all required inputs may still miss optional ones: their values in the program are then assumed. */
    readonly showsPart?: boolean;
    /** What the id tells. Throws if it has the wrong form. */
    readonly tells?: (id: string) => Partial<State<I, O>>;
  };
  /** Inputs whose change replaces the resource; any other change is an update. */
  readonly replaceOn: readonly Name<I>[];
  /** Whether such a change is an update this time, as far as reading tells. Default: it is not; of `extended`: it is. */
  readonly canChange?: (context: Context, id: string, state: State<I, O>, inputs: Known<I>) => Promise<boolean>;
  /**
   * What the resource manages, in words that identify it: `address 203.0.113.7`. Two resources of a program must not
   * declare the same key, and nothing is removed that the run declares elsewhere: of a replacement that has the same
   * key, the old one stays, unless it is deleted first.
   */
  readonly keys?: {
    /** The input to report a clash on. */
    readonly property: Name<I>;
    readonly of: (known: Known<I>) => readonly string[];
    /** Whether a replacement deletes before it creates: always, or only if an old and a new key may mean the same thing. */
    readonly deleteFirst?: boolean | "if same";
    /** Keys that it adds to, as others may. A resource that manages one of them as a whole must not be in the program. */
    readonly sharedBy?: (known: Known<I>) => readonly string[];
    /** The keys it owns, where it does not own everything it declares. */
    readonly ownedIn?: (state: State<I, O>) => readonly string[];
    /** What a resource that takes over a key must know about it, such as what was there before either of them. */
    readonly knowledgeIn?: (state: State<I, O>) => unknown;
    /** The same with the names that this run has given to what it refers to: something else may have the old ones by now. */
    readonly inNewNames?: (state: State<I, O>, run: Pick<Run, "movedTo">) => State<I, O>;
    /** What to say if that resource came too early to learn it. */
    readonly lostWith?: (state: State<I, O>) => string | undefined;
    /** Whether the platform allows several alike, so that two resources may declare the same key. */
    readonly mayRepeat?: boolean;
  };
  /** Of what is started once and then runs, and can be waited for with the input `wait`. */
  readonly job?: {
    /** Until then a `wait` is unmet, even if nothing has changed. */
    readonly isDone: (state: State<I, O>) => boolean;
    /** Inputs that the provider fills in at the first check, and that never change afterwards: what it is found by. */
    readonly ownInputs?: Readonly<Record<string, (seed: string) => string>>;
  };
  /** Outputs that no update changes: known at preview. The others are unknown until the update is done. */
  readonly settledOutputs?: readonly Name<O>[];
  readonly limits: Limits<State<I, O>>;
  /** Whether an old and a new spelling of an input mean the same, so that there is no change. `beside`: what else is known. */
  readonly same?: {
    readonly [K in Name<I>]?: (
      old: NonNullable<Inputs<I>[K]>,
      given: NonNullable<Inputs<I>[K]>,
      beside: Known<I> & Partial<Outputs<O>>,
    ) => boolean;
  };
  readonly rules?: Rules<I>;
  /** Warnings about valid but questionable inputs, shown at preview. */
  readonly advise?: (known: Known<I>, unknown: (property: Name<I>) => boolean) => string[];
  /**
   * Logs, at preview, what a create or a change will do that the program does not say: to other things, or to what stays
   * behind. It may read from the platform but never writes; if it cannot read, the preview continues.
   */
  readonly foresee?: (context: Context, change: Change<I, O>) => Promise<void> | void;

  /** What a step of a plan does to the login whitelist, for reports: reads, and never writes. `inputs` is absent for a delete. */
  readonly whitelisting?: (
    context: Context,
    step: Pick<Change<I, O>, "id" | "old"> & { readonly inputs: Known<I> | undefined },
  ) => Promise<WhitelistStep>;

  /** `ownInputs`: what the provider filled in when the inputs were checked. */
  create(
    context: Context,
    inputs: Inputs<I>,
    ownInputs: Readonly<Record<string, unknown>>,
  ): Promise<{ id: string } & Told<Outputs<O>>>;
  /**
   * What the platform shows: any part of the state, or undefined if the platform clearly says that it is gone. On import
   * `state` holds only what the id tells. Absent: the API cannot show it, and refresh keeps the state.
   */
  readonly read?: (
    context: Context,
    id: string,
    state: Partial<State<I, O>>,
  ) => Promise<({ id?: string } & Told<State<I, O>>) | undefined>;
  /** What exists of this type and can be imported, read as far as the caller goes on. Absent: the API cannot list it. */
  readonly list?: (context: Context) => AsyncIterable<Listed>;
  /** Absent: inputs that do not replace the resource only control the provider, and changing them sends nothing. */
  readonly update?: (
    context: Context,
    id: string,
    old: State<I, O>,
    inputs: Inputs<I>,
    /** `redo`: the outcome of the last write is open, so the platform may hold the old or the new values. */
    last: { readonly redo: boolean },
  ) => Promise<Told<Outputs<O>>>;
  /** Absent: nothing is removed. */
  readonly delete?: (context: Context, id: string, state: State<I, O>) => Promise<void>;
  /** What is different with the extended API (`dataplatform:extendedApi`). */
  readonly extended?: ExtendedDefinition<I, O>;
}

type Changed = "replaceOn" | "canChange" | "settledOutputs";

/** These members take the place of the definition's own when the extended API is on. */
interface ExtendedDefinition<I extends Schema, O extends Schema>
  extends Partial<Pick<ResourceDefinition<I, O>, Changed | "read" | "list" | "update" | "delete" | "foresee">> {
  /** The resource exists only with the extended API. */
  readonly required?: true;
  /** What differs from `limits`. */
  readonly limits?: ResourceDefinition<I, O>["limits"];
  /** What differs from `importId`. An empty note: there is none any more. */
  readonly importId?: Partial<ResourceDefinition<I, O>["importId"]>;
  /** Names the inputs, or properties inside them, whose value needs the extended API. */
  readonly onlyWith?: (known: Known<I>) => readonly PropertyName<I>[];
}

/** A definition whose exact types no longer matter: what the adapters and the generator handle. */
// biome-ignore lint/suspicious/noExplicitAny: the methods of definitions are contravariant in their own schemas
export type AnyResource = ResourceDefinition<any, any>;

/** Checks the types of a definition and returns it. */
export function defineResource<I extends Schema, O extends Schema>(
  definition: ResourceDefinition<I, O>,
): ResourceDefinition<I, O> {
  return definition;
}

/** An output of every resource that has no other account output. The core fills it in and checks the token against it. */
export const accountIdOutput = z
  .int()
  .optional()
  .describe("Account that it belongs to, if the token may view the account.");

/** Thrown by create or update when part of the work was done: the state keeps that part, and the next `up` continues. */
export class PartialSuccess extends Error {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
  /** Whether the failed part may have been carried out anyway, so that it must be repeated. */
  readonly isOpen: boolean;

  constructor(id: string, outputs: Record<string, unknown>, cause: Error) {
    super(cause.message, { cause });
    this.name = "PartialSuccess";
    this.id = id;
    this.outputs = outputs;
    this.isOpen = leavesOutcomeOpen(cause);
  }
}

/** Thrown by update when the platform cannot change the resource after all: nothing was sent, and the next `up` replaces it. */
export class CannotChange extends Error {
  constructor(reason: string) {
    super(`${reason}. Nothing was changed; run "pulumi up" again, and it is replaced`);
    this.name = "CannotChange";
  }
}

/**
 * For a write of something whose id is known beforehand, such as a role of a group: if its outcome is open, the state
 * keeps the resource, so that the next `up` repeats the write and a destroy removes it.
 */
export async function keepIfOpen<T>(id: string, outputs: Record<string, unknown>, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!leavesOutcomeOpen(error)) throw error;
    const advice = `${outcomeIsOpen}. It is kept in the state; run "pulumi up" again to retry`;
    throw new PartialSuccess(id, outputs, error.with(`${error.message}. ${advice}`));
  }
}

/** What the API cannot do, in sentences for the documentation page. What follows from absent members is derived. */
export interface Limits<S> {
  /** What the API cannot show, change or remove, such as `a data store`. */
  readonly thing?: string;
  readonly refresh?: string;
  readonly update?: string;
  readonly destroy?: string;
  /** What destroy leaves on the platform, with its name and id: logged as a warning instead of a delete. Empty: nothing. */
  readonly kept?: (id: string, state: S) => string;
  /** What destroy sets on the platform, where its name does not say it: shown to whoever approves a plan. */
  readonly undone?: (state: S) => string;
}

/** For an import id of the wrong form. `kind`: `a folder id`. */
export function wrongId(id: string, kind: string, expected: string): PlatformError {
  return new PlatformError(`${JSON.stringify(id)} is not ${kind}; expected ${expected}`, { code: "rejected" });
}

/** `importId.tells` of a resource whose import id is a single number or name. `tells`: which properties it is, if any. */
export function fromPlainId<T extends object = Record<string, never>>(
  kind: string,
  example: string,
  tells: (id: string) => T = () => ({}) as T,
): (id: string) => T {
  return (id) => {
    if (/^[\w-]+$/.test(id)) return tells(id);
    throw wrongId(id, kind, `an id such as ${example}`);
  };
}
