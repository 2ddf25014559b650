import { expect } from "vitest";
import type { EmulatorState, LifecycleCase } from "../harness/lifecycle";

const environment = (state: EmulatorState, id: number) =>
  state.accounts.find((account) => account.id === 1001)!.environments.find((one) => one.id === id)!;
export const python = (state: EmulatorState) => environment(state, 403).python_package;

export const args = {
  envId: 403,
  sourceType: "python_package",
  packages: ["scikit-learn==1.5.0", { name: "pyarrow", version: "16.0.0" }, "requests"],
};
export const named = (...packages: unknown[]) => ({ ...args, packages });
const calls = (add: number, remove: number) => ({ "package.add": add, "package.remove": remove });
export const r = { envId: 402, sourceType: "r_package", packages: ["lme4==1.1", "data.table"] };
export const archive = "https://cran.example.com";

export const life: LifecycleCase = {
  type: "PackageSet",
  args,
  present: (state, id) => {
    expect(id).toBe("403/python_package");
    expect(python(state)).toMatchObject({ "scikit-learn": "1.5.0", pyarrow: "16.0.0" });
    expect(python(state)).toHaveProperty("requests");
  },
  absent: (state) => {
    expect(environment(state, 402).r_package).toEqual({ ggplot2: "3.4.4" });
    expect(python(state)).toEqual({});
  },
  changes: [
    {
      what: "the same packages in another order, spelling and form",
      args: named("requests", "pyarrow==16.0.0", { name: "Scikit_Learn", version: "1.5.0" }),
      expect: "same",
      calls: calls(0, 0),
    },
    {
      what: "a changed version is one add",
      args: named("scikit-learn==1.5.1", "pyarrow==16.0.0", "requests"),
      expect: "update",
      calls: calls(1, 0),
      after: (state, { text }) => {
        expect(python(state)["scikit-learn"]).toBe("1.5.1");
        expect(text).toContain("the version of scikit-learn changes: in Spark the change takes effect only after");
      },
    },
    {
      what: "added and removed",
      args: named("scikit-learn==1.5.1", "polars==1.0.0", "xgboost"),
      expect: "update",
      calls: calls(1, 1),
      after: (state) => expect(Object.keys(python(state)).sort()).toEqual(["polars", "scikit-learn", "xgboost"]),
    },
    {
      what: "R packages of another environment",
      args: { ...r, repoPackages: [{ name: "forecast", repoUrl: archive }] },
      expect: "replace",
      calls: calls(1, 1),
      after: (state) => {
        expect(python(state)).toEqual({});
        expect(Object.keys(environment(state, 402).r_package).sort()).toEqual([
          "data.table",
          "forecast",
          "ggplot2",
          "lme4",
        ]);
      },
    },
    {
      what: "a repository package less",
      args: r,
      expect: "update",
      calls: calls(0, 1),
      after: (state) => expect(environment(state, 402).r_package).not.toHaveProperty("forecast"),
    },
  ],
  bad: [
    {
      what: "the same name twice",
      args: named("numpy", "numpy==1.0"),
      property: "packages",
      says: 'lists "numpy" twice; list each package once',
    },
    {
      what: "the same Python name in two spellings",
      args: named("Scikit_Learn", "scikit.learn==1.0"),
      property: "packages",
      says: 'lists "Scikit_Learn" and "scikit.learn", which are the same package',
    },
    {
      what: "the same R name in both lists",
      args: { ...r, repoPackages: [{ name: "lme4", repoUrl: archive }] },
      property: "repoPackages",
      says: 'lists "lme4" twice',
    },
    { what: "comma", args: named("numpy,pandas"), property: "packages[0]", says: "without spaces or commas" },
    { what: "comma in the version", args: named("a==1,b"), property: "packages[0]", says: "not an exact version of a" },
    { what: "empty name", args: named(""), property: "packages[0]", says: "has an empty name" },
    { what: "empty name in an object", args: named({ name: "" }), property: "packages[0]", says: "has an empty name" },
    { what: "version alone", args: named("==1.0"), property: "packages[0]", says: "has no name" },
    { what: "== without version", args: named("numpy=="), property: "packages[0]", says: 'no version after "=="' },
    {
      what: "empty version in an object",
      args: named({ name: "numpy", version: "" }),
      property: "packages[0]",
      says: "no version",
    },
    { what: "spaces", args: named("num py"), property: "packages[0]", says: "without spaces or commas" },
    {
      what: "spaces around ==",
      args: named("numpy == 1.0"),
      property: "packages[0]",
      says: "without spaces or commas",
    },
    ...["numpy>=1.0", "numpy<2", "numpy~=1.0", "numpy!=1.0", "numpy=1.0"].map((text) => ({
      what: `another specifier: ${text}`,
      args: named(text),
      property: "packages[0]",
      says: "is neither a name nor name==version",
    })),
    { what: "three equal signs", args: named("numpy===1"), property: "packages[0]", says: "not an exact version" },
    { what: "extras", args: named("dask[array]"), property: "packages[0]", says: "is not a package name" },
    {
      what: "unknown key of a package",
      args: named({ name: "numpy", pinned: true }),
      property: "packages[0]",
      says: 'has no property "pinned"',
    },
    { what: "packages as one text", args: { ...args, packages: "numpy" }, property: "packages", says: "an array" },
    {
      what: "unknown source type",
      args: { ...args, sourceType: "conda" },
      property: "sourceType",
      says: 'expected one of "python_package", "r_package"',
    },
    { what: "no source type", args: { envId: 401, packages: [] }, property: "sourceType", says: "is required" },
    { what: "environment 0", args: { ...args, envId: 0 }, property: "envId", says: "a positive integer" },
    { what: "invalid environment id", args: { ...args, envId: "4 1" }, property: "envId", says: "contains spaces" },
    {
      what: "repository for Python",
      args: { ...args, repoUrl: archive },
      property: "repoUrl",
      says: "is for R packages only",
    },
    {
      what: "repository packages for Python",
      args: { ...args, repoPackages: [] },
      property: "repoPackages",
      says: "is for R packages only",
    },
    { what: "repository that is not a URL", args: { ...r, repoUrl: "cran" }, property: "repoUrl", says: "http" },
    {
      what: "repository package with a version",
      args: { ...r, repoPackages: [{ name: "forecast==1", repoUrl: archive }] },
      property: "repoPackages[0].name",
      says: 'is "forecast==1"; use letters',
    },
  ],
  badLater: {
    args: named("requests", { $later: "numpy>=1.0" }),
    property: "packages",
    says: '"numpy>=1.0" is neither a name nor name==version',
  },
  forbidden: { token: "powerless", says: "updating an environment" },
};
