import type { Guarded } from "./guarded";
import { type HeadConfig, headConfig } from "./head-config";
import { Refused } from "./refused";
import { canonical, type Exported } from "./state";

type Encryption = HeadConfig["encryption"];

interface Evidence {
  readonly base: string;
  readonly stack: string;
  readonly exported: Exported;
  /** What is looser on the protected branch than it was at the last deployment. */
  readonly since: { readonly loosened: readonly Guarded[] };
  readonly loosening: { readonly isApproved: boolean } | undefined;
}

/**
 * Whether secrets may be decrypted as the change says. Whoever names a key service has a request sent to its address,
 * signed with the credentials of the job. So: only what the state was written with already, what the protected branch
 * says (unless it was loosened there), or what is approved.
 */
export async function isTrusted(encryption: Encryption, evidence: Evidence): Promise<boolean> {
  const { base, stack, exported, since, loosening } = evidence;
  if (!encryption || loosening === undefined || loosening.isApproved) return true;
  const same = (other: Encryption | undefined): boolean => canonical(other ?? null) === canonical(encryption);
  if (same(exported.deployment?.secrets_providers)) return true;
  return since.loosened.length === 0 && same(await encryptionOf(base, stack));
}

/** None, if its file cannot be read: a change may mend that. */
async function encryptionOf(commit: string, stack: string): Promise<Encryption> {
  try {
    return (await headConfig(commit, stack)).encryption;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

export const notDecrypted =
  "not decrypted: the change sets another encryption (secretsprovider, encryptedkey, encryptionsalt), and its key service would get a request with the credentials of this job; what the plan does is judged once that is approved";
