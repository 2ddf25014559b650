import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import type { PartialFailure } from "../../provider/core/guard";
import { packageSet } from "../../provider/resources/package-set";
import { inProcess } from "../harness/in-process";
import { type EmulatorState, lifecycle } from "../harness/lifecycle";
import { TestStack } from "../harness/stack";
import { testOnEngine } from "../harness/tier";

const environment = (state: EmulatorState, id: number) =>
  state.accounts.find((account) => account.id === 1001)!.environments.find((one) => one.id === id)!;
const python = (state: EmulatorState) => environment(state, 403).python_package;

const args = {
  envId: 403,
  sourceType: "python_package",
  packages: ["scikit-learn==1.5.0", { name: "pyarrow", version: "16.0.0" }, "requests"],
};
const named = (...packages: unknown[]) => ({ ...args, packages });
const calls = (add: number, remove: number) => ({ "package.add": add, "package.remove": remove });
const r = { envId: 402, sourceType: "r_package", packages: ["lme4==1.1", "data.table"] };
const archive = "https://cran.example.com";

lifecycle({
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
});

describe("PackageSet", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.close());

  test("if the removal fails, what was added is kept, and the next update removes the rest", async () => {
    const { life } = inProcess(packageSet, emulator, { retries: 0 });
    const { id, state } = await life.create(named("requests", "polars"));
    emulator.setFaults({ rules: [{ operation: "package.remove", kind: "500", times: 1 }] });
    const wanted = named("polars", "xgboost");
    const failure = await life.update(id, state, wanted).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      existing: { id, state: { packages: ["polars", "xgboost", "requests"] } },
      reason: expect.stringContaining("could not remove packages") as string,
    });
    const kept = (failure as { existing: { state: Record<string, unknown> } }).existing.state;
    expect(life.diff(id, kept, wanted).changed).toEqual(["packages"]);
    emulator.clearRequests();
    await life.update(id, kept, wanted);
    expect(emulator.requests().counts["package.remove"]).toBe(1);
    expect(Object.keys(python(emulator.state())).sort()).toEqual(["polars", "xgboost"]);
  });

  testOnEngine.each(["dynamic", "plugin"] as const)("the same on the engine, %s", async (mode) => {
    const stack = await TestStack.create({
      baseUrl: emulator.url,
      token: emulator.tokens["admin"]!,
      mode,
      config: { retries: "0" },
    });
    const wanted = { it: { type: "PackageSet", args: named("polars", "xgboost") } };
    try {
      await stack.up({ it: { type: "PackageSet", args: named("requests", "polars") } });
      emulator.setFaults({ rules: [{ operation: "package.remove", kind: "500", times: 1 }] });
      const failed = await stack.up(wanted);
      expect(failed.code, failed.text).not.toBe(0);
      expect(Object.keys(python(emulator.state())).sort()).toEqual(["polars", "requests", "xgboost"]);
      const done = await stack.up();
      expect(done.code, done.text).toBe(0);
      expect(Object.keys(python(emulator.state())).sort()).toEqual(["polars", "xgboost"]);
      expect((await stack.preview()).changed).toEqual({});
    } finally {
      stack.remove();
    }
  });

  test("a lost answer is an unknown outcome: not retried, and the next up or destroy resolves it", async () => {
    const { life } = inProcess(packageSet, emulator);
    emulator.setFaults({ rules: [{ operation: "package.add", kind: "reset-after", times: 1 }] });
    const failure = (await life.create(args).catch((error: unknown) => error)) as PartialFailure;
    expect(failure.reason).toMatch(/is unknown\. It is kept in the state; run "pulumi up" again to retry/);
    expect(emulator.requests().counts["package.add"]).toBe(1);
    const { id, state } = failure.existing;
    expect(id).toBe("403/python_package");
    const settled = await life.update(id, state, args);
    expect(emulator.requests().counts["package.add"]).toBe(2);
    expect(settled.state).not.toHaveProperty("__open");
    await life.delete(id, state);
    expect(python(emulator.state())).toEqual({});
  });

  test("repository, repository packages and R's case-sensitive names", async () => {
    const { life } = inProcess(packageSet, emulator);
    const both = { ...r, repoUrl: archive, packages: ["lme4"], repoPackages: [{ name: "LME4", repoUrl: archive }] };
    expect(life.check(both).failures).toEqual([]);
    const { id, state } = await life.create(both);
    expect(emulator.requests().requests[0]).toMatchObject({
      body: {
        source_type: "r_package",
        package_names: "lme4",
        repo_url: archive,
        repo_packages: JSON.stringify([{ name: "LME4", repo_url: archive }]),
      },
    });
    expect(life.diff(id, state, { ...both, packages: ["Lme4"] }).changed).toEqual(["packages"]);
    emulator.clearRequests();
    await life.update(id, state, { ...both, repoPackages: [{ name: "LME4", repoUrl: `${archive}/2` }] });
    expect(emulator.requests().counts["package.add"]).toBe(1);
  });

  test("only R packages, each from its own repository", async () => {
    const { life } = inProcess(packageSet, emulator);
    const own = {
      envId: 403,
      sourceType: "r_package",
      repoUrl: archive,
      repoPackages: [{ name: "LME4", repoUrl: archive }],
    };
    expect(life.check(own).failures).toEqual([]);
    await life.create(own);
    const { body } = emulator.requests().requests.find(({ operation }) => operation === "package.add")!;
    expect(body).toEqual({
      source_type: "r_package",
      repo_url: archive,
      repo_packages: JSON.stringify([{ name: "LME4", repo_url: archive }]),
    });
  });

  test("a removed environment has no packages to remove; a non-existent one is an error", async () => {
    const { life, said } = inProcess(packageSet, emulator);
    await expect(life.create({ ...args, envId: 499 })).rejects.toThrow(/not found.*no package environment 499/);
    await life.delete("499/python_package", { ...args, envId: 499 });
    expect(said.warnings.join()).toContain("environment 499, or the packages in it, no longer exist");
  });

  test("an empty list sends nothing and says so", async () => {
    const { life, said } = inProcess(packageSet, emulator);
    expect(life.check(named()).failures).toEqual([]);
    expect(said.warnings.join()).toContain("lists no packages");
    await life.create(named());
    expect(emulator.requests().counts["package.add"]).toBeUndefined();
  });

  test("an import id contains environment and source type", async () => {
    const { life } = inProcess(packageSet, emulator);
    const { id, state } = (await life.read("403/python_package", {}))!;
    expect(state).toMatchObject({ envId: 403, sourceType: "python_package", accountId: 1001 });
    expect(life.diff(id, state, args).changed, "the program's packages are taken as true").toEqual([]);
    await life.update(id, state, args);
    expect(Object.keys(python(emulator.state()))).toHaveLength(3);
    await expect(life.read("403", {})).rejects.toThrow(/not a package set id; expected/);
  });
});
