import { existsSync, readFileSync } from "node:fs";
import { tokenHostsVariable } from "../../provider/api/settings";
import { isOfPair, signingKeyVariable, verifyKeyOf, verifyKeyVariable } from "./keys";

/** Where the pipeline runs, and what it must and must not find there. */
export type ForgeKind = "github" | "gitlab";
type Variables = NodeJS.ProcessEnv;

export function forgeKind(env: Variables = process.env): ForgeKind | undefined {
  if (env["GITHUB_ACTIONS"] === "true") return "github";
  return env["GITLAB_CI"] === "true" ? "gitlab" : undefined;
}

/** Whether others can start the job, or write where it reads: on a forge, and on every other CI. */
const isShared = (env: Variables): boolean =>
  forgeKind(env) !== undefined || !["", "0", "false"].includes(env["CI"] ?? "");

/** A public key may be in a file of the protected branch. */
export const verifyKeyFile = "dataplatform.pub";

/** What would let a pull request decide what a trusted job does. Nothing on one's own machine. */
export function requireTrusted(env: Variables = process.env): void {
  if (!isShared(env)) return;
  const code = Object.keys(env).filter(
    (name) => env[name] && /^(NODE_OPTIONS|NODE_PATH|LD_PRELOAD|LD_AUDIT)$/.test(name),
  );
  if (code.length > 0)
    throw new Error(
      `${code.join(", ")} is set: it makes Node run other code; remove it from this job, and close variables`,
    );
  if (forgeKind(env) === "gitlab" && !env["CI_CONFIG_PATH"]?.includes("@"))
    throw new Error(
      `the CI/CD configuration is ${env["CI_CONFIG_PATH"] ?? "in the repository"}, so a merge request can change it; ` +
        "keep it in a project of its own, and set Settings > CI/CD > General pipelines > CI/CD configuration file to gitlab-ci.yml@group/project",
    );
  requireTokenHosts(env);
}

/** The repository says where the token goes; the environment must say where it may. */
function requireTokenHosts(env: Variables = process.env): void {
  if (isShared(env) && !env[tokenHostsVariable])
    throw new Error(
      `${tokenHostsVariable} is not set, and a pull request can change dataplatform:baseUrl; set it to the platform's host`,
    );
}

/** The job that runs a pull request's program must hold nothing that the program must not have. */
export function requireUntrusted(env: Variables = process.env): void {
  requireTokenHosts(env);
  // Elsewhere all phases may be one job.
  if (forgeKind(env) === undefined) return;
  const forbidden = [
    ...[signingKeyVariable, "PULUMI_BACKEND_URL", "PULUMI_ACCESS_TOKEN", "PGPASSWORD"],
    ...["GITHUB_TOKEN", "GH_TOKEN", "REPORT_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"],
  ].filter((name) => env[name]);
  if (forbidden.length > 0)
    throw new Error(
      `this job runs the program of a pull request, which could read ${forbidden.join(", ")}; remove ${forbidden.length === 1 ? "it" : "them"} from the job`,
    );
}

export const approvalVariable = "DATAPLATFORM_APPROVED_RULES";

/** On GitHub, whoever may push may set variables of the repository; one of the environment goes before them. */
export function requireApprovals(env: Variables = process.env): void {
  if (forgeKind(env) === "github" && !env[approvalVariable])
    throw new Error(
      `${approvalVariable} is not set for the environment of this job, and one of the repository, which anybody who can push may set, would count; set it to none there, once and for all`,
    );
}

/** Steps that would run the program with the secrets of another job. */
export function requireOwnMachine(step: string, env: Variables = process.env): void {
  if (forgeKind(env) !== undefined)
    throw new Error(
      `"pipeline ${step}" runs all phases in one process, on your own machine; here each phase is a job: snapshot, preview --snapshot, seal, apply --plan`,
    );
}

export function signingKey(env: Variables = process.env): string | undefined {
  const key = needed(signingKeyVariable, env[signingKeyVariable], env);
  const accepted = verifyKeysHere(env);
  // What it seals would be refused after the merge.
  if (key && accepted && !isOfPair(key, accepted))
    throw new Error(
      `${signingKeyVariable} and ${verifyKeyVariable} are not of one pair, so "apply" would refuse what this job signs; is it the key of another stack?`,
    );
  return key;
}

/** One key, or several while they are rotated. */
export function verifyKeys(env: Variables = process.env): string | undefined {
  return needed(verifyKeyVariable, verifyKeysHere(env), env);
}

/** What `seal` accepts about earlier deployments: its own signature, and those of keys that still count. */
export function recordKeys(signing: string | undefined, env: Variables = process.env): string | undefined {
  return signing === undefined ? undefined : `${verifyKeyOf(signing)}\n${verifyKeysHere(env) ?? ""}`;
}

function verifyKeysHere(env: Variables): string | undefined {
  const file = existsSync(verifyKeyFile) ? readFileSync(verifyKeyFile, "utf8").trim() : undefined;
  return env[verifyKeyVariable] || file;
}

function needed(name: string, value: string | undefined, env: Variables): string | undefined {
  if (!value && isShared(env))
    throw new Error(
      `${name} is not set, and plans are kept where others can write; make a pair with "dataplatform pipeline keys"`,
    );
  return value || undefined;
}
