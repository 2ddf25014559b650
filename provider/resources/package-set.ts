import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { inBodyOrQuery, type Sent } from "../api/body-or-query";
import type { Client } from "../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, type Context, defineResource, keepIfOpen, PartialSuccess } from "../core/define";
import {
  difference,
  environmentKey,
  type PackageEntry,
  packageEntry,
  packageKey,
  packageMap,
  parsePackage,
  type RepoPackage,
  repoPackage,
  repoUrl,
  type SourceType,
  sameWanted,
  sourceTypes,
  type Wanted,
  written,
} from "../platform/packages";
import { asNumber, numberId, sameId } from "../values/id";

const Inputs = z.object({
  envId: numberId.describe("Id of the package environment."),
  sourceType: z.enum(sourceTypes).describe("Python or R packages."),
  packages: z
    .array(packageEntry)
    .optional()
    .meta({ wasRequired: true })
    .describe(
      "The packages: `name`, `name==version`, or an object with both. A bare name installs the latest version. Order means nothing.",
    ),
  repoUrl: repoUrl
    .optional()
    .describe("Address of the public R archive, to add `packages` from that repository. Only for `r_package`."),
  repoPackages: z
    .array(repoPackage)
    .optional()
    .describe("R packages that come from a repository of their own. Only for `r_package`."),
});
type Inputs = z.output<typeof Inputs>;

export const packageSet = defineResource({
  type: "PackageSet",
  doc: `The Python or the R packages that a program wants in a package environment.

Only what the program lists is managed: other packages of the environment are left alone, and two \`PackageSet\`s of one environment and source type must not list the same package. Python names are compared as pip does (\`Scikit_Learn\` is \`scikit-learn\`), R names exactly.`,
  inputs: Inputs,
  outputs: z.object({ accountId: accountIdOutput }),
  importId: {
    format: "the environment's id and the source type",
    example: "401/python_package",
    note: "The API cannot list packages: they are told by the program alone.",
  },
  importShowsPart: true,
  replaceOn: ["envId", "sourceType"],
  deleteBeforeReplace: true,
  keys: { property: "packages", of: keysOf },
  settledOutputs: ["accountId"],
  secrets: [],
  limits: {
    refresh: "Nothing. The API cannot list packages, so the state is kept as it is.",
    update:
      "Only the difference is sent: one request adds what is new or has another version, one removes what is gone. In Spark, a changed Python version takes effect only after the Spark interpreter restarts.",
    destroy:
      "Removes the listed packages from the environment in one request, also those that were there before the resource was made: the API cannot show what was.",
  },
  same: {
    envId: sameId,
    packages: (a, b, { sourceType = "r_package" }) => sameSet(sourceType, { packages: a }, { packages: b }),
    repoPackages: (a, b) => sameSet("r_package", { repoPackages: a }, { repoPackages: b }),
  },
  rules({ sourceType, packages, repoUrl, repoPackages }, report) {
    if (sourceType === "python_package") {
      if (repoUrl !== undefined) report("repoUrl", "is for R packages only; sourceType is python_package");
      if (repoPackages !== undefined) report("repoPackages", "is for R packages only; sourceType is python_package");
    }
    if (!sourceType) return;
    const seen = new Map<string, string>();
    for (const name of (packages ?? []).map((entry) => parsePackage(entry).name)) {
      const problem = repeated(sourceType, name, seen);
      if (problem) report("packages", problem);
    }
    for (const { name } of repoPackages ?? []) {
      const problem = repeated(sourceType, name, seen);
      if (problem) report("repoPackages", problem);
    }
  },
  advise: ({ packages, repoPackages }, unknown) =>
    !packages?.length && !repoPackages?.length && !unknown("packages") && !unknown("repoPackages")
      ? ["lists no package, so nothing is added to the environment"]
      : [],
  beforeChange({ old, inputs, replaces }) {
    if (replaces || old.sourceType !== "python_package" || !inputs.packages) return [];
    const before = packageMap(old);
    const changed = [...packageMap({ ...old, ...inputs })]
      .filter(([key, { version }]) => before.has(key) && before.get(key)?.version !== version)
      .map(([, { name }]) => name);
    return changed.length > 0
      ? [
          `the version of ${changed.join(", ")} changes: in Spark it takes effect only after the Spark interpreter restarts`,
        ]
      : [];
  },

  async create({ api }, inputs) {
    const id = `${inputs.envId}/${inputs.sourceType}`;
    await keepIfOpen(id, {}, () => add(api, inputs, [...packageMap(inputs).values()]));
    return { id };
  },

  fromId(id) {
    const [, envId, sourceType] = /^([^/\s]+)\/(python_package|r_package)$/.exec(id) ?? [];
    if (!envId) {
      throw new PlatformError(
        `${JSON.stringify(id)} is not a package set id; expected <envId>/python_package or <envId>/r_package, such as 401/python_package`,
        { code: "rejected" },
      );
    }
    return { envId: asNumber(envId), sourceType: sourceType as SourceType };
  },

  async update(context, id, old, inputs, { redo }) {
    const { api } = context;
    const wanted = packageMap(inputs);
    const { added, removed } = difference(packageMap(old), wanted);
    if (removed.length > 0) await context.run.othersAreDeclared();
    const going = leftToOthers(context, inputs, removed, (key) => context.run.declarerOf(key));
    // What could not be removed is still there, and what may have been added is to be counted in: both stay in the state.
    const part = stillThere(inputs, going);
    await keepIfOpen(id, part, () =>
      redo ? addAgain(context, inputs, [...wanted.values()]) : add(api, inputs, added),
    );
    try {
      await (added.length > 0 ? afterOwnChange(api, () => remove(api, inputs, going)) : remove(api, inputs, going));
    } catch (error) {
      throw added.length > 0 || leavesOutcomeOpen(error) ? new PartialSuccess(id, part, error as Error) : error;
    }
    return {};
  },

  async delete(context, _id, state) {
    const { api, log, run } = context;
    const going = leftToOthers(context, state, [...packageMap(state).values()], (key) => run.keeperOf(key));
    try {
      await remove(api, state, going);
    } catch (error) {
      if (!(await saysItIsGone(api, error))) throw error;
      log.warn(`environment ${state.envId}, or these packages in it, are gone: nothing was removed`);
    }
  },
});

