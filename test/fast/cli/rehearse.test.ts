import { describe, expect, onTestFinished, test } from "vitest";
import { AccountCopier } from "../../../cli/rehearse/copy";
import { refuse } from "../../../cli/rehearse/providers";
import { startStage } from "../../../cli/rehearse/rehearse";
import { changesText, exitCode, type RehearsalReport } from "../../../cli/rehearse/report";
import { callsOf, changesOf, countsOf, reportOf } from "../../../cli/rehearse/result";
import type { Thing } from "../../../cli/rehearse/thing";
import { defaultSeed } from "../../../emulator";
import { readSettings } from "../../../provider/api/settings";
import { signatureKey, signatures, unknownValue } from "../../../provider/core/engine-values";
import { redactor } from "../../../provider/core/redact";
import { ownEmulator } from "../../harness/emulators";
import { fetchOnce } from "../../harness/http";
import { definitionOf, hostAt, inProcess } from "../../harness/in-process";
import { forTest } from "../../harness/shared";
import { quiet } from "./stacks";

test("the emulator that holds a copy of the account has no control endpoints", async () => {
  const settings = readSettings(() => "", { DATAPLATFORM_BASE_URL: "http://localhost", DATAPLATFORM_API_TOKEN: "t" });
  const stage = await startStage({ settings, profile: undefined }, { seed: defaultSeed });
  onTestFinished(() => stage.close());
  expect((await fetchOnce(`${stage.url}/_emulator/state?secrets=1`)).status).toBe(404);
});

describe("an explicit provider", () => {
  const emulator = { baseUrl: "http://127.0.0.1:4010", apiToken: "stand-in" };
  const refusal = (inputs: Record<string, unknown>) => () =>
    refuse(
      [{ type: "pulumi:providers:dataplatform", urn: "urn:pulumi:s::p::pulumi:providers:dataplatform::own", inputs }],
      [],
      { baseUrl: emulator.baseUrl, tokens: [emulator.apiToken, "stand-in of another account"] },
      "in the program",
    );

  test.each([
    ["the emulator's address", { baseUrl: `${emulator.baseUrl}/api/`, apiToken: "[secret]" }],
    ["no address of its own", { apiToken: "[secret]" }],
    ["no settings of its own", {}],
    ["the token of another account in the state", { apiToken: "stand-in of another account" }],
    ["the token of an account that the update creates", { apiToken: unknownValue }],
  ])("with %s is played", (_, inputs) => {
    expect(refusal(inputs)).not.toThrow();
  });

  test.each([
    ["masked", { baseUrl: "[secret]", apiToken: "[secret]" }],
    ["masked, with the emulator's token", { baseUrl: "[secret]", apiToken: emulator.apiToken }],
    ["encrypted", { baseUrl: { [signatureKey]: signatures.secret, ciphertext: "v1:…" } }],
    ["known only after up", { baseUrl: unknownValue }],
    ["another", { baseUrl: "https://api.example.com" }],
  ])("with an address that is %s is refused: it may be production's", (_, inputs) => {
    expect(refusal(inputs)).toThrow(/cannot rehearse this stack: in the program, its provider "own" has a platform/);
  });

  test("with another token is refused", () => {
    expect(refusal({ baseUrl: emulator.baseUrl, apiToken: "another" })).toThrow(/a token of its own/);
  });
});

test.each([
  [0, "recovered", {}],
  [2, "recovered, but ended differently", { differences: ["1 more: whitelist"] }],
  [2, "did not recover", { recovered: false }],
])("the exit code with --faults is %i if it %s", (code, _, more) => {
  const faults = { updates: 2, faults: 3, recovered: true, errors: [], differences: [], ...more };
  expect(exitCode({ outcome: "succeeded", faults } as unknown as RehearsalReport)).toBe(code);
});

test("where secrets are not known, a request shows neither its body nor the names in its path", () => {
  const path = "/api/v1.2/groups/77/roles/brandnew/assign?x=brandnew";
  const request = { operation: "groups.assignRole", method: "PUT", path, body: { role: "brandnew" }, status: 404 };
  const shown = callsOf([request] as never, redactor(), "(hidden)");
  expect(shown).toMatchObject([{ path: "/api/v1.2/groups/…", body: "(hidden)", status: 404 }]);
  expect(callsOf([request] as never, redactor(), undefined)[0]?.path).toContain("brandnew");
});

test("a replaced resource is one change, and what an earlier replacement left is not a second one", () => {
  const step = (op: string, name: string) => ({ op, urn: `urn:pulumi:dev::p::t::${name}`, type: "t" });
  const ops = {
    a: ["create-replacement", "replace", "delete-replaced"],
    b: ["delete-replaced", "create-replacement", "replace"],
    c: ["update", "delete-replaced"],
    d: ["delete-replaced"],
  };
  const steps = Object.entries(ops).flatMap(([name, all]) => all.map((op) => step(op, name)));
  const changes = countsOf(changesOf(steps).values());
  expect(changesText({ changes } as RehearsalReport)).toBe("2 to replace, 1 to update, 1 to delete");
});

test("a token that the rehearsal has no stand-in for is named, in a failed run and in a warning of one", async () => {
  const platform = await ownEmulator();
  const { life, said } = inProcess(definitionOf("WhitelistedIp"), platform, { token: "written-in-the-program" });
  const inputs = { ipCidr: "203.0.113.2" };
  const { message } = (await life.create(inputs).catch((error: unknown) => error)) as Error;
  await life.foresee(undefined, inputs);
  const warnings = said.warnings.map((one) => ({ message: one }));
  const update = { isOk: false, steps: [], errors: [{ message }], warnings };
  const about = { emulator: platform, preview: { written: [] }, update, end: { resources: [] }, assumptions: [] };
  const stack = { original: { config: {} }, exported: {}, existing: [], settings: { apiToken: "known" } };
  const report = reportOf({ ...stack, ...about } as never);
  expect(exitCode(report)).toBe(2);
  for (const told of [report.errors, report.warnings]) {
    expect(told).toEqual([{ message: expect.stringContaining("the rehearsal does not know this token") }]);
    expect(told[0]!.message).not.toContain("rejected the token");
  }
});

test("a planned data store assumes that the platform reaches its host, which the emulator cannot test", async () => {
  const client = forTest(hostAt(await ownEmulator()).client);
  const connections = async (planned: readonly Thing[], existing: readonly Thing[] = []) => {
    const copier = new AccountCopier(client, quiet(), { replaceSecret: () => "stand-in" });
    const { assumptions } = await copier.copy(existing, planned);
    return assumptions.filter(({ what }) => what.includes("reaches"));
  };
  const store = (state: Record<string, unknown>, id = ""): Thing => ({ type: "DataStore", id, state });
  const planned = [
    store({ dbHost: "unreachable.example.com", dbName: "a" }),
    store({ dbHost: "db.example.com", dbName: "b", skipValidation: false }),
    store({ dbHost: "untested.example.com", dbName: "c", skipValidation: true }),
  ];
  expect(await connections(planned)).toEqual([
    { what: "whether the platform reaches the database at unreachable.example.com, db.example.com", assumed: "yes" },
  ]);
  expect(await connections([], [store({ dbHost: "db.example.com", dbName: "b" }, "601")])).toEqual([]);
});
