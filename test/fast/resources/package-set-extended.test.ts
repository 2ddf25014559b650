import { expect, test } from "vitest";
import { packageSet } from "../../../provider/resources/package-set";
import { addBySomebody, args, removeBySomebody } from "../../cases/package-set-extended";
import { freshEmulator, ownEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const on = (token = "admin") => inProcess(packageSet, emulator, { extended: true, token });
const packagesAfter = async ({ life }: ReturnType<typeof on>, id: string, state: Record<string, unknown>) =>
  (await life.read(id, state))?.state["packages"];

test("finds packages that are gone and other versions, and nothing else", async () => {
  const its = on();
  const { id, state } = await its.life.create(args);
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

test("a list of names shows only what is gone", async () => {
  emulator.setReadings({ packageEntries: "names" });
  const its = on();
  const { id, state } = await its.life.create(args);
  await addBySomebody(emulator, "pyarrow==15.0.0");
  expect(await packagesAfter(its, id, state)).toEqual(args.packages);
  await removeBySomebody(emulator, "pyarrow");
  expect(await packagesAfter(its, id, state)).toEqual(["Scikit_Learn==1.5", "requests"]);
});

test("a list of requests shows other versions, but never that a package is gone", async () => {
  emulator.setReadings({ packageEntries: "requests" });
  const its = on();
  const { id, state } = await its.life.create(args);
  await expect(its.life.read(id, state)).resolves.toEqual({ id, state });
  await addBySomebody(emulator, "pyarrow==15.0.0");
  await removeBySomebody(emulator, "requests");
  expect(await packagesAfter(its, id, state)).toEqual([
    "Scikit_Learn==1.5",
    { name: "pyarrow", version: "15.0.0" },
    "requests",
  ]);
});

test("R packages are looked for among the R packages", async () => {
  const { life } = on();
  const own = [{ name: "xts", repoUrl: "https://cran.example.com" }];
  const r = { envId: 402, sourceType: "r_package", packages: ["lme4==1.1-35"], repoPackages: own };
  const { id, state } = await life.create(r);
  await expect(life.read(id, state)).resolves.toEqual({ id, state });
  await request(emulator, "DELETE", "/api/v1.2/package/402/remove_packages", {
    source_type: "r_package",
    package_names: "xts",
  });
  await expect(life.read(id, state)).resolves.toMatchObject({ state: { ...r, repoPackages: [] } });
});

test("an environment that the platform no longer lists is gone", async () => {
  for (const environmentsEnvelope of ["environments", "array"] as const) {
    emulator.setReadings({ environmentsEnvelope });
    const { life, said, id, state } = await createdBy(on(), args);
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
    const { life, said, id, state } = await createdBy(inProcess(packageSet, emulator, { extended: true }), args);
    for (const _ of [1, 2]) await expect(life.read(id, state)).resolves.toEqual({ id, state });
    expect(said.warnings.filter((message) => message.includes("cannot list the packages"))).toHaveLength(1);
  }
});
