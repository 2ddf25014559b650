import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import {
  accountIn,
  type BadInput,
  type EmulatorState,
  type ExtendedLife,
  type LifecycleCase,
  replace,
  same,
  update,
} from "../harness/lifecycle";

const environment = (state: EmulatorState, id: number) => accountIn(state).environments.find((one) => one.id === id)!;
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
    same(
      "the same packages in another order, spelling and form",
      named("requests", "pyarrow==16.0.0", { name: "Scikit_Learn", version: "1.5.0" }),
      calls(0, 0),
    ),
    update(
      "a changed version is one add",
      named("scikit-learn==1.5.1", "pyarrow==16.0.0", "requests"),
      calls(1, 0),
      (state, { text }) => {
        expect(python(state)["scikit-learn"]).toBe("1.5.1");
        expect(text).toContain("the version of scikit-learn changes: in Spark the change takes effect only after");
      },
    ),
    update("added and removed", named("scikit-learn==1.5.1", "polars==1.0.0", "xgboost"), calls(1, 1), (state) =>
      expect(Object.keys(python(state)).sort()).toEqual(["polars", "scikit-learn", "xgboost"]),
    ),
    replace(
      "R packages of another environment",
      { ...r, repoPackages: [{ name: "forecast", repoUrl: archive }] },
      calls(1, 1),
      (state) => {
        expect(python(state)).toEqual({});
        const names = ["data.table", "forecast", "ggplot2", "lme4"];
        expect(Object.keys(environment(state, 402).r_package).sort()).toEqual(names);
      },
    ),
    update("a repository package less", r, calls(0, 1), (state) =>
      expect(environment(state, 402).r_package).not.toHaveProperty("forecast"),
    ),
  ],
  bad: [
    [named("numpy", "numpy==1.0"), "packages", 'lists "numpy" twice; list each package once'],
    [named("a_b", "a.b==1.0"), "packages", 'lists "a_b" and "a.b", which are the same package'],
    [{ ...r, repoPackages: [{ name: "lme4", repoUrl: archive }] }, "repoPackages", 'lists "lme4" twice'],
    [named("numpy,pandas"), "packages[0]", "without spaces or commas"],
    [named("a==1,b"), "packages[0]", "not a version of a"],
    ...["", { name: "" }].map((empty): BadInput => [named(empty), "packages[0]", "has an empty name"]),
    [named("==1.0"), "packages[0]", "has no name"],
    [named("numpy=="), "packages[0]", 'no version after "=="'],
    [named({ name: "numpy", version: "" }), "packages[0]", "no version"],
    [named("num py"), "packages[0]", "without spaces or commas"],
    [named("numpy == 1.0"), "packages[0]", "without spaces or commas"],
    ...["numpy>=1.0", "numpy<2", "numpy~=1.0", "numpy!=1.0", "numpy=1.0"].map(
      (text): BadInput => [named(text), "packages[0]", "is neither a name nor name==version"],
    ),
    [named("numpy===1"), "packages[0]", "not a version"],
    [named("dask[array]"), "packages[0]", "is not a package name"],
    [{ ...args, envId: 0 }, "envId", "a positive integer"],
    [{ ...args, envId: "4 1" }, "envId", "contains spaces"],
    [{ ...args, repoUrl: archive }, "repoUrl", "is for R packages only"],
    [{ ...args, repoPackages: [] }, "repoPackages", "is for R packages only"],
    [{ ...r, repoUrl: "cran" }, "repoUrl", "http"],
    [{ ...r, repoPackages: [{ name: "x==1", repoUrl: archive }] }, "repoPackages[0].name", 'is "x==1"; use letters'],
  ],
  badLater: {
    args: named("requests", { $later: "numpy>=1.0" }),
    says: '"numpy>=1.0" is neither a name nor name==version',
  },
  forbidden: { token: "powerless", says: "updating an environment" },
};

const path = "/api/v1.2/package/403";
export const addBySomebody = (emulator: Emulator, names: string) =>
  request(emulator, "POST", `${path}/add_packages`, { source_type: "python_package", package_names: names });
export const removeBySomebody = (emulator: Emulator, names: string) =>
  request(emulator, "DELETE", `${path}/remove_packages`, { source_type: "python_package", package_names: names });

export const extendedArgs = named("Scikit_Learn==1.5", { name: "pyarrow", version: "16.0.0" }, "requests");

export const extended: ExtendedLife = {
  type: "PackageSet",
  args: extendedArgs,
  present: (state) => {
    expect(Object.keys(python(state))).toHaveLength(3);
    expect(python(state)).toMatchObject({ pyarrow: "16.0.0" });
  },
  absent: (state) => expect(python(state)).toEqual({}),
  drift: {
    make: async (emulator) => {
      await removeBySomebody(emulator, "requests");
      await addBySomebody(emulator, "pyarrow==15.0.0");
    },
  },
  changes: [
    update("a version", named("Scikit_Learn==1.6", "pyarrow==16.0.0"), (state) =>
      expect(Object.keys(python(state))).toHaveLength(2),
    ),
  ],
};
