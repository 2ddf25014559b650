import { describe, expect, test } from "vitest";
import { asInstalled, InstalledPackages } from "../../../provider/platform/installed-packages";

const python = (answer: unknown) => new InstalledPackages(answer, "python_package");
const inPython = (part: unknown) => python({ env_id: 401, packages: { python: part, r: [] } });
const rows = (...given: object[]) => inPython(given);

describe("a list of packages", () => {
  const packages = [
    ["numpy", "1.26.4"],
    ["pandas", "2.2.0"],
  ] as const;
  const listed = (form: (name: string, version: string) => unknown) => packages.map(([name, it]) => form(name, it));

  test.each<[string, unknown]>([
    ["texts", listed((name, version) => `${name}==${version}`)],
    ["conda's texts", listed((name, version) => `${name}=${version}=py311_0`)],
    ["pip's old texts", listed((name, version) => `${name} (${version})`)],
    ["columns", listed((name, version) => `${name}   ${version}`)],
    ["extras and other case", listed((name, version) => `${name.toUpperCase()}[all]==${version}`)],
    ["objects", listed((name, version) => ({ name, version }))],
    ["objects with longer names", listed((name, version) => ({ package_name: name, package_version: version }))],
    ["objects with other names", listed((name, version) => ({ package: name, version }))],
    ["objects with texts", listed((name, version) => ({ name: `${name}==${version}` }))],
    ["those with a status", listed((name, version) => ({ name, version, status: "installed" }))],
    ["those with a state", listed((name, version) => ({ name, version, state: "Installed" }))],
    ["a map", Object.fromEntries(packages)],
    ["a map to objects", Object.fromEntries(packages.map(([name, version]) => [name, { version, build: 0 }]))],
    ["a map by id", { ...listed((name, version) => ({ name, version })) }],
  ])("as %s tells versions, and what is gone", (_form, part) => {
    for (const list of [
      inPython(part),
      python({ packages: { python_package: part } }),
      python({ python: part, r: [] }),
      python({ status: "success", environment: { packages: { Python: part } } }),
    ]) {
      expect(list.look("NumPy")).toEqual({ version: "1.26.4" });
      expect(list.look("pandas")).toEqual({ version: "2.2.0" });
      expect(list.look("scipy")).toBe("gone");
    }
  });

  test.each([
    ["names", ["numpy"]],
    ["conditions", ["numpy>=1.0", "scikit-learn~=1.5", "x @ https://example.com/x.whl"]],
    ["a wildcard", ["numpy==1.26.*"]],
    ["numbers", { numpy: 1.2 }],
    ["nulls", { numpy: null }],
    ["empty versions", [{ name: "numpy", version: "" }]],
    ["two versions of one package", ["numpy==1.0", "numpy==2.0"]],
  ])("with %s proves only that they are there", (_form, part) => {
    expect(inPython(part).look("numpy")).toEqual({ version: undefined });
    expect(inPython(part).look("scipy")).toBe("gone");
  });

  test("that is bare or names languages in its rows is read too", () => {
    expect(python(["numpy==1.0"]).look("numpy")).toEqual({ version: "1.0" });
    const mixed = [
      { name: "numpy", version: "1.0", source_type: "python_package" },
      { name: "lme4", version: "2.0", source_type: "r_package" },
    ];
    expect(python({ packages: mixed }).look("lme4")).toBe("gone");
    expect(new InstalledPackages({ packages: mixed }, "r_package").look("lme4")).toEqual({ version: "2.0" });
  });

  test("an interpreter among the packages is not a language", () => {
    const plain = { python: "3.11", pip: "24.0", numpy: "1.0" };
    const records = { python: { version: "3.11" }, numpy: { version: "1.0" } };
    for (const packages of [plain, records]) expect(python({ packages }).look("numpy")).toEqual({ version: "1.0" });
  });

  test("an empty list says that all are gone", () => expect(inPython([]).look("numpy")).toBe("gone"));

  const unclear = [null, {}, "", { python: null }, { r: ["lme4"] }, { python: ["numpy-1.26.4"] }];
  const inList = [7, ["numpy"], { id: 1 }].map((entry) => ({ python: [entry] }));
  test.each([
    ...[{}, null, "OK", 7, { status: "success" }],
    ...[...unclear, ...inList].map((packages) => ({ packages })),
    { packages: { python: ["pandas"] }, paging_info: { next_page: 2 } },
    { packages: { python: ["pandas"] }, links: { next: "?cursor=a" } },
    { packages: ["pandas"], total: 2 },
  ])("%j proves nothing about numpy", (answer) => expect(python(answer).look("numpy")).toBe("unknown"));

  test("conda's names of R packages are known", () => {
    const r = new InstalledPackages({ packages: { r: ["r-data.table=1.14.8", "ggplot2==3.4.4"] } }, "r_package");
    expect(r.look("data.table")).toEqual({ version: "1.14.8" });
    expect(r.look("GGplot2")).toBe("gone");
  });
});

