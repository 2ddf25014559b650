import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactor } from "../../../provider/core/redact";

describe("the redactor", () => {
  const secret = "pass\"word/with <all>\n& 'more' …";
  const redact = redactor(secret, "token-1234");

  test.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify({ secret })],
    ["in a URL", `https://example.com/?q=${encodeURIComponent(secret)}`],
    ["in HTML", "pass&quot;word/with &lt;all&gt;\n&amp; &#39;more&#39; …"],
    ["in the text of a page", "pass\"word/with <all> & 'more' …"],
    ["truncated", `the platform said pass"word/wi…`],
    ["truncated in JSON", JSON.stringify("pass\"word/with <all>\n& 'mo…")],
    ["truncated, twice", `token-12… and pass"word/with…`],
  ])("removes a secret %s", (_, text) => {
    const clean = redact(text);
    expect(clean).toContain("[secret]");
    expect(clean).not.toMatch(/pass|word|more|token/);
  });

  test("keeps other text, and what is too short to be a secret", () => {
    const text = "could not add 10.0.0.1: refused… abc";
    expect(redactor("abc", undefined, "")(text)).toBe(text);
    expect(redact(text)).toBe(text);
  });

  test("leaves no prefix of a secret in text truncated anywhere", () => {
    const words = fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(..."abcdefgh0123456789") });
    fc.assert(
      fc.property(words, fc.nat(60), (hidden, cutAt) => {
        const text = `the platform said: ${hidden}`;
        const cut = cutAt < text.length ? `${text.slice(0, cutAt)}…` : text;
        expect(redactor(hidden)(cut)).not.toContain(hidden.slice(0, 4));
      }),
    );
  });
});
