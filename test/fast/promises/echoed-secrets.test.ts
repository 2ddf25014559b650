import { describe, expect, test } from "vitest";
import { redactor } from "../../../provider/core/redact";
import { dataStore } from "../../../provider/resources/data-store";
import { freshEmulator } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";

/** A platform may echo a secret in its errors, in any encoding. No part of it may be printed. */

const password = `Tr0ub4dor&3 <"correct"> 'horse'/battery+staple`;
const key = [
  "-----BEGIN RSA PRIVATE KEY-----",
  "MIIEpAIBAAKCAQEA7xK9fQm2Zp+4/Wv8yTqL0rNcVbXzAsDf",
  "Kd8fJq2Lw0PzXc5VbN7mQwErTyUiOp1AsDfGhJkL3ZxCvBnM",
  "-----END RSA PRIVATE KEY-----",
  "",
].join("\n");

const every = (text: string, spell: (code: number, character: string) => string) =>
  Array.from(text, (one) => spell(one.codePointAt(0)!, one)).join("");
const hex = (code: number, digits = 2) => code.toString(16).padStart(digits, "0");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const html = (text: string) =>
  text.replace(/[&<>"']/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[one]!);

const spellings: Readonly<Record<string, string>> = {
  verbatim: password,
  "in upper case": password.toUpperCase(),
  "in lower case": password.toLowerCase(),
  "without spaces": password.replaceAll(" ", ""),
  "with spaces between": [...password].join(" "),
  "with dashes between": [...password].join("-"),
  "with zero-width spaces between": [...password].join("\u200b"),
  "over several lines": password.replace(/(.{9})/g, "$1\r\n    "),
  "in JSON": JSON.stringify(password),
  "in JSON in JSON": JSON.stringify(JSON.stringify(password)),
  "in JSON, every character escaped": every(password, (code) => `\\u${hex(code, 4)}`),
  "in JavaScript, every character escaped": every(password, (code) => `\\x${hex(code)}`),
  "in a URL": encodeURIComponent(password),
  "in a URL in a URL": encodeURIComponent(encodeURIComponent(password)),
  "in a form": new URLSearchParams({ db: password }).toString(),
  "in a URL, every character escaped": every(password, (code) => `%${hex(code)}`),
  "in HTML": html(password),
  "in HTML in HTML": html(html(password)),
  "in HTML, as decimal entities": every(password, (code) => `&#${code};`),
  "in HTML, as hexadecimal entities": every(password, (code) => `&#x${hex(code)};`),
  "in HTML in JSON": JSON.stringify(html(password)),
  "in a shell": `'${password.replaceAll("'", "'\\''")}'`,
  "in SQL": `'${password.replaceAll("'", "''")}'`,
  "in quoted-printable": password.replace(/[^\w ]/g, (one) => `=${hex(one.charCodeAt(0)).toUpperCase()}`),
  "in base64": base64(password),
  "in base64 for URLs": Buffer.from(password).toString("base64url"),
  "in base64, one character in": base64(`:${password}`),
  "in base64, with its user": base64(`me:${password}`),
  "in base64, inside JSON": base64(JSON.stringify({ user: "me", password })),
  "in base64, in lines": base64(password).replace(/(.{20})/g, "$1\r\n"),
  "in base64 in a URL": encodeURIComponent(base64(password)),
  "in hex": Buffer.from(password).toString("hex"),
  "in hex, upper case": Buffer.from(password).toString("hex").toUpperCase(),
  "in hex, byte by byte": every(password, (code) => `${hex(code)} `),
  "in hex, with colons": every(password, (code) => `${hex(code)}:`),
  "one long word": password.slice(0, 9),
  "its start": password.slice(0, 14),
  "its end": password.slice(-14),
  "its middle": password.slice(10, 30),
  "a key, verbatim": key,
  "a key, trimmed": key.trim(),
  "a key with CRLF": key.replaceAll("\n", "\r\n"),
  "a key in one line": key.replaceAll("\n", ""),
  "a key with \\n": key.replaceAll("\n", "\\n"),
  "one line of a key": key.split("\n")[1]!,
  "part of a line of a key": key.split("\n")[2]!.slice(5, 25),
  "a key in upper case": key.toUpperCase(),
  "a key in a URL": encodeURIComponent(key),
  "a key in base64": base64(key),
};

/** Any eight consecutive characters of the echoed text. A key's BEGIN and END lines are not secret. */
function leaks(text: string, echoed: string): string[] {
  const secretPart = echoed.replace(/-+(BEGIN|END)[\w %]*-+/gi, "");
  const runs = Array.from({ length: Math.max(0, secretPart.length - 7) }, (_, at) => secretPart.slice(at, at + 8));
  return runs.filter((run) => /[\p{L}\p{N}]/u.test(run) && text.includes(run));
}

describe("a secret in the platform's message", () => {
  const emulator = freshEmulator();

  async function messageFor(body: unknown, dbPasswd: string): Promise<string> {
    emulator.setFaults({ rules: [{ operation: "dbTaps.create", kind: "respond", status: 422, body }] });
    const given = { dbName: "sales", dbHost: "db.example.com", dbLocation: "on-premise", gatewayIp: "10.0.0.1" };
    const secrets = { dbPasswd, gatewayUsername: "jump", gatewayPrivateKey: key };
    const { life } = inProcess(dataStore, emulator, { retries: 0 });
    return life.create({ ...given, ...secrets }).then(
      () => expect.unreachable("the platform rejected it"),
      ({ message }: Error) => message,
    );
  }

  test.each(Object.entries(spellings))("%s", async (_, echoed) => {
    for (const said of [echoed, `cannot connect with ${echoed}, sorry`]) {
      const structured = await messageFor({ error: { error_code: 422, error_message: said } }, password);
      expect(leaks(structured, echoed)).toEqual([]);
      expect(structured).toMatch(/^cannot create DataStore: could not create a data store.*422/);
      expect(leaks(await messageFor(`<html><body>${said}</body></html>`, password), echoed)).toEqual([]);
    }
  });

  const symbols = `?!"<$&%>#'\\/:;=`;
  test.each([
    ["as it is", symbols],
    ["in JSON", JSON.stringify(symbols)],
    ["in a URL", encodeURIComponent(symbols)],
    ["in HTML", html(symbols)],
  ])("a password without letters, %s", async (_, echoed) => {
    const message = await messageFor({ error: { error_code: 422, error_message: `no: ${echoed}` } }, symbols);
    expect(message).not.toContain(echoed);
  });
});

describe("a secret in our own messages", () => {
  const redact = redactor(password, key);
  // Our messages are not withheld; only the secret itself is redacted, as a whole or line by line.
  const whole = Object.entries(spellings).filter(([what]) => !/^its |part of|inside JSON|quoted-printable/.test(what));
  test.each(whole)("%s", (_, echoed) => {
    expect(leaks(redact(`before ${echoed} after`), echoed)).toEqual([]);
    expect(redact(`before ${echoed} after`)).toMatch(/^before .*after$/s);
  });
});
