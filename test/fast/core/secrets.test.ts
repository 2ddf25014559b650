import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { redactor } from "../../../provider/core/redact";
import { pathsOf, secretValues } from "../../../provider/core/secrets";
import { command } from "../../../provider/resources/command";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { withSecretsMarked } from "../../../sdk/secrets";
import { hostAt } from "../../harness/in-process";

test("a secret inside the elements of a list makes the list a secret, in the state and in messages", async () => {
  const [names, args] = [["vars.value"], { vars: [{ name: "day" }, { name: "key", value: "canary" }], name: "it" }];
  expect(secretValues(pathsOf(names), args)).toContain("canary");
  const marked = withSecretsMarked(args, names) as { vars: unknown; name: string };
  expect([await pulumi.isSecret(pulumi.output(marked.vars)), marked.name]).toEqual([true, "it"]);
  const later = withSecretsMarked({ vars: pulumi.output(args.vars) }, names) as { vars: pulumi.Output<unknown> };
  expect(await pulumi.isSecret(later.vars)).toBe(true);
  const plain = { vars: [{ name: "day" }] };
  expect(withSecretsMarked(plain, names)).toEqual(plain);
});

test("no message names a part of what the program hides, or what follows from it", () => {
  const { host, said } = hostAt({ url: "http://127.0.0.1:1", tokens: {} });
  new Lifecycle(whitelistedIp, host, [["ipCidr"]]).check({ ipCidr: "10.77.3.4/16" });
  new Lifecycle(whitelistedIp, host).check({ ipCidr: "10.77.3.4/16" });
  expect(said.warnings).toEqual([expect.stringContaining("10.77.0.0/16")]);
  const copy = { s3DistCp: { src: "s3://a/b", dest: "s3://c_word/d" } };
  const [failure] = new Lifecycle(command, host, [["s3DistCp", "dest"]]).check(copy).failures;
  expect(JSON.stringify(failure)).toContain("has the bucket [secret]");
});

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

describe("text from others", () => {
  const secret = "Straße-пароль-ΣΊΣΥΦΟΣ-🚧-密码-12";
  const { hidesIn } = redactor(secret);

  test.each([
    "<h1>502</h1> &#128679; &#x1F6A7; sorry",
    "\\ud83d\\udeb2 %F0%9F%9A%B2 %F0%9F 🚲 \ud83d",
    "&#99999999; \\u12 %zz &nope; =",
  ])("%j has characters of every size, and no secret", (page) => {
    expect(hidesIn(page)).toBe(false);
    expect(redactor(secret)(page)).toBe(page.toWellFormed());
  });

  test.each([
    ["in capitals", secret.toUpperCase()],
    ["in small letters", secret.toLowerCase()],
    ["in JSON after a picture", `&#128679; ${JSON.stringify({ secret })}`],
    ["in a URL", encodeURIComponent(secret)],
    ["as entities", Array.from(secret, (one) => `&#${one.codePointAt(0)};`).join("")],
  ])("a secret of many alphabets is found %s", (_, said) => {
    expect(hidesIn(`before ${said} after`)).toBe(true);
    expect(redactor(secret)(`before ${said} after`)).not.toMatch(/пароль|синтез|密码|\u5bc6/i);
  });

  test("a page of megabytes takes as long per character as a short one", () => {
    const cpuOf = (work: () => void): number => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const redact = redactor(secret, "a".repeat(2000));
    const pageOf = (repeats: number) => `${"a".repeat(50)}…&#128679;%20\\u0041 `.repeat(repeats);
    const both = (page: string) => () => void [redact(page), redact.hidesIn(page)];
    both(pageOf(1_000))();
    const [small, large] = [cpuOf(both(pageOf(2_000))), cpuOf(both(pageOf(20_000)))];
    expect(large).toBeLessThan(small * 60 + 500_000);
  });
});
