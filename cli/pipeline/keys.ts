import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { Refused } from "./refused";

/* Who seals a plan has the private key, who applies it the public one: the job that applies cannot sign, and the job
 * that runs a pull request's program has neither. */

export const signingKeyVariable = "DATAPLATFORM_SIGNING_KEY";
export const verifyKeyVariable = "DATAPLATFORM_VERIFY_KEY";

/** One line each, for a variable. */
export function newKeys(): { readonly signing: string; readonly verify: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    signing: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    verify: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

/** Without a key, it is a checksum: enough against accidents, on one's own machine. */
export function signatureOf(text: string, key: string | undefined): string {
  if (key === undefined) return `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return `ed25519:${sign(null, Buffer.from(text), signingKey(key)).toString("base64")}`;
}

/** Refuses what does not fit. `key`: undefined if there is none, which a forge does not allow. */
export function verifySignature(text: string, signature: string, key: string | undefined): void {
  const isSigned = signature.startsWith("ed25519:");
  if (key !== undefined && !isSigned)
    throw new Refused([
      `unsigned: the plan has only a checksum, and ${verifyKeyVariable} is set, so it must be signed`,
    ]);
  if (key === undefined && isSigned)
    throw new Refused([
      `not verifiable: the plan is signed, and ${verifyKeyVariable} is not set here; set the key that fits the one it was signed with`,
    ]);
  if (key === undefined ? isEqual(signature, signatureOf(text, undefined)) : isSignedBy(key, text, signature)) return;
  throw new Refused([
    `changed: the signature ${signature.slice(0, 24)}… does not fit what the plan says it is bound to; ` +
      `either was changed after it was sealed, or it was sealed with a key that is not the one of ${verifyKeyVariable}`,
  ]);
}

function isSignedBy(key: string, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature.slice("ed25519:".length), "base64");
  return verify(null, Buffer.from(text), publicKey(key), bytes);
}

function signingKey(text: string): KeyObject {
  try {
    const key = text.includes("-----BEGIN")
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The message of the library could quote the key.
  }
  throw new Error(`${signingKeyVariable} is not an Ed25519 private key; make a pair with "dataplatform pipeline keys"`);
}

function publicKey(text: string): KeyObject {
  try {
    // A private key would be accepted in the place of a public one, and must not be where plans are applied.
    const key = text.includes("-----BEGIN PUBLIC")
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The same message as for a key of another kind.
  }
  throw new Error(`${verifyKeyVariable} is not an Ed25519 public key; make a pair with "dataplatform pipeline keys"`);
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
