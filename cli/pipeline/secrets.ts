import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { signatureKey, signatures } from "../../provider/core/engine-values";
import { providerToken, urnParts } from "../../provider/core/urn";
import { definitionOf } from "../pulumi/managed";
import { Refused } from "./refused";
import { pulumiOutput, quiet } from "./run";
import { withCopy } from "./snapshot";
import type { Exported } from "./state";

interface Place {
  readonly project: string;
  readonly stack: string;
  /** How the stack's secrets are encrypted. */
  readonly encryption: NonNullable<NonNullable<Exported["deployment"]>["secrets_providers"]>;
}

/**
 * Decrypts what is encrypted in values, so that rules can judge it. The engine does it, with whatever key service the
 * stack has: it exports a stack that holds nothing else. The plain text stays in memory.
 */
export async function decrypted<T>(value: T, place: Place): Promise<T> {
  const texts = [...new Set(ciphertextsIn(value))];
  if (texts.length === 0) return value;
  const plain = await plainTexts(texts, place);
  return JSON.parse(JSON.stringify(value), (_key, inner: unknown) => {
    const text = ciphertextOf(inner);
    return text === undefined ? inner : { [signatureKey]: signatures.secret, value: plain.get(text) };
  }) as T;
}

async function plainTexts(texts: readonly string[], place: Place): Promise<ReadonlyMap<string, unknown>> {
  const { project, stack, encryption } = place;
  const secret = (ciphertext: string): object => ({ [signatureKey]: signatures.secret, ciphertext });
  const outputs = Object.fromEntries(texts.map((text, index) => [`s${index}`, secret(text)]));
  const urn = `urn:pulumi:${stack}::${project}::pulumi:pulumi:Stack::${project}-${stack}`;
  const resource = { urn, custom: false, type: "pulumi:pulumi:Stack", outputs };
  const manifest = { time: new Date(0).toISOString(), magic: "", version: "" };
  const deployment = { manifest, secrets_providers: encryption, resources: [resource] };
  const exported = await withCopy(place, deployment, async (backend, folder) => {
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: project, runtime: "nodejs" }));
    const args = ["stack", "export", "--show-secrets", ...quiet(stack)];
    return pulumiOutput(args, "state", { cwd: folder, env: backend }).catch((error: Error) => {
      throw new Refused([`not verifiable: encrypted values of the plan cannot be decrypted: ${error.message}`]);
    });
  });
  const [found] = (JSON.parse(exported) as Exported).deployment?.resources ?? [];
  return new Map(
    texts.map((text, index) => {
      const { plaintext } = (found?.outputs?.[`s${index}`] ?? {}) as { plaintext?: string };
      if (plaintext === undefined) throw new Refused(["not verifiable: an encrypted value cannot be decrypted"]);
      return [text, JSON.parse(plaintext)];
    }),
  );
}

/** What resources of other packages may have: files, and resources. Ours have neither. */
const ofOthers: readonly unknown[] = [signatures.asset, signatures.archive, signatures.resource];

/**
 * Refuses what is not as the engine writes it. The engine reads more than it writes: texts as bytes, numbers as bits,
 * secrets that are not encrypted, and each inside the others. Nobody here would see what they stand for.
 */
export function refuseOtherForms(plans: Plans, secretsAre: "ciphertext" | "value"): void {
  for (const [urn, plan] of Object.entries(plans)) {
    const { type } = urnParts(urn);
    const isJudged = definitionOf(type) !== undefined || type === providerToken;
    // Inside of a secret, others may have whatever they like.
    const isRead = secretsAre === "value" || isPlain(plan, ofOthers, secretsAre);
    if (!isRead || (isJudged && !isPlain(plan.goal?.inputDiff, [], secretsAre)))
      throw new Refused(["not verifiable: the plan has a value in a form that the engine reads, and nobody here"]);
  }
}

type Plans = Readonly<Record<string, { readonly goal?: { readonly inputDiff?: unknown } | null | undefined }>>;

/** Whether everything that the engine marks, because JSON has no type for it, is allowed here. */
function isPlain(value: unknown, allowed: readonly unknown[], secretsAre?: "ciphertext" | "value"): boolean {
  if (typeof value !== "object" || value === null) return true;
  const { [signatureKey]: mark, ...rest } = value as Record<string, unknown>;
  if (secretsAre && mark === signatures.secret) {
    // Inside a secret there is no other.
    const [name, ...others] = Object.keys(rest);
    const isText = secretsAre === "value" || typeof rest["ciphertext"] === "string";
    return name === secretsAre && others.length === 0 && isText && isPlain(rest[name], allowed);
  }
  const isAllowed = !(signatureKey in value) || allowed.includes(mark);
  return isAllowed && Object.values(rest).every((inner) => isPlain(inner, allowed, secretsAre));
}

export const isEncrypted = (value: unknown): boolean => ciphertextsIn(value).length > 0;

function ciphertextsIn(value: unknown): string[] {
  const text = ciphertextOf(value);
  if (text !== undefined) return [text];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(ciphertextsIn) : [];
}

function ciphertextOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { [signatureKey]: signature, ciphertext } = value as Record<string, unknown>;
  return signature === signatures.secret && typeof ciphertext === "string" ? ciphertext : undefined;
}
