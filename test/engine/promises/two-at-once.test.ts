import { describe, expect } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { companiesOf } from "../../cases";
import { writesTo } from "../../harness/emulators";
import { shared } from "../../harness/shared";
import type { Living } from "../../harness/shared-run";
import type { Program, ResourceSpec } from "../../harness/stack";
import { expectOk, sharedStack, story } from "../../harness/stacks";

/**
 * What changes nothing on the platform, two at a time: each alone is tried elsewhere. Every pair is part of one of the
 * runs, with all resources that can live side by side, from where the last run has left them.
 */

interface Shape {
  readonly suffix: string;
  readonly parent: string | null;
  readonly mode: "dynamic" | "plugin";
  readonly isProvided: boolean;
  readonly isSecret: boolean;
}

const changes = {
  name: ({ suffix }: Shape) => ({ suffix: `${suffix}-again` }),
  parent: ({ parent }: Shape) => ({ parent: parent === null ? "team" : null }),
  mode: (shape: Shape) => ({ mode: shape.mode === "plugin" ? ("dynamic" as const) : ("plugin" as const) }),
  provider: ({ isProvided }: Shape) => ({ isProvided: !isProvided }),
  secrets: ({ isSecret }: Shape) => ({ isSecret: !isSecret }),
};
const runs: readonly (readonly (keyof typeof changes)[])[] = [
  ["name", "parent", "mode"],
  ["name", "provider", "secrets"],
  ["parent", "mode", "secrets"],
  ["parent", "provider"],
  ["mode", "provider"],
];

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

const companies: readonly (readonly Living[])[] = companiesOf("extended");

describe.each(companies.map((lives) => ({ lives, types: lives.map(({ type }) => type).join(", ") })))(
  "$types, first in dynamic mode",
  ({ lives }) => {
    const emulator = shared<Emulator>(async () => {
      const started = await startEmulator({ extended: true });
      for (const { prepare } of lives) await prepare?.(started);
      return started;
    });
    const stack = sharedStack(emulator);
    const chapter = story();
    let shape: Shape = { suffix: "", parent: null, mode: "dynamic", isProvided: false, isSecret: false };

    const up = async (next: Shape) => {
      const apiToken = { $secret: emulator.tokens["admin"] };
      const provider = { type: "Provider", args: { baseUrl: emulator.url, apiToken, extendedApi: true } };
      stack.configure({ mode: next.mode, extendedApi: "true" });
      const outcome = await expectOk(stack.up(programOf(lives, next, shape, provider)));
      shape = next;
      return outcome;
    };

    chapter("are created", async () => {
      await up(shape);
    });

    for (const names of runs)
      chapter(`another ${names.join(", ")}: nothing is sent`, async () => {
        emulator.clearRequests();
        const { changed } = await up(Object.assign({}, shape, ...names.map((name) => changes[name](shape))) as Shape);
        expect(Object.values(changed).filter((op) => op !== "update")).toEqual([]);
        expect(writesTo(emulator)).toEqual([]);
      });

    chapter("in the end, neither a preview nor a refresh finds a difference, and all is destroyed", async () => {
      const { found, steps } = await expectOk(stack.operate("preview", "--refresh"));
      expect(Object.values(found).filter((op) => op !== "same")).toEqual([]);
      expect(Object.keys(steps).sort()).toEqual(["refresh", "same"]);
      await expectOk(stack.destroy());
      expect((await stack.exportState()).resources).toEqual([]);
    });
  },
);
