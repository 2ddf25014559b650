import { resolve } from "node:path";
import { projectName } from "../pulumi/project";
import { emptyTree, hasTree, lastDeployed } from "./deployed";
import { approvals, type Guarded, guardedChanges, isApproved, isLoosening, looseningDigest } from "./guarded";
import { type HeadConfig, headConfig, hostGate } from "./head-config";
import { signingKeyStart } from "./keys";
import { approvalVariable } from "./place";
import { Refused } from "./refused";
import { filesWith, git } from "./run";
import { canonical, type Exported } from "./state";

/** What guards the platform: what the change does to it, and what was done to it before. */
export type Guard = Awaited<ReturnType<typeof guardOf>>;

/** What is looser than it was when the stack was last deployed, apart from what the change itself does. */
interface Since {
  readonly loosened: readonly Guarded[];
  /** What of it the protected branch did, if the change touches the same files. */
  readonly merged?: readonly Guarded[];
  /** False if there is nothing earlier: then everything is listed as loosened. */
  readonly isKnown: boolean;
  /** What it was compared with. */
  readonly words: string;
}

interface GuardRequest {
  readonly base: string;
  readonly head: string;
  readonly stack: string;
  readonly exported: Exported;
  /** For verifying what earlier deployments were judged by; undefined where plans are not signed. */
  readonly keys: string | undefined;
}

export async function guardOf(request: GuardRequest) {
  const { base, head, stack, exported } = request;
  const project = projectName(resolve(".")) ?? "";
  const guarded = await guardedChanges(base, head, project);
  const deployed = await lastDeployed(stack, request.keys);
  const since = await sinceDeployed(request, deployed, project, guarded);
  const digest = looseningDigest([...guarded, ...since.loosened]);
  const loosening = digest === undefined ? undefined : { digest, isApproved: isApproved(digest) };
  const config = await headConfig(head, stack);
  const rulesAt = (commit: string) => git("cat-file", "blob", `${commit}:./policies.json`).catch(() => undefined);
  return {
    project,
    /** What differs from the protected branch. */
    guarded,
    /** The tree of the last deployment, if it is known. */
    deployed,
    since,
    loosening,
    config,
    /** Whether secrets may be decrypted as `config` says. */
    isKeyTrusted: await isTrusted(config.encryption, { base, stack, exported, since, loosening }),
    policies: { base: await rulesAt(base), head: await rulesAt(head) },
    gates: [
      ...(loosening && !loosening.isApproved
        ? [looseningGate(loosening.digest, guarded.some(isLoosening), since)]
        : []),
      ...hostGate(config.baseUrl),
      ...(await keyGates(head)),
    ],
  };
}

type Encryption = HeadConfig["encryption"];
type Evidence = Pick<GuardRequest, "base" | "stack" | "exported"> & {
  readonly since: Pick<Since, "loosened">;
  readonly loosening: { readonly isApproved: boolean } | undefined;
};

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

/** Whoever can read the repository could sign. */
export async function keyGates(head: string): Promise<string[]> {
  return (await filesWith([signingKeyStart], head)).map(
    (at) => `signing key: ${at.slice(head.length + 1)} has one, which everybody can read here; make new keys`,
  );
}

/** A change that was merged against its refusal is on the protected branch: only an older tree shows it. */
export async function sinceDeployed(
  { base, head, stack, exported, keys }: GuardRequest,
  tree: string | undefined,
  project: string,
  guarded: readonly Guarded[],
): Promise<Since> {
  const isHere = tree !== undefined && (await hasTree(tree));
  const isFirst = tree === undefined && (exported.deployment?.resources ?? []).length === 0;
  if (!isHere && (isFirst || keys === undefined))
    return { loosened: [], isKnown: false, words: `nothing earlier, as this pipeline has not deployed ${stack}` };
  const known = new Set(guarded.map(contents));
  const changes = await guardedChanges(isHere ? tree : await emptyTree(), head, project);
  const loosened = changes.filter((one) => isLoosening(one) && !known.has(contents(one)));
  if (isHere) {
    const words = `the last deployment of ${stack} (tree ${tree.slice(0, 12)})`;
    return { ...(await withoutOwn(loosened, guarded, [tree, base, project])), isKnown: true, words };
  }
  // Somebody wrote the state in another way, removed its history, or signed with a key that no longer counts.
  const words = tree
    ? `nothing earlier, as tree ${tree.slice(0, 12)} of the last deployment of ${stack} is not in this clone`
    : `nothing earlier, as none of the last updates of ${stack} has a signature that counts`;
  return { loosened, isKnown: false, words };
}

/** Without what only the change itself loosens, in a file that was also changed harmlessly since the last deployment. */
async function withoutOwn(
  loosened: readonly Guarded[],
  guarded: readonly Guarded[],
  sinceThen: Parameters<typeof guardedChanges>,
): Promise<Pick<Since, "loosened" | "merged">> {
  const paths = (changes: readonly Guarded[]) => new Set(changes.filter(isLoosening).map(({ path }) => path));
  const own = paths(guarded);
  if (!loosened.some(({ path }) => own.has(path))) return { loosened };
  const merged = await guardedChanges(...sinceThen);
  const before = paths(merged);
  return { loosened: loosened.filter(({ path }) => before.has(path) || !own.has(path)), merged };
}

const contents = ({ path, blobs }: Guarded): string => canonical([path, blobs]);

function looseningGate(digest: string, isOwn: boolean, { loosened, isKnown, words }: Since): string {
  const since = isKnown ? "may have been loosened on the protected branch since" : "is compared with";
  const whys = [
    ...(isOwn ? ["it may loosen what guards the platform"] : []),
    ...(loosened.length > 0 ? [`what guards the platform ${since} ${words}`] : []),
  ];
  const others = approvals().join(", ");
  const wrong = others && ` (it is ${others}: that approves something else)`;
  return `needs approval: ${whys.join("; ")}; whoever may decide that sets ${approvalVariable} to ${digest}${wrong}, for this seal job, and runs it again`;
}
