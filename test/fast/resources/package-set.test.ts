import { describe, expect, test } from "vitest";
import { packageSet } from "../../../provider/resources/package-set";
import { archive, args, named, python, r } from "../../cases/package-set";
import { freshEmulator } from "../../harness/emulators";
import { failureOf, inProcess } from "../../harness/in-process";

describe("PackageSet", () => {
  const emulator = freshEmulator();

  test("a lost answer is an unknown outcome: not retried, and the next up or destroy resolves it", async () => {
    const { life } = inProcess(packageSet, emulator);
    emulator.setFaults({ rules: [{ operation: "package.add", kind: "reset-after", times: 1 }] });
    const failure = await failureOf(life.create(args));
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
    expect(life.diff(state, { ...both, packages: ["Lme4"] }).changed).toEqual(["packages"]);
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
    expect(said.warnings.join()).toContain("no longer exists: nothing to remove");
  });

  test("one of several that is gone already does not keep the others from being removed, by update as by destroy", async () => {
    const { life, said } = inProcess(packageSet, emulator);
    const { id, state } = await life.create(named("requests", "polars", "xgboost"));
    const body = { error: { error_code: 404, error_message: "requests is not installed" } };
    // The request for both, and then that for the one that is gone.
    emulator.setFaults({ rules: [{ operation: "package.remove", kind: "respond", status: 404, body, nth: [1, 2] }] });
    await life.update(id, state, named("xgboost"));
    expect(Object.keys(python(emulator.state()))).toEqual(["requests", "xgboost"]);
    expect(said.warnings.join()).toContain("or requests in it, no longer exists: nothing to remove");
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
    expect(life.diff(state, args).changed, "the program's packages are taken as true").toEqual([]);
    await life.update(id, state, args);
    expect(Object.keys(python(emulator.state()))).toHaveLength(3);
    await expect(life.read("403", {})).rejects.toThrow(/not a package set id; expected/);
  });
});
