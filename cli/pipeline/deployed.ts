import { signatureOf, verifySignature } from "./keys";
import type { Bound } from "./plan";
import { Refused } from "./refused";
import { git, gitAgrees, pulumiOutput, quiet } from "./run";

/* What was merged against a refusal is on the protected branch, and would judge whatever comes next. So `seal` compares
 * with what this stack was last deployed with, too: it signs the tree that it has judged, `apply` writes that into the
 * message of the update, and the backend keeps it in the stack's history. */

const provenText = (stack: string, tree: string): string => `dataplatform judged 1\n${JSON.stringify([stack, tree])}`;

/** Says that the rules, workflows and settings of this tree were in force, or approved, for the stack. */
export function judgedProof(stack: string, tree: string, key: string | undefined): string {
  return signatureOf(provenText(stack, tree), key);
}

/** How the messages of all updates with a plan begin. */
const beginningOf = (id: string): string => `dataplatform pipeline: plan ${id.slice(0, 12)}, `;

/** For `pulumi up --message`. */
export function updateMessage({ tree, judged }: Pick<Bound, "tree" | "judged">, id: string): string {
  return `${beginningOf(id)}tree ${tree}, ${judged}`;
}

const message = /^dataplatform pipeline: plan \w+, tree ([0-9a-f]{40,64}), (\S+)$/;
/** Each is a file in a bucket. Updates by hand come in between. */
const mostUpdates = 50;

interface Update {
  readonly message?: string;
  readonly result?: string;
  readonly endTime?: string;
}

/** Newest first. */
async function updatesOf(stack: string): Promise<readonly Update[]> {
  const args = ["stack", "history", "--json", "--page-size", String(mostUpdates), ...quiet(stack)];
  return (JSON.parse(await pulumiOutput(args, "state")) as readonly Update[] | null) ?? [];
}

/** When a plan was carried out. */
export async function appliedAt(stack: string, id: string): Promise<string | undefined> {
  const done = (await updatesOf(stack)).find(
    ({ message: said, result }) => result === "succeeded" && said?.startsWith(beginningOf(id)),
  );
  return done && (done.endTime ?? "an unknown time");
}

/** The tree of the newest update that carried out a sealed plan. `keys`: for verifying; undefined to believe it. */
export async function lastDeployed(stack: string, keys: string | undefined): Promise<string | undefined> {
  return provenTree(stack, await updatesOf(stack), keys);
}

/** Newest first. Whoever can write to the backend can write a message, and cannot sign it. */
export function provenTree(stack: string, updates: readonly Update[], keys: string | undefined): string | undefined {
  for (const update of updates) {
    const [, tree, proof] = message.exec(update.message ?? "") ?? [];
    if (tree && proof && isProven(stack, tree, proof, keys)) return tree;
  }
  return undefined;
}

function isProven(stack: string, tree: string, proof: string, keys: string | undefined): boolean {
  if (keys === undefined) return true;
  try {
    return verifySignature(provenText(stack, tree), proof, keys) !== undefined;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

export const hasTree = (tree: string): Promise<boolean> => gitAgrees("cat-file", "-e", `${tree}^{tree}`);

/** To compare with nothing. */
export const emptyTree = (): Promise<string> => git("hash-object", "-t", "tree", "--stdin");
