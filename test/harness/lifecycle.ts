import { describe, expect, test } from "vitest";
import type { Emulator } from "../../emulator";
import type { Client } from "../../provider/api/client";
import { Lifecycle } from "../../provider/core/lifecycle";
import { resources } from "../../provider/resources";
import type { Outcome } from "./stack";

export type Args = Record<string, unknown>;
export type EmulatorState = ReturnType<Emulator["state"]>;

/** The account that the cases manage. */
export const accountIn = (state: EmulatorState) => state.accounts.find(({ id }) => id === 1001)!;

export interface Change {
  readonly what: string;
  readonly args: Args;
  /** What the engine must do; `same` if only the spelling changes. */
  readonly expect: "update" | "replace" | "same";
  /** The allowed number of requests by operation, as the emulator counts them. */
  readonly calls?: Readonly<Record<string, number>>;
  readonly after?: (state: EmulatorState, outcome: Outcome) => void;
}

type Then = NonNullable<Change["calls"] | Change["after"]>;
const changing =
  (expect: Change["expect"]) =>
  (what: string, args: Args, ...then: Then[]): Change => {
    const named = then.map((one) => (typeof one === "function" ? { after: one } : { calls: one }));
    return Object.assign({ what, args, expect }, ...named);
  };
/** A change by its name and arguments; the allowed requests, and what is checked after it, may follow. */
export const [same, update, replace] = [changing("same"), changing("update"), changing("replace")];

/** Arguments that check refuses, the property it names, and what it says about it. */
export type BadInput = readonly [args: Args, property: string, says: string | RegExp];

/** For a resource with secrets: how to plant a canary in each of them, and how to have the platform echo them. */
export interface SecretCase {
  /** Arguments with every secret, if the case's lack one. */
  readonly args?: Args;
  /** Secrets that the platform issues, and where the emulator keeps them. */
  readonly issued?: Readonly<Record<string, (state: EmulatorState) => string>>;
  /** The operations that create and read it. */
  readonly create: string;
  readonly read?: string;
}

export interface LifecycleCase {
  readonly type: string;
  readonly args: Args;
  /** Prepares the emulator's state for the test. */
  readonly prepare?: (emulator: Emulator) => Promise<void> | void;
  /** Asserts, on the emulator's unmasked state, that the resource is there as declared. */
  readonly present: (state: EmulatorState, id: string) => void;
  /** The assertion after destroy. */
  readonly absent: (state: EmulatorState) => void;
  readonly changes?: readonly Change[];
  /** A change behind our back that refresh must notice and the next up repairs: by an update, if it does not say how. */
  readonly drift?:
    | { readonly make: (emulator: Emulator) => Promise<void> | void; readonly repaired?: string }
    | undefined;
  /** Removal behind our back: refresh drops it, the next up recreates it. */
  readonly disappear?: ((emulator: Emulator, id: string) => Promise<void> | void) | undefined;
  /** The warning at destroy, if the API cannot remove it. `ID` stands for the id. */
  readonly kept?: string;
  readonly bad: readonly BadInput[];
  /** A bad value that is unknown until apply: fails there with the same message. Every other argument is valid. */
  readonly badLater?: { readonly args: Args; readonly says: string | RegExp };
  /** The alias of a token (emulator.tokens) without the permission, and what the error must contain. */
  readonly forbidden: { readonly token: string; readonly says: string };
  readonly secrets?: SecretCase;
  /** The arguments that match an import, if the last ones do not. */
  readonly imported?: Args;
  /** In the error of an import, if the specified API cannot show it. */
  readonly cannotImport?: string;
}

/** What is different in the life of a resource with the extended API. What is absent is as without it. */
export interface ExtendedCase
  extends Partial<Pick<LifecycleCase, "args" | "present">>,
    Pick<LifecycleCase, "prepare" | "absent" | "changes" | "drift" | "disappear" | "secrets"> {
  /** For a resource that needs the extended API; the others say it in their life without it. */
  readonly bad?: readonly BadInput[];
  /** In the only warning at destroy, such as about what stays on the platform. */
  readonly kept?: string;
  /** What an import reads nothing about: its preview is empty because the program's values are assumed. */
  readonly imported?: Args;
}

/** The life of a resource with `dataplatform:extendedApi`. */
export type ExtendedLife = ExtendedCase & Pick<LifecycleCase, "type" | "args" | "present">;

export function withExtendedApi(
  { type, args, prepare, present }: Pick<LifecycleCase, "type" | "args" | "prepare" | "present">,
  extended: ExtendedCase,
): ExtendedLife {
  return { type, args, ...(prepare && { prepare }), present, ...extended };
}

/** The check that the engine calls at preview, without the engine: one run per rule would take minutes. */
export function inputsOf(life: LifecycleCase | ExtendedLife, extended = false): void {
  const { type, args, bad = [], changes = [] } = life;
  describe(`${type} inputs${extended ? " with the extended API" : ""}`, () => {
    test.each(bad)("%j: %s", (given, property, says) => {
      const failures = checkOf(type, given, extended);
      // Whatever is named, and nothing else.
      expect([...new Set(failures.map((failure) => failure.property))].join(", ")).toBe(property);
      expect(failures.map(({ reason }) => reason).join("\n")).toMatch(asPattern(says));
    });
    test("good inputs pass", () => {
      for (const good of [args, ...changes.map((change) => change.args)])
        expect(checkOf(type, good, extended)).toEqual([]);
    });
    const later = "badLater" in life ? life.badLater : undefined;
    if (!later) return;
    test("a bad value passes while it is unknown, and is refused once it is known", () => {
      expect(checkOf(type, later.args, extended)).toEqual([]);
      const [failure, ...others] = checkOf(type, known(later.args) as Args, extended);
      expect(others).toEqual([]);
      expect(`${failure?.property} ${failure?.reason}`).toMatch(asPattern(later.says));
    });
  });
}

/** Runs check on inputs; replaces the special values of the harness's programs. */
export function checkOf(type: string, args: Args, extended = false) {
  const definition = resources.find((candidate) => candidate.type === type);
  if (!definition) throw new Error(`no resource ${type}`);
  const host = {
    client: (): Client => {
      throw new Error("check must not call the platform");
    },
    log: { info() {}, warn() {} },
    ...(extended && { extendedApi: () => true }),
  };
  return new Lifecycle(definition, host).check(plainArgs(args) as Args).failures;
}

export function plainArgs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainArgs);
  if (typeof value !== "object" || value === null) return value;
  if ("$secret" in value) return plainArgs(value.$secret);
  if ("$later" in value || "$ref" in value) return "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainArgs(inner)]));
}

/** What was unknown, when it is known. */
function known(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(known);
  if (typeof value !== "object" || value === null) return value;
  return "$later" in value
    ? value.$later
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, known(inner)]));
}

export function asPattern(text: string | RegExp): RegExp {
  return typeof text === "string" ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) : text;
}
