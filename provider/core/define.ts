import { z } from "zod";
import type { Client } from "../api/client";
import { leavesOutcomeOpen, outcomeIsOpen } from "../api/errors";

/** What every operation of a resource gets: the API, which knows when to stop, and a way to tell the user something. */
export interface Context {
  readonly api: Client;
  readonly log: Log;
  readonly run: Run;
}

/** What an operation must know of the other resources of this run. */
export interface Run {
  /** Until what else the run declares is known, as far as that can be waited for. */
  othersAreDeclared(): Promise<void>;
  /** The resource that declares a key which this one gives up: what it names is not removed. */
  declarerOf(key: string): string | undefined;
  /** The resource that keeps a key which a delete is about to remove. */
  keeperOf(key: string): string | undefined;
  /** Whether a resource of this stack managed the key before. */
  isOwned(key: string): boolean;
  /** What that resource knew about it. */
  knowledgeOf(key: string): unknown;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

type Schema = z.ZodObject;
type Inputs<I extends Schema> = z.output<I>;
/** Nothing, where the platform adds nothing: zod's own type for that would forbid the id too. */
type Outputs<O extends Schema> = string extends keyof z.output<O> ? unknown : z.output<O>;
/** What is kept in the state: the inputs as the user gave them, and the outputs. */
export type State<I extends Schema, O extends Schema> = Inputs<I> & Outputs<O>;
type Name<S extends Schema> = Extract<keyof z.output<S>, string>;
/** A property that is a secret, or one inside it: `s3DistCp.encryptionKey`. */
export type SecretName<S extends Schema> = Name<S> | `${Name<S>}.${string}`;

/** Inputs at preview: what is not known yet is absent here, and named by `unknown`. */
export type Known<I extends Schema> = Partial<Inputs<I>>;
export type Report<I extends Schema> = (property: Name<I>, reason: string) => void;

export interface ResourceDefinition<I extends Schema = Schema, O extends Schema = Schema> {
  /** PascalCase; the last part of the type token. */
  readonly type: string;
  /** First sentence: what it is. The rest: what a user must know. Markdown. */
  readonly doc: string;
  readonly inputs: I;
  /** What the platform adds to the inputs. Every description says what it means. */
  readonly outputs: O;
  readonly importId: {
    readonly format: string;
    readonly example: string;
    /** What import cannot find out and the program must supply. */
    readonly note?: string;
  };
  /** An import that shows all a program must give may still hide what it can give: then that is taken as the program says. */
  readonly importShowsPart?: boolean;
  /** Inputs whose change makes a new resource; a change of any other input is an update. */
  readonly replaceOn: "all" | readonly Name<I>[];
  /** For resources with a natural key: a replacement must not delete what it just made. */
  readonly deleteBeforeReplace?: boolean;
  /**
   * What the resource manages, in words that tell it from everything else: `address 203.0.113.7`. Two resources of a
   * program must not declare the same, and nothing is removed that the run declares elsewhere.
   */
  readonly keys?: {
    /** The input that a clash is reported against. */
    readonly property: Name<I>;
    readonly of: (known: Known<I>) => readonly string[];
    /** Where the resource does not own all that it declares: the keys that it does. */
    readonly ownedIn?: (state: State<I, O>) => readonly string[];
    /** What a resource that takes a key over must know of it, such as what was there before either of them. */
    readonly knowledgeIn?: (state: State<I, O>) => unknown;
  };
  /** Inputs that the provider fills in when a resource is first checked, and that stay as they are from then on. */
  readonly sealed?: Readonly<Record<string, (seed: string) => string>>;
  /** Outputs that no update changes: shown at the preview of one. The others are not known until it is done. */
  readonly settledOutputs?: readonly Name<O>[];
  /** Encrypted in the state, and never shown. */
  readonly secrets: readonly (SecretName<I> | SecretName<O>)[];
  /** The account that the resource belongs to. Default: its output `accountId`. */
  readonly accountOf?: (id: string, state: Partial<State<I, O>>) => string | undefined;
  /** What the API cannot do, in sentences for the documentation page. */
  readonly limits: { readonly refresh?: string; readonly update?: string; readonly destroy?: string };
  /** Inputs that mean the same though they are written differently are no change. `beside`: the other inputs. */
  readonly same?: {
    readonly [K in Name<I>]?: (a: NonNullable<Inputs<I>[K]>, b: NonNullable<Inputs<I>[K]>, beside: Known<I>) => boolean;
  };
  /** Inputs that are still unmet although they have not changed, such as a wait that timed out. */
  readonly unfinished?: (state: State<I, O>, inputs: Known<I>) => readonly Name<I>[];
  /** Rules across properties, on what is known. `unknown(property)` tells an unknown value from an absent one. */
  readonly rules?: (known: Known<I>, report: Report<I>, unknown: (property: Name<I>) => boolean) => void;
  /** Warnings about legal but doubtful inputs, shown at preview. */
  readonly advise?: (known: Known<I>, unknown: (property: Name<I>) => boolean) => string[];
  /** Warnings about a change before it happens, shown at preview. */
  readonly beforeChange?: (change: {
    readonly id: string;
    readonly old: State<I, O>;
    readonly inputs: Known<I>;
    readonly changed: readonly string[];
    readonly replaces: boolean;
  }) => string[];

