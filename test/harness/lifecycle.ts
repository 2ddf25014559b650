import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import type { Client } from "../../provider/api/client";
import { Lifecycle } from "../../provider/core/lifecycle";
import { resources } from "../../provider/resources";
import { expectOk, kindOf } from "./outcomes";
import { lifeInPlugin } from "./plugin-lifecycle";
import { type Outcome, type Program, type ResourceSpec, TestStack } from "./stack";
import { describeOnEngine } from "./tier";

export type Args = Record<string, unknown>;
export type EmulatorState = ReturnType<Emulator["state"]>;

export interface Change {
  readonly what: string;
  readonly args: Args;
  /** What the engine must do; `same` if only the spelling changes. */
  readonly expect: "update" | "replace" | "same";
  /** The allowed number of requests by operation, as the emulator counts them. */
  readonly calls?: Readonly<Record<string, number>>;
  readonly after?: (state: EmulatorState, outcome: Outcome) => void;
}

export interface BadInput {
  readonly what: string;
  readonly args: Args;
  readonly property: string;
  readonly says: string | RegExp;
}

export interface LifecycleCase {
  readonly type: string;
  readonly args: Args;
  /** Other resources of the program, created before this one. */
  readonly beside?: Program;
  /** Prepares the emulator's state for the test. */
  readonly prepare?: (emulator: Emulator) => Promise<void> | void;
  /** Asserts, on the emulator's unmasked state, that the resource is there as declared. */
  readonly present: (state: EmulatorState, id: string) => void;
  /** The assertion after destroy. */
  readonly absent: (state: EmulatorState) => void;
  readonly changes?: readonly Change[];
  /** A change behind our back that refresh must notice and the next up repairs. */
  readonly drift?: { readonly make: (emulator: Emulator) => Promise<void> | void; readonly calls?: Change["calls"] };
  /** Removal behind our back: refresh drops it, the next up recreates it. */
  readonly disappear?: (emulator: Emulator, id: string) => Promise<void> | void;
  /** The warning at destroy, if the API cannot remove it. `ID` stands for the id. */
  readonly kept?: string | RegExp;
  readonly bad: readonly BadInput[];
  /** A bad value that is unknown until apply: fails there with the same message. Every other argument is valid. */
  readonly badLater?: { readonly args: Args; readonly property: string; readonly says: string | RegExp };
  /** The alias of a token (emulator.tokens) without the permission, and what the error must contain. */
  readonly forbidden: { readonly token: string; readonly says: string };
  /** The arguments that match an import, if the last ones do not. */
  readonly imported?: Args;
  /** In the error of an import, if the specified API cannot show it. */
  readonly cannotImport?: string;
}

