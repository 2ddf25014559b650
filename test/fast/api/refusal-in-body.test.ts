import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anyAnswer, readAnswer } from "../../../provider/api/answer";
import { operations } from "../../../provider/api/operations";

/* HTTP 200 says little: what the body says counts. The specification shows only what a success looks like. */

const { assignRole, deleteWhitelistedIps, setObjectPolicy, createDataStore, submitCommand } = operations;
const record = z.looseObject({ id: z.number() });

function read(operation: (typeof operations)[keyof typeof operations], body: unknown, schema: z.ZodType = anyAnswer) {
  return () => readAnswer(operation, { status: 200, text: JSON.stringify(body), retryAfter: undefined }, schema);
}

const words = "the role is protected";

describe("a refusal, with the platform's words", () => {
  test.each([
    [{ status: { status_code: 1001, message: words } }, words],
    [{ status: { status_code: -1, message: words } }, words],
    [{ status: { status_code: "ERR_LIMIT", message: words } }, words],
    [{ status: { status_code: 403, message: words } }, words],
    [{ code: 422, message: words }, words],
    [{ status: `not allowed: ${words}` }, words],
    [{ status: "role_not_found" }, "role_not_found"],
    [{ status: "not done" }, "not done"],
    [{ status: "ko", message: words }, words],
    [{ message: "Forbidden" }, "Forbidden"],
    [{ message: "role not found" }, "role not found"],
    [{ result: "error" }, "error"],
    [{ result: "failed", message: words }, words],
    [{ error: { error_code: 0, error_message: words } }, words],
    [{ error: {} }, "rejected"],
    [{ errors: [null, words] }, words],
  ])("%j", (body, said) => {
    for (const operation of [assignRole, deleteWhitelistedIps, setObjectPolicy])
      expect(read(operation, body)).toThrow(said);
  });

  test("instead of a record", () => {
    const body = { code: 422, message: "the quota is used up" };
    for (const operation of [createDataStore, submitCommand])
      expect(read(operation, body, record)).toThrow(
        expect.objectContaining({ code: "rejected", outcome: "refused", platformMessage: "the quota is used up" }),
      );
  });
});

describe("a success", () => {
  test.each([
    { status: { status_code: 200, message: "no errors" } },
    { status: { status_code: "201" } },
    { status: { status_code: 0 } },
    { status: { message: "done" } },
    { status: "done" },
    { status: "Role assigned" },
    { status: "queued" },
    { status: "success", message: "role assigned; 2 users not found in the cache" },
    { message: "no errors" },
    { code: 200, message: "ok" },
    { error: { error_code: 0, error_message: "" }, status: "done" },
    { error: {}, errors: [null], status: "done" },
    { error: null, errors: [] },
    {},
    [],
  ])("%j", (body) => {
    for (const operation of [assignRole, deleteWhitelistedIps, setObjectPolicy])
      expect(read(operation, body)).not.toThrow();
  });

  test("a record may have a status of its own, and an empty error", () => {
    const command = { id: 1, status: "error", error: { error_code: 0 } };
    expect(read(submitCommand, command, record)).not.toThrow();
    const account = { account_id: 1, status: "success", errors: [null], error: { error_code: 200, error_message: "" } };
    expect(read(operations.createAccountV2, account, z.looseObject({}))).not.toThrow();
  });
});

test("where the specification shows the word, another word is no success, and nobody knows what it did", () => {
  const body = { status: "blocked" };
  expect(read(assignRole, body)).toThrow(expect.objectContaining({ code: "bad-answer", outcome: "open" }));
  expect(read(assignRole, body)).toThrow('answered "blocked" instead of "done"');
  expect(read(setObjectPolicy, body)).not.toThrow();
});
