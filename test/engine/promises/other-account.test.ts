import { beforeAll, describe, expect, test } from "vitest";
import { resources } from "../../../provider/resources";
import { oneEach } from "../../cases";
import { addressesOf, sharedEmulator } from "../../harness/emulators";
import type { Outcome, Program } from "../../harness/stack";
import { expectOk, sharedStack } from "../../harness/stacks";
import { messagesOf, quick } from "../../modes/promises/shared";
import { prepare, everyType as program } from "../upgrade/program";

/** With the token of another account, nothing is dropped, changed or removed, for any resource, whatever the mode. */

/** The first change in the case of each type, with the extended API, which all of them use as far as they can. */
const changeOf = (type: string) =>
  oneEach.find((life) => life.type === type)?.changes?.find((change) => change.expect !== "same")?.args;
const changed: Program = Object.fromEntries(
  Object.entries(program).map(([name, spec]) => [name, { ...spec, args: changeOf(spec.type)! }]),
);

test("covers every type, each with a change", () => {
  const types = Object.values(program).map(({ type }) => type);
  expect([...types].sort()).toEqual(resources.map(({ type }) => type).sort());
  expect(types.filter((type) => !changeOf(type))).toEqual([]);
});

describe("in one run of every type", () => {
  const emulator = sharedEmulator({ ...quick, extended: true });
  const stack = sharedStack(emulator, { config: { extendedApi: "true" } });
  let platform: unknown;
  let state: string;
  const useToken = (alias: string) => {
    stack.env["DATAPLATFORM_API_TOKEN"] = emulator.tokens[alias];
  };
  beforeAll(async () => {
    await prepare(emulator);
    await expectOk(stack.up(program));
    platform = emulator.state({ secrets: true });
    state = await remembered();
    useToken("otherAdmin");
  });

  /** The engine re-encrypts secrets on every write. */
  const remembered = async () => {
    const { resources: stored } = await stack.exportState();
    const known = stored.map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }));
    known.sort((a, b) => a.urn.localeCompare(b.urn));
    return JSON.stringify(known, undefined, 1).replace(/"ciphertext": "[^"]*"/g, '"ciphertext"');
  };
  const both = /belongs? to account 1001, but the configured token belongs to account 1002/;

  async function expectRefused(outcome: Outcome): Promise<void> {
    expect(outcome.code).not.toBe(0);
    expect(messagesOf(outcome)).toMatch(both);
    expect(outcome.text, "no stack trace").not.toMatch(/\n\s+at .*\.js:\d+/);
    expect(emulator.state({ secrets: true })).toEqual(platform);
    expect(await remembered()).toBe(state);
  }

  const refused = ({ diagnostics }: Outcome) =>
    Object.entries(program)
      .filter(([name]) =>
        diagnostics.some(
          ({ urn, severity, message }) => severity === "error" && urn?.endsWith(`::${name}`) && both.test(message),
        ),
      )
      .map(([name]) => name);

  test("refresh drops nothing", async () => {
    await expectRefused(await stack.refresh());
  });

  test("preview says so, also where nothing changes", async () => {
    await expectRefused(await stack.preview(program));
  });

  test("up changes nothing, whatever the program changes", async () => {
    const outcome = await stack.up(changed);
    await expectRefused(outcome);
  });

  test("a new resource is not created in the other account, and preview says so", async () => {
    const branch = { type: "WhitelistedIp", args: { ipCidr: "192.0.2.99" }, opts: { dependsOn: ["ip"] } };
    const preview = await stack.preview({ ...program, branch });
    expect([preview.code === 0, messagesOf(preview)]).toEqual([false, expect.stringMatching(both)]);
    await expectRefused(await stack.up());
    stack.write(program);
  });

  test("destroy removes nothing", async () => {
    const outcome = await stack.operate("destroy", "--yes", "--skip-preview", "--continue-on-error");
    await expectRefused(outcome);
    // The address is not attempted, because its dependents could not be deleted.
    expect(refused(outcome)).toEqual(Object.keys(program).filter((name) => name !== "ip"));
  });

  test("with the right token, everything works again", async () => {
    useToken("admin");
    const preview = await expectOk(stack.preview(program));
    expect(preview.changed).toEqual({});
    await expectOk(stack.destroy());
    expect(addressesOf(emulator).sort(), "all but what is in keep").toEqual(["198.51.100.1"]);
  });
});
