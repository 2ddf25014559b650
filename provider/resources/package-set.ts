import { z } from "zod";
import { accountIdOutput, defineResource, wrongId } from "../core/define";
import { asInstalled, lookAtPackages } from "../platform/installed-packages";
import {
  environmentKey,
  environmentPackages,
  managedPackages,
  packageEntry,
  packageMap,
  packageRules,
  repoPackage,
  repoUrl,
  type SourceType,
  samePackages,
  sourceTypes,
} from "../platform/packages";
import { removeFromSet } from "../platform/sets";
import { asNumber, environmentId, sameId } from "../values/id";

const inputs = z.object({
  envId: environmentId.describe("Id of the package environment."),
  sourceType: z
    .enum(sourceTypes)
    .meta({ schemaName: "PackageSourceType" })
    .describe("Type of the packages: Python or R."),
  packages: z
    .array(packageEntry)
    .optional()
    .meta({ wasRequired: true })
    .describe(
      "Packages to install: `name`, `name==version`, or an object with both. A bare name installs the latest version. Order does not matter.",
    ),
  repoUrl: repoUrl
    .optional()
    .describe("URL of the public R repository to install `packages` from. Only for `r_package`."),
  repoPackages: z
    .array(repoPackage)
    .optional()
    .describe("R packages, each with its own repository. Only for `r_package`."),
});

export const packageSet = defineResource({
  type: "PackageSet",
  doc: `A set of Python or R packages in a package environment.

Only the listed packages are managed: other packages in the environment are left alone. Two \`PackageSet\`s with the same environment and source type must not list the same package. Python names are compared as pip does (\`Scikit_Learn\` is \`scikit-learn\`), R names exactly. With the extended API (\`dataplatform:extendedApi\`) refresh compares them with the environment.`,
  inputs,
  outputs: z.object({ accountId: accountIdOutput }),
  importId: {
    format: "the environment's id and the source type",
    example: "401/python_package",
    note: "The API cannot list packages: the ones in the program are assumed to be installed, and nothing is sent until they change.",
    showsPart: true,
    tells(id) {
      const [, envId, sourceType] = /^([^/\s]+)\/(python_package|r_package)$/.exec(id) ?? [];
      if (envId) return { envId: asNumber(envId), sourceType: sourceType as SourceType };
      const expected = "<envId>/python_package or <envId>/r_package, such as 401/python_package";
      throw wrongId(id, "a package set id", expected);
    },
  },
  replaceOn: ["envId", "sourceType"],
  keys: {
    deleteFirst: "if same",
    property: "packages",
    of({ envId, sourceType, packages, repoPackages }) {
      if (envId === undefined || sourceType === undefined) return [];
      const names = [...packageMap({ sourceType, packages, repoPackages }).values()].map(({ name }) => name);
      return names.map((name) => environmentKey(envId, sourceType, name));
    },
  },
  settledOutputs: ["accountId"],
  limits: {
    thing: "the packages of an environment",
    update:
      "Only the difference is sent: one request adds new packages and changed versions, and one removes packages that are no longer listed. In Spark, a changed Python package version takes effect only after the Spark interpreter restarts.",
    destroy:
      "Removes the listed packages from the environment in one request, including any that were installed before the resource was created: the API cannot list packages.",
  },
  same: {
    envId: sameId,
    packages: (a, b, { sourceType = "r_package" }) =>
      samePackages({ sourceType, packages: a }, { sourceType, packages: b }),
    repoPackages: (a, b) =>
      samePackages({ sourceType: "r_package", repoPackages: a }, { sourceType: "r_package", repoPackages: b }),
  },
  rules: packageRules,
  advise: ({ packages, repoPackages }, unknown) =>
    !packages?.length && !repoPackages?.length && !unknown("packages") && !unknown("repoPackages")
      ? ["lists no packages, so nothing is added to the environment"]
      : [],
  foresee({ log }, { old, inputs, replaces }) {
    if (!old || replaces || old.sourceType !== "python_package" || !inputs.packages) return;
    const before = packageMap(old);
    const changed = [...packageMap({ ...old, ...inputs })]
      .filter(([key, { version }]) => before.has(key) && before.get(key)?.version !== version)
      .map(([, { name }]) => name);
    if (changed.length > 0)
      log.warn(
        `the version of ${changed.join(", ")} changes: in Spark the change takes effect only after the Spark interpreter restarts`,
      );
  },

  create: managedPackages.create,
  update: managedPackages.update,

  async delete(context, id, state) {
    if (!state.packages && !state.repoPackages)
      context.log.warn(
        `the packages of ${id} stay: they were imported, and no update has said since which ones they are`,
      );
    await removeFromSet(context, environmentPackages(context, state), managedPackages.recordedIn(state));
  },

  extended: {
    limits: {
      refresh:
        "Listed packages that are gone from the environment, and pinned ones that have another version, as far as the platform's list shows it: a list without versions shows only what is gone, and a list of requests only versions. Versions are compared as pip does (1.0 is 1.0.0), or as R does.",
    },
    importId: {
      note: "The packages in the program are assumed to be installed, and nothing is sent until they change: an environment holds more packages than a program should manage, so they are not read. The next refresh compares them with the environment.",
    },

    async read(context, _id, { envId, sourceType, ...recorded }) {
      // An import does not know which packages the program manages.
      if (!recorded.packages && !recorded.repoPackages) return {};
      const installed = await lookAtPackages(context, envId!, sourceType!);
      if (installed === "gone") return undefined;
      return installed === "unknown" ? {} : asInstalled(installed, recorded);
    },
  },
});
