import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { Refused } from "./refused";
import { sha256 } from "./state";

/* Who seals a plan has the private key, who applies it the public one: the job that applies cannot sign, and the job
 * that runs a pull request's program has neither. */

export const signingKeyVariable = "DATAPLATFORM_SIGNING_KEY";
export const verifyKeyVariable = "DATAPLATFORM_VERIFY_KEY";

/** One line each, for a variable. */
export function newKeys(): { readonly signing: string; readonly verify: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    signing: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    verify: bytesOf(publicKey).toString("base64"),
  };
}

const bytesOf = (key: KeyObject): Buffer => key.export({ type: "spki", format: "der" });

/** How every signing key begins. */
export const signingKeyStart = "MC4CAQAwBQYDK2VwBCIEI";

/** Of a key of either kind: short enough to be compared by eye, and to find the key that a signature names. */
export function fingerprint(key: string | KeyObject): string {
  const known = typeof key === "string" ? createPublicKey(signingKey(key)) : key;
  return sha256(bytesOf(known)).slice(0, 16);
}

/** The public half, as `keys` prints it. */
export function verifyKeyOf(signing: string): string {
  return bytesOf(createPublicKey(signingKey(signing))).toString("base64");
}

/** Whether one of the public keys, or the only one, is the other half. */
export function isOfPair(signing: string, keys: string): boolean {
  return publicKeys(keys).some((key) => fingerprint(key) === fingerprint(signing));
}

/** Without a key, it is a checksum: enough against accidents, on one's own machine. */
export function signatureOf(text: string, key: string | undefined): string {
  if (key === undefined) return `sha256:${sha256(text)}`;
  return `ed25519:${fingerprint(key)}:${sign(null, Buffer.from(text), signingKey(key)).toString("base64")}`;
}

/**
 * Refuses what does not fit, and returns the fingerprint of the key that it is signed with. `keys`: one or more, of which
 * the signature names one; undefined if there is none, which a forge does not allow.
 */
export function verifySignature(text: string, signature: string, keys: string | undefined): string | undefined {
  const [kind, signer = "", bytes = ""] = signature.split(":");
  const isSigned = kind === "ed25519";
  if (keys === undefined) {
    if (isSigned)
      throw new Refused([
        `not verifiable: the plan is signed, and ${verifyKeyVariable} is not set here; set the key that fits the one it was signed with`,
      ]);
    if (signature === signatureOf(text, undefined)) return undefined;
    throw changed(signature);
  }
  if (!isSigned)
    throw new Refused([
      `unsigned: the plan has only a checksum, and ${verifyKeyVariable} is set, so it must be signed: seal it where ${signingKeyVariable} is set`,
    ]);
  if (!/^[0-9a-f]{16}$/.test(signer)) throw changed(signature);
  const accepted = publicKeys(keys);
  const key = accepted.find((one) => fingerprint(one) === signer);
  if (!key)
    throw new Refused([
      `other key: the plan says that it is signed by the key ${signer}, and ${verifyKeyVariable} is ${accepted.map(fingerprint).join(", ")}; ` +
        `if the key was rotated, make a new plan, or let ${verifyKeyVariable} name both keys for a time; if it was not, somebody else has signed it`,
    ]);
  if (verify(null, Buffer.from(text), key, Buffer.from(bytes, "base64"))) return signer;
  throw changed(signature);
}

function changed(signature: string): Refused {
  return new Refused([
    `changed: the signature ${signature.slice(0, 32)}… does not fit what the plan says it is bound to; either was changed after it was sealed`,
  ]);
}

function signingKey(text: string): KeyObject {
  return ed25519(`${signingKeyVariable} is not an Ed25519 private key`, () =>
    text.includes("-----BEGIN")
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" }),
  );
}

const pem = /-----BEGIN[\s\S]*?-----END [A-Z ]+-----/g;

/** Several while a key is rotated: as PEM, or as text without spaces, one per line or with commas between. */
function publicKeys(text: string): KeyObject[] {
  const lines = text.replace(pem, " ").split(/[\s,]+/);
  return [...(text.match(pem) ?? []), ...lines.filter(Boolean)].map(publicKey);
}

function publicKey(text: string): KeyObject {
  // A private key would be accepted in the place of a public one, and must not be where plans are applied.
  return ed25519(`${verifyKeyVariable} is not an Ed25519 public key`, () =>
    text.includes("-----BEGIN PUBLIC")
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" }),
  );
}

function ed25519(otherwise: string, read: () => KeyObject): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The message of the library could quote the key.
  }
  throw new Error(`${otherwise}; make a pair with "dataplatform pipeline keys"`);
}
