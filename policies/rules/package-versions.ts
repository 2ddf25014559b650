import { defineRule } from "../rule";
import { isMissing, listOf, objectOf, textOf } from "../values";

export const packageVersions = defineRule({
  name: "package-versions",
  description: "Every package has an exact version.",
  why: "A bare name installs whatever is newest at that moment: two environments differ, and a new release changes one that nobody touched.",
  fix: 'Write name==version, such as "numpy==1.26.4".',
  types: ["PackageSet"],

  checkResource: (resource) =>
    listOf(resource.properties["packages"]).flatMap((entry, index) => {
      const name = nameWithoutVersion(entry);
      return name === undefined
        ? []
        : [{ resource, property: `packages[${index}]`, problem: `is ${name}, without an exact version` }];
    }),
});

/** Of an entry whose version is not pinned. */
function nameWithoutVersion(entry: unknown): string | undefined {
  // `1.*` is whatever is newest, too.
  if (typeof entry === "string") return /==[^*]+$/.test(entry) ? undefined : entry;
  const { name, version } = objectOf(entry);
  return isMissing(version) || textOf(version)?.includes("*") ? textOf(name) : undefined;
}