/** The whole lifecycle of a resource on the real engine, the same for every resource. */
export function lifecycle(life: LifecycleCase): void {
  const { type } = life;
  describeOnEngine(`${type} on the engine`, () => {
    let emulator: Emulator;
    let stack: TestStack;
    const programOf = (args: Args): Program => ({ ...life.beside, it: { type, args } satisfies ResourceSpec });
    const now = (): EmulatorState => emulator.state({ secrets: true });
    const inState = async () => (await stack.exportState()).resources.find(({ urn }) => urn.endsWith("::it"));
    const idOf = async (): Promise<string> => (await inState())?.id ?? "";

    beforeAll(async () => {
      emulator = await startEmulator();
      await life.prepare?.(emulator);
      stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
    });
    afterAll(async () => {
      stack?.remove();
      await emulator?.close();
    });

    test("is created; then neither preview nor refresh shows changes", async () => {
      emulator.clearRequests();
      const preview = await stack.preview(programOf(life.args));
      expect(preview.code, preview.text).toBe(0);
      expect(writes(emulator), "preview must not write").toEqual([]);
      await expectOk(stack.up());
      life.present(now(), await idOf());
      expect((await inState())?.sourcePosition, "the line of the program").toMatch(/^project:\/\/\/index\.js#/);
      const refreshed = await expectOk(stack.refresh());
      expect(Object.keys(refreshed.summary)).toEqual(["same"]);
      expect((await expectOk(stack.preview())).changed).toEqual({});
    });

    if (life.drift) {
      test("refresh notices a change behind our back, and up repairs it", async () => {
        await life.drift?.make(emulator);
        const refreshed = await expectOk(stack.refresh());
        expect(refreshed.summary["update"], refreshed.text).toBe(1);
        const repaired = await expectOk(stack.up());
        expect(Object.keys(repaired.changed)).toContain("it");
        life.present(now(), await idOf());
      });
    }

    if (life.disappear) {
      test("refresh notices that it is gone, and up recreates it", async () => {
        await life.disappear?.(emulator, await idOf());
        const refreshed = await expectOk(stack.refresh());
        expect(refreshed.summary["delete"], refreshed.text).toBe(1);
        const repaired = await expectOk(stack.up());
        expect(repaired.changed).toEqual({ it: "create" });
        life.present(now(), await idOf());
      });
    }

    for (const change of life.changes ?? []) {
      test(`${change.what}: ${change.expect}`, async () => {
        emulator.clearRequests();
        const outcome = await expectOk(stack.up(programOf(change.args)));
        expect(kindOf(outcome), outcome.text).toBe(change.expect);
        if (change.calls) expect(countsOf(emulator, change.calls)).toEqual(change.calls);
        change.after?.(now(), outcome);
      });
    }

    test("after the changes, preview shows no changes", async () => {
      expect((await expectOk(stack.preview())).changed).toEqual({});
    });

    test("a token without the permission gets an error that names it, and the state stays correct", async () => {
      const before = await stack.exportState();
      const other = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens[life.forbidden.token]! });
      try {
        const outcome = await other.up({ it: { type, args: life.args } });
        expect(outcome.code).not.toBe(0);
        expect(outcome.text).toContain(life.forbidden.says);
        expect((await other.exportState()).resources.map(({ urn }) => urn)).toEqual([]);
      } finally {
        other.remove();
      }
      expect((await stack.exportState()).resources).toEqual(before.resources);
    });

    test("bad input fails at preview, naming the property, and nothing is sent", async () => {
      const worst = life.bad[0]!;
      emulator.clearRequests();
      const outcome = await stack.preview(programOf(worst.args));
      expect(outcome.code).not.toBe(0);
      expect(outcome.text).toContain(`property ${worst.property}`);
      expect(outcome.text).toMatch(asPattern(worst.says));
      expect(writes(emulator)).toEqual([]);
    });

    if (life.badLater) {
      const { args, says } = life.badLater;
      test("a bad value that is only known at apply fails there, and leaves nothing incomplete", async () => {
        const other = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
        try {
          emulator.clearRequests();
          const outcome = await other.up({ ...life.beside, it: { type, args } });
          expect(outcome.code).not.toBe(0);
          expect(outcome.text).toMatch(asPattern(says));
          expect(
            (await other.exportState()).resources.map(({ urn }) => urn).filter((urn) => urn.endsWith("::it")),
          ).toEqual([]);
          if (!life.beside) expect(writes(emulator)).toEqual([]);
        } finally {
          other.remove();
        }
      });
    }

    test("is destroyed, also on the platform", async () => {
      const id = await idOf();
      const outcome = await expectOk(stack.destroy());
      life.absent(now());
      if (life.kept) {
        const warnings = outcome.diagnostics
          .filter(({ severity }) => severity === "warning")
          .map(({ message }) => message)
          .join("\n");
        expect(warnings).toMatch(asPattern(typeof life.kept === "string" ? life.kept.replace("ID", id) : life.kept));
        expect(warnings).toContain(id);
      }
      expect((await stack.exportState()).resources).toEqual([]);
    });
  });

  lifeInPlugin(life);

  describe(`${type} inputs`, () => {
    // The check that the engine calls at preview, without the engine: one run per rule would take minutes.
    test.each(life.bad)("$what", ({ args, property, says }) => {
      const failures = checkOf(type, args);
      expect(failures.map((failure) => failure.property)).toContain(property);
      expect(
        failures
          .filter((failure) => failure.property === property)
          .map(({ reason }) => reason)
          .join("\n"),
      ).toMatch(asPattern(says));
    });
    test("good inputs pass", () => {
      for (const args of [life.args, ...(life.changes ?? []).map((change) => change.args)])
        expect(checkOf(type, args)).toEqual([]);
    });
  });
}

/** Runs check on inputs; replaces the special values of the harness's programs. */
export function checkOf(type: string, args: Args) {
  const definition = resources.find((candidate) => candidate.type === type);
  if (!definition) throw new Error(`no resource ${type}`);
  const host = {
    client: (): Client => {
      throw new Error("check must not call the platform");
    },
    log: { info() {}, warn() {} },
  };
  return new Lifecycle(definition, host).check(plainArgs(args) as Args).failures;
}

function plainArgs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainArgs);
  if (typeof value !== "object" || value === null) return value;
  if ("$secret" in value) return plainArgs(value.$secret);
  if ("$later" in value || "$ref" in value) return "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainArgs(inner)]));
}

function writes(emulator: Emulator): string[] {
  return emulator
    .requests()
    .requests.filter(({ method, operation }) => method !== "GET" && operation !== "partitionSensor.create")
    .map(({ method, path }) => `${method} ${path}`);
}

function countsOf(emulator: Emulator, wanted: Readonly<Record<string, number>>): Record<string, number> {
  const { counts } = emulator.requests();
  return Object.fromEntries(Object.keys(wanted).map((operation) => [operation, counts[operation] ?? 0]));
}

function asPattern(text: string | RegExp): RegExp {
  return typeof text === "string" ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) : text;
}
