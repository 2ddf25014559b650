import { describe, expect, test } from "vitest";
import { packageSet } from "../../../provider/resources/package-set";
import {
  addBySomebody,
  archive,
  args,
  named,
  python,
  r,
  removeBySomebody,
  extendedArgs as seen,
} from "../../cases/package-set";
import { answers, freshEmulator, ownEmulator, refusal } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });

test("repository, repository packages and R's case-sensitive names", async () => {
  const { life } = inProcess(packageSet, emulator);
  const both = { ...r, repoUrl: archive, packages: ["lme4"], repoPackages: [{ name: "LME4", repoUrl: archive }] };
  expect(life.check(both).failures).toEqual([]);
  const { id, state } = await life.create(both);
  const repo_packages = JSON.stringify([{ name: "LME4", repo_url: archive }]);
  const body = { source_type: "r_package", package_names: "lme4", repo_url: archive, repo_packages };
  expect(emulator.requests().requests[0]).toMatchObject({ body });
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

test("a busy environment is waited for, also where it answers 422", async () => {
  const { id, state } = await inProcess(packageSet, emulator).life.create(args);
  const busy = refusal("Environment is busy: another operation is in progress");
  answers(emulator, "package.remove", 422, busy, { times: 2 });
  await inProcess(packageSet, emulator).life.delete(id, state);
  expect(python(emulator.state())).toEqual({});
});

test.each([
  [400, "Environment is busy", false],
  [422, "the package is in use: try again later", false],
  [422, "the package is in use", true],
])("a removal refused with %i, %s: advises to forget it (%s)", async (status, said, isAdvised) => {
  const { id, state } = await inProcess(packageSet, emulator).life.create(args);
  answers(emulator, "package.remove", status, refusal(said, status));
  const error = await inProcess(packageSet, emulator).life.delete(id, state).catch(String);
  expect(error).toContain(said);
  expect(error?.includes("pulumi state delete")).toBe(isAdvised);
  expect(emulator.requests().counts["package.remove"]).toBe(1);
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
});

describe("with the extended API, a refresh", () => {
  const on = (token = "admin") => inProcess(packageSet, emulator, { extended: true, token });
  const packagesAfter = async ({ life }: ReturnType<typeof on>, id: string, state: Record<string, unknown>) =>
    (await life.read(id, state))?.state["packages"];

  test("finds packages that are gone and other versions, and nothing else", async () => {
    const its = on();
    const { id, state } = await its.life.create(seen);
    await addBySomebody(emulator, "xgboost==2.0.0");
    await expect(its.life.read(id, state)).resolves.toEqual({ id, state });
    await addBySomebody(emulator, "pyarrow==15.0.0,requests==2.0.0");
    expect(await packagesAfter(its, id, state)).toEqual([
      "Scikit_Learn==1.5",
      { name: "pyarrow", version: "15.0.0" },
      "requests",
    ]);
    await removeBySomebody(emulator, "pyarrow,requests");
    expect(await packagesAfter(its, id, state)).toEqual(["Scikit_Learn==1.5"]);
    await removeBySomebody(emulator, "Scikit_Learn,xgboost");
    expect(await packagesAfter(its, id, state)).toEqual([]);
    expect(its.said.warnings).toEqual([]);
  });

  test("R packages are looked for among the R packages", async () => {
    const { life } = on();
    const own = [{ name: "xts", repoUrl: "https://cran.example.com" }];
    const r = { envId: 402, sourceType: "r_package", packages: ["lme4==1.1-35"], repoPackages: own };
    const { id, state } = await life.create(r);
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    const xts = { source_type: "r_package", package_names: "xts" };
    await request(emulator, "DELETE", "/api/v1.2/package/402/remove_packages", xts);
    await expect(life.read(id, state)).resolves.toMatchObject({ state: { ...r, repoPackages: [] } });
  });

  test("an environment that the platform no longer lists is gone", async () => {
    for (const environmentsEnvelope of ["environments", "array"] as const) {
      emulator.setReadings({ environmentsEnvelope });
      const { life, said, id, state } = await createdBy(on(), seen);
      await expect(life.read("499/python_package", { ...state, envId: 499 })).resolves.toBeUndefined();
      await expect(life.read(id, state)).resolves.toMatchObject({ id });
      expect(said.warnings).toEqual([]);
    }
  });

  test("an import reads no packages", async () => {
    emulator.clearRequests();
    const found = await on().life.read("401/python_package", {});
    expect(found?.state).not.toHaveProperty("packages");
    expect(emulator.requests().requests.map(({ operation }) => operation)).not.toContain("package.listPackages");
  });

  test("PackageSet keeps its state on an installation that cannot list packages", async () => {
    for (const extended of [false, ["package.listEnvironments"]]) {
      const emulator = await ownEmulator({ extended });
      const { life, said, id, state } = await createdBy(inProcess(packageSet, emulator, { extended: true }), seen);
      for (const _ of [1, 2]) await expect(life.read(id, state)).resolves.toEqual({ id, state });
      expect(said.warnings.filter((message) => message.includes("cannot list the packages"))).toHaveLength(1);
    }
  });
});