function keysOf({ envId, sourceType, packages, repoPackages }: Partial<Inputs>): string[] {
  if (envId === undefined || sourceType === undefined) return [];
  const names = [...packageMap({ sourceType, packages, repoPackages }).values()].map(({ name }) => name);
  return names.map((name) => environmentKey(envId, sourceType, name));
}

/** The packages that may go: what another resource of this run declares is left to it. */
function leftToOthers(
  { log }: Context,
  { envId, sourceType }: Target,
  entries: readonly Wanted[],
  keeperOf: (key: string) => string | undefined,
): Wanted[] {
  return entries.filter(({ name }) => {
    const keeper = keeperOf(environmentKey(envId, sourceType, name));
    if (keeper !== undefined) log.info(`${name} is left in environment ${envId}, because ${keeper} declares it`);
    return keeper === undefined;
  });
}

function repeated(sourceType: SourceType, name: string, seen: Map<string, string>): string | undefined {
  const key = packageKey(sourceType, name);
  const other = seen.get(key);
  seen.set(key, name);
  if (other === undefined) return undefined;
  return other === name
    ? `names ${JSON.stringify(name)} twice; name each package once`
    : `names ${JSON.stringify(other)} and ${JSON.stringify(name)}, which are the same package; name each package once`;
}

interface Listed {
  readonly packages?: readonly PackageEntry[] | undefined;
  readonly repoPackages?: readonly RepoPackage[] | undefined;
}

function sameSet(sourceType: SourceType, a: Listed, b: Listed): boolean {
  const [left, right] = [packageMap({ sourceType, ...a }), packageMap({ sourceType, ...b })];
  return (
    left.size === right.size && [...left].every(([key, entry]) => right.has(key) && sameWanted(entry, right.get(key)))
  );
}

type Target = Pick<Inputs, "envId" | "sourceType" | "repoUrl">;

/** Adding what is there changes nothing; whether a lost request arrived cannot be looked up. */
async function add(api: Client, { envId, sourceType, repoUrl }: Target, entries: readonly Wanted[]): Promise<void> {
  if (entries.length === 0) return;
  const plain = entries.filter(({ ownRepo }) => !ownRepo);
  const own = entries.filter(({ ownRepo }) => ownRepo).map(({ name, repoUrl }) => ({ name, repo_url: repoUrl }));
  const body = {
    source_type: sourceType,
    ...(plain.length > 0 && { package_names: plain.map(written).join(",") }),
    ...(repoUrl !== undefined && { repo_url: repoUrl }),
    ...(own.length > 0 && { repo_packages: JSON.stringify(own) }),
  };
  await api.call(operations.addPackages, { path: { envId }, body, answer: anyAnswer });
}

/** After an add whose answer was lost. A conflict about a single package can only mean that it is there. */
async function addAgain(context: Context, target: Target, entries: readonly Wanted[]): Promise<void> {
  try {
    await add(context.api, target, entries);
  } catch (error) {
    if (!isPlatformError(error, "conflict") || leavesOutcomeOpen(error)) throw error;
    if (entries.length > 1) for (const entry of entries) await addAgain(context, target, [entry]);
    else context.log.info(`${entries[0]?.name} is in environment ${target.envId} already, as the platform says`);
  }
}

/** An environment that still applies our last change may refuse the next one with a conflict. */
async function afterOwnChange(api: Client, change: () => Promise<void>): Promise<void> {
  for (const seconds of [1, 2, 4]) {
    try {
      return await change();
    } catch (error) {
      if (!isPlatformError(error, "conflict")) throw error;
      await api.pause(seconds * 1000);
    }
  }
  return change();
}

/** By name alone: whatever version is there goes. */
async function remove(api: Client, { envId, sourceType }: Target, entries: readonly Wanted[]): Promise<void> {
  if (entries.length === 0) return;
  const parameters = { source_type: sourceType, package_names: entries.map(({ name }) => name).join(",") };
  // Never without a body: what a platform that expects one removes without it is not said.
  const send = ({ query = {} }: Sent) =>
    api.call(operations.removePackages, { path: { envId }, query, body: parameters, answer: anyAnswer });
  try {
    await inBodyOrQuery(parameters, send);
  } catch (error) {
    // A removal that was repeated because its answer was lost finds nothing more to remove.
    if (isPlatformError(error, "not-found") && error.fromPlatform && error.outcome === "open") return;
    throw error;
  }
}

/** The inputs as if the program still listed what could not be removed: what the environment really holds. */
function stillThere(inputs: Inputs, removed: readonly Wanted[]): Partial<Inputs> {
  const plain = removed.filter(({ ownRepo }) => !ownRepo).map(written);
  const own = removed.flatMap(({ ownRepo, name, repoUrl }) => (ownRepo && repoUrl ? [{ name, repoUrl }] : []));
  return {
    ...((inputs.packages || plain.length > 0) && { packages: [...(inputs.packages ?? []), ...plain] }),
    ...(own.length > 0 && { repoPackages: [...(inputs.repoPackages ?? []), ...own] }),
  };
}
