import { describe, expect, test } from "vitest";
import { refuseAccounts } from "../../../cli/rehearse/providers";
import { exitCode, type RehearsalReport } from "../../../cli/rehearse/report";
import { signatureKey, signatures, unknownValue } from "../../../provider/core/engine-values";

describe("an explicit provider", () => {
  const emulator = { baseUrl: "http://127.0.0.1:4010", apiToken: "stand-in" };
  const refusal = (inputs: Record<string, unknown>) => () =>
    refuseAccounts(
      [{ type: "pulumi:providers:dataplatform", urn: "urn:pulumi:s::p::pulumi:providers:dataplatform::own", inputs }],
      { baseUrl: emulator.baseUrl, tokens: [emulator.apiToken, "stand-in of another account"] },
      "in the program",
    );

  test.each([
    ["the emulator's address", { baseUrl: `${emulator.baseUrl}/`, apiToken: "[secret]" }],
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
    expect(refusal(inputs)).toThrow(/cannot rehearse this stack: in the program, its provider own has a platform/);
  });

  test("with another token is refused", () => {
    expect(refusal({ baseUrl: emulator.baseUrl, apiToken: "another" })).toThrow(/a token of its own/);
  });
});

describe("the exit code with --faults", () => {
  const ended = { updates: 2, faults: 3, recovered: true, errors: [], differences: [] };
  const report = (faults: RehearsalReport["faults"]) => ({ outcome: "succeeded", faults }) as RehearsalReport;

  test.each([
    [0, "recovered", ended],
    [2, "recovered, but ended differently", { ...ended, differences: ["1 more: whitelist"] }],
    [2, "did not recover", { ...ended, recovered: false }],
  ])("is %i if it %s", (code, _, faults) => {
    expect(exitCode(report(faults))).toBe(code);
  });
});
