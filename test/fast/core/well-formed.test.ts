import { expect, test } from "vitest";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { parseJson } from "../../../provider/values/json";
import { freshEmulator } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";

/** The engine hangs on text that is no Unicode. Servers cut messages anywhere, and JSON allows half a character. */
const emulator = freshEmulator();
const half = '{"error":{"error_code":422,"error_message":"no \\ud83d way"},"\\udead":["\\ud83d\\udea7"]}';

test("JSON of the platform", () => {
  const parsed = parseJson(half);
  expect(JSON.stringify(parsed)).not.toMatch(/\\u(d83d|dead)/i);
  expect(parsed).toEqual({ error: { error_code: 422, error_message: "no \ufffd way" }, "\ufffd": ["🚧"] });
});

test("messages of a refusal", async () => {
  emulator.setFaults({ rules: [{ operation: "whitelist.add", kind: "respond", status: 422, body: half }] });
  const error = await inProcess(whitelistedIp, emulator)
    .life.create({ ipCidr: "192.0.2.1" })
    .catch((failure: Error) => failure);
  expect((error as Error).message).toContain("no \ufffd way");
  expect((error as Error).message.isWellFormed()).toBe(true);
});

test("a page of a proxy with characters of every size, cut anywhere", async () => {
  for (let padding = 0; padding < 4; padding++) {
    const body = `<html>${"x".repeat(padding)}${"🚧".repeat(400)} &#128679; &#x1F6A7;</html>`;
    emulator.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "respond", status: 502, body }] });
    const { life, said } = inProcess(objectPolicy, emulator, { retries: 0 });
    const policy = [{ access: "allow", action: ["read"] }];
    const error = await life.create({ sourceType: "note", sourceId: "501", policy }).catch((failure: Error) => failure);
    const texts = [(error as Error).message, ...said.warnings];
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
    expect(texts.join()).toContain("502");
  }
});