  /**
   * Says, at preview, what a create or an update will do to things that the program does not name. It may read the
   * platform and never writes; when it cannot read, the preview goes on. `id` and `old` are absent for a create.
   */
  readonly foresee?: (
    context: Context,
    change: {
      readonly id: string | undefined;
      readonly old: State<I, O> | undefined;
      readonly inputs: Known<I>;
    },
  ) => Promise<void>;

  /** `sealed`: what the provider filled in when the inputs were checked. */
  create(
    context: Context,
    inputs: Inputs<I>,
    sealed: Readonly<Record<string, unknown>>,
  ): Promise<{ id: string } & Outputs<O>>;
  /**
   * What the platform shows: any part of the state, or undefined when the platform clearly says that it is gone.
   * On import `state` holds only what the id tells. Absent: the API cannot show it, refresh keeps the state as it is.
   */
  readonly read?: (
    context: Context,
    id: string,
    state: Partial<State<I, O>>,
  ) => Promise<({ id?: string } & Partial<State<I, O>>) | undefined>;
  /** The inputs that an import id tells. Throws a clear error for an id of the wrong form. */
  readonly fromId?: (id: string) => Partial<Inputs<I>>;
  /** Absent: inputs that do not force replacement only steer the provider, and changing them calls nothing. */
  readonly update?: (
    context: Context,
    id: string,
    old: State<I, O>,
    inputs: Inputs<I>,
    /** `redo`: the outcome of the last write was open, so that the platform may hold the old or the new. */
    last: { readonly redo: boolean },
  ) => Promise<Partial<Outputs<O>>>;
  /** Absent: nothing is removed. */
  readonly delete?: (context: Context, id: string, state: State<I, O>) => Promise<void>;
  /** What stays behind on the platform after destroy: said in a warning, with its name and id. */
  readonly kept?: (id: string, state: State<I, O>) => string;
}

/** A definition whose exact types no longer matter: what the adapters and the generator handle. */
// biome-ignore lint/suspicious/noExplicitAny: the methods of definitions are contravariant in their own schemas
export type AnyResource = ResourceDefinition<any, any>;

/** Checks a definition's types and gives it back. Everything else about a resource is in its one file. */
export function defineResource<I extends Schema, O extends Schema>(
  definition: ResourceDefinition<I, O>,
): ResourceDefinition<I, O> {
  return definition;
}

/** An output of every resource that does not tell its account otherwise. The core fills it in and holds the token to it. */
export const accountIdOutput = z
  .int()
  .optional()
  .describe("Account that it belongs to, if the token may view the account.");

/** Thrown by create or update when part of the work was done: that part is kept in the state, the next `up` goes on. */
export class PartialSuccess extends Error {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
  /** Whether what failed may have been carried out all the same, so that it must be done again. */
  readonly isOpen: boolean;

  constructor(id: string, outputs: Record<string, unknown>, cause: Error) {
    super(cause.message, { cause });
    this.name = "PartialSuccess";
    this.id = id;
    this.outputs = outputs;
    this.isOpen = leavesOutcomeOpen(cause);
  }
}

/**
 * For a write of something with an id of its own, such as a role of a group: when its outcome is open, the resource is
 * kept in the state, so that the next `up` does it again and a destroy removes it.
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
