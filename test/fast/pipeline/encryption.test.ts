import { expect, test } from "vitest";
import { isTrusted } from "../../../cli/pipeline/guard";
import { headConfig } from "../../../cli/pipeline/head-config";
import { isEncrypted } from "../../../cli/pipeline/secrets";
import { eachWithCommit } from "./repository";

/* A change that names another key service must not have a request sent there, signed with the job's credentials. */

const file = (url: string, key = "AAAA") => `secretsprovider: ${url}\nencryptedkey: ${key}\nconfig: {}\n`;
const ours = "awskms://alias/pulumi?region=eu-central-1";
const theirs = "awskms://alias/pulumi?region=eu-central-1&endpoint=https://evil.example.com";
const project = { "Pulumi.yaml": "name: platform\nruntime: nodejs\n" };
const none = { exported: {}, since: { loosened: [] }, loosening: { isApproved: false } };
const at = eachWithCommit();

async function judged(texts: readonly (string | undefined)[], more: Partial<Parameters<typeof isTrusted>[1]> = {}) {
  const [base, head] = texts.map((text) =>
    at.repository.commit({ ...project, ...(text && { "Pulumi.prod.yaml": text }) }),
  );
  const { encryption } = await headConfig(head!, "prod");
  return isTrusted(encryption, { base: base!, stack: "prod", ...none, ...more });
}
const written = (url: string) => ({
  deployment: { secrets_providers: { type: "cloud", state: { url, encryptedkey: "AAAA" } } },
});
const loosened = { loosened: [{ path: "Pulumi.prod.yaml", blobs: "", changes: [] }] };

test.each([
  ["another key service", [file(ours), file(theirs)], {}],
  ["another key", [file(ours), file(ours, "BBBB")], {}],
  ["another salt", ["encryptionsalt: v1:a\n", "encryptionsalt: v1:b\n"], {}],
  ["a key service for a passphrase", ["encryptionsalt: v1:a\n", file(theirs)], {}],
  ["the first one", ["config: {}\n", file(theirs)], {}],
  ["one in the place of a file that cannot be read", ["a: *x\n", file(theirs)], {}],
  ["one that was merged against the refusal", [file(theirs), file(theirs)], { since: loosened }],
])("%s is not used before it is approved", async (_what, texts, more) => {
  expect(await judged(texts, more)).toBe(false);
  expect(await judged(texts, { ...more, loosening: { isApproved: true } })).toBe(true);
});

test.each([
  ["what the protected branch says, whatever else the change loosens", [file(ours), file(ours)], {}],
  ["what the state was written with", [undefined, file(ours)], { exported: written(ours) }],
  ["none", ["config: {}\n", "config: {platform:x: 1}\n"], {}],
  ["all, if nothing is loosened", [file(ours), file(ours)], { loosening: undefined }],
])("%s is", async (_what, texts, more) => {
  expect(await judged(texts, more)).toBe(true);
});

test("a plan without encrypted values needs no key", () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
  expect(isEncrypted({ a: [{ b: secret }] })).toBe(true);
  expect(isEncrypted({ a: [{ b: "v1:x" }] })).toBe(false);
});
