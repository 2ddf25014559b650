import { describe, expect } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { companiesOf } from "../../cases";
import { writesTo } from "../../harness/emulators";
import { shared } from "../../harness/shared";
import type { Living } from "../../harness/shared-run";
import type { Program, ResourceSpec } from "../../harness/stack";
import { expectOk, mode, sharedStack, story } from "../../harness/stacks";

/**
 * What changes nothing on the platform, two at a time: each alone is tried elsewhere. One run of the engine for each pair,
 * with all resources that can live side by side, from where the last pair has left them.
 */

interface Shape {
  readonly suffix: string;
  readonly parent: string | null;
  readonly mode: "dynamic" | "plugin";
  readonly isProvided: boolean;
  readonly isSecret: boolean;
}

const changes: Readonly<Record<string, (shape: Shape) => Partial<Shape>>> = {
  "another name, with an alias": ({ suffix }) => ({ suffix: `${suffix}-again` }),
  "another parent, with an alias": ({ parent }) => ({ parent: parent === null ? "team" : null }),
  "the other mode": (shape) => ({ mode: shape.mode === "plugin" ? "dynamic" : "plugin" }),
  "an explicit provider": ({ isProvided }) => ({ isProvided: !isProvided }),
  "marked as secrets": ({ isSecret }) => ({ isSecret: !isSecret }),
};
const names = Object.keys(changes);
const pairs = names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second] as const));

function programOf(lives: readonly Living[], now: Shape, before: Shape, provider: ResourceSpec): Program {
  const declared = lives.map(({ type, args }): [string, ResourceSpec] => {
    const given = Object.entries(args).map(([key, value]) => [key, now.isSecret ? { $secret: value } : value]);
    const opts = {
      ...(now.parent !== null && { parent: now.parent }),
      ...(now.isProvided && { provider: "own" }),
      aliases: [{ name: type + before.suffix, parent: before.parent }],
    };
    return [type + now.suffix, { type, args: Object.fromEntries(given), opts }];
  });
  return { team: { type: "Component", args: {} }, own: provider, ...Object.fromEntries(declared) };
}

const extended = mode === "plugin";
const companies = companiesOf(extended ? "extended" : "lives") as readonly (readonly Living[])[];

describe.each(companies.map((lives) => ({ lives, types: lives.map(({ type }) => type).join(", ") })))(
  `$types, first in ${mode} mode`,
  ({ lives }) => {
    const emulator = shared<Emulator>(async () => {
      const started = await startEmulator({ extended });
      for (const { prepare } of lives) await prepare?.(started);
      return started;
    });
    const stack = sharedStack(emulator);
    const chapter = story();
    let shape: Shape = { suffix: "", parent: null, mode, isProvided: false, isSecret: false };

    const up = async (next: Shape) => {
      const apiToken = { $secret: emulator.tokens["admin"] };
      const provider = { type: "Provider", args: { baseUrl: emulator.url, apiToken, extendedApi: extended } };
      stack.configure({ mode: next.mode, extendedApi: String(extended) });
      const outcome = await expectOk(stack.up(programOf(lives, next, shape, provider)));
      shape = next;
      return outcome;
    };

    chapter("are created", async () => {
      await up(shape);
    });

    for (const [first, second] of pairs)
      chapter(`${first}, and ${second}: nothing is sent`, async () => {
        emulator.clearRequests();
        const next = { ...shape, ...changes[first]!(shape), ...changes[second]!(shape) };
        const { changed } = await up(next);
        expect(Object.values(changed).filter((op) => op !== "update")).toEqual([]);
        expect(writesTo(emulator)).toEqual([]);
      });

    chapter("in the end, neither a preview nor a refresh finds a difference, and all is destroyed", async () => {
      expect((await expectOk(stack.preview())).changed).toEqual({});
      const { found } = await expectOk(stack.refresh());
      expect(Object.values(found).filter((op) => op !== "same")).toEqual([]);
      await expectOk(stack.destroy());
      expect((await stack.exportState()).resources).toEqual([]);
    });
  },
);
