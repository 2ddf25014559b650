import { expect, test } from "vitest";
import { packageSet } from "../../../provider/resources/package-set";
import { archive, args, named, python, r } from "../../cases/package-set";
import { freshEmulator } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";

const emulator = freshEmulator();

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

test("a removed environment has no packages to remove; a non-existent one is an error", async () => {
  const { life, said } = inProcess(packageSet, emulator);
  await expect(life.create({ ...args, envId: 499 })).rejects.toThrow(/not found.*no package environment 499/);
  await life.delete("499/python_package", { ...args, envId: 499 });
  expect(said.warnings.join()).toContain("no longer exists: nothing to remove");
});

test("an empty list sends nothing and says so", async () => {
  const { life, said } = inProcess(packageSet, emulator);
  expect(life.check(named()).failures).toEqual([]);
  expect(said.warnings.join()).toContain("lists no packages");
  await life.create(named());
  expect(emulator.requests().counts["package.add"]).toBeUndefined();
});

test("destroying what was only imported says that the packages stay", async () => {
  const { life, said } = inProcess(packageSet, emulator);
  const { id, state } = (await life.read("403/python_package", {}))!;
  await life.delete(id, state);
  expect(said.warnings.at(-1)).toContain("the packages of 403/python_package stay: they were imported");
});

test("an import id contains environment and source type", async () => {
  const { life } = inProcess(packageSet, emulator);
  const { id, state } = (await life.read("403/python_package", {}))!;
  expect(state).toMatchObject({ envId: 403, sourceType: "python_package", accountId: 1001 });
  expect(life.diff(state, args).changed, "the program's packages are taken as true").toEqual([]);
  await life.update(id, state, args);
  expect(python(emulator.state()), "and nothing is sent").toEqual({});
  await expect(life.read("403", {})).rejects.toThrow(/not a package set id; expected/);
});