describe("a list of requests", () => {
  const success = { id: 7, package_names: "numpy==2.0,pandas", status: "success", created_at: "2024-01-02T00:00:00Z" };

  test("never says that a package is gone", () => {
    expect(rows(success).look("scipy")).toBe("unknown");
    expect(rows(success).look("numpy")).toEqual({ version: "2.0" });
    expect(rows(success).look("pandas")).toEqual({ version: undefined });
  });

  test.each(["failed", "error", "Aborted", "cancelled"])("%s ones prove nothing", (status) => {
    const list = rows({ id: 8, package_names: "numpy==3.0,scipy", status }, success);
    expect(list.look("numpy")).toEqual({ version: "2.0" });
    expect(list.look("scipy")).toBe("unknown");
  });

  test("a failed package among others makes the list one of requests", () => {
    const [numpy, scipy] = ["numpy", "scipy"].map((name) => ({ name, version: "1.0" }));
    const list = rows({ ...numpy, status: "success" }, { ...scipy, status: "failed" });
    const found = ["numpy", "scipy", "pandas"].map((name) => list.look(name));
    expect(found).toEqual([{ version: "1.0" }, "unknown", "unknown"]);
  });

  test.each(["pending", "processing", "queued"])("%s ones leave open what is installed", (status) => {
    expect(rows(success, { id: 9, package_names: "numpy==3.0", status }).look("numpy")).toBe("unknown");
  });

  test.each([
    ["by id", { id: 3 }, { id: 4 }],
    ["by textual id", { id: "3" }, { id: "12" }],
    ["by time", { created_at: "2024-01-01T00:00:00Z" }, { created_at: "2024-01-02 00:00:00 UTC" }],
  ])("the last one wins, %s", (_how, first, last) => {
    const history = [
      { ...last, packages: ["numpy==2.0"] },
      { ...first, packages: ["numpy==1.0", "scipy==1.0"] },
    ];
    const shown = { python: [{ ...last, package_names: "numpy==2.0", status: "success" }] };
    const list = python({ packages: shown, installed_pkgs_history: { python: history } });
    expect([list.look("numpy"), list.look("scipy")]).toEqual([{ version: "2.0" }, { version: "1.0" }]);
  });

  test("without an order, contradicting versions are unknown", () => {
    const history = [{ packages: "numpy==1.0,scipy==1.0" }, { packages: "numpy==2.0" }];
    const answer = {
      packages: { python: [success] },
      installed_pkgs_history: history.map((row) => ({ ...row, status: "success" })),
    };
    expect(python(answer).look("scipy")).toEqual({ version: "1.0" });
    const failed = { python: [{ package_names: "x", status: "failed" }] };
    expect(python({ ...answer, packages: failed }).look("numpy")).toEqual({ version: undefined });
  });

  test("a list that holds just what the last request installed may not be all", () => {
    const names = ["scipy==1.0", "numpy==1.0"];
    const history = { python: names.map((package_names, id) => ({ id, package_names, status: "success" })) };
    const answer = (...listed: string[]) => python({ packages: { python: listed }, installed_pkgs_history: history });
    expect(answer("numpy==1.0").look("scipy")).toBe("unknown");
    expect(answer("numpy==1.0").look("numpy")).toEqual({ version: "1.0" });
    expect(answer("numpy==1.0", "pip==24.0").look("scipy")).toBe("gone");
    expect(answer("scipy==1.0").look("numpy")).toBe("gone");
  });
});

describe("packages of a program", () => {
  test("keep their spelling while they mean the same, and show what is installed otherwise", () => {
    const list = inPython(["scikit-learn==1.5", "numpy==1.25.0", "torch==2.1.0+cpu", "pandas==2.2.0", "pip"]);
    const same = ["Scikit_Learn==1.5.0", "torch==2.1", "pandas", "pip==24.0", "pandas==v2.2"];
    const packages = [...same, { name: "numpy", version: "1.26.4" }, "scipy==1.0"];
    expect(asInstalled(list, { packages })).toEqual({ packages: [...same, { name: "numpy", version: "1.25.0" }] });
    expect(asInstalled(list, { packages: ["torch==2.1.0+cu118"] })).toEqual({ packages: ["torch==2.1.0+cpu"] });
  });

  test("with repositories of their own are there or gone", () => {
    const list = new InstalledPackages({ packages: { r: { lme4: "1.1-35" } } }, "r_package");
    const repoPackages = ["lme4", "xts"].map((name) => ({ name, repoUrl: "https://cran.example.com" }));
    expect(asInstalled(list, { packages: ["lme4==1.1.35"], repoPackages })).toEqual({
      packages: ["lme4==1.1.35"],
      repoPackages: repoPackages.slice(0, 1),
    });
  });
});
