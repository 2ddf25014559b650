import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import type { ExtendedLife } from "../harness/lifecycle";
import { python } from "./package-set";

const path = "/api/v1.2/package/403";
export const addBySomebody = (emulator: Emulator, names: string) =>
  request(emulator, "POST", `${path}/add_packages`, { source_type: "python_package", package_names: names });
export const removeBySomebody = (emulator: Emulator, names: string) =>
  request(emulator, "DELETE", `${path}/remove_packages`, { source_type: "python_package", package_names: names });

export const args = {
  envId: 403,
  sourceType: "python_package",
  packages: ["Scikit_Learn==1.5", { name: "pyarrow", version: "16.0.0" }, "requests"],
};

export const extended: ExtendedLife = {
  type: "PackageSet",
  args,
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
    {
      what: "a version",
      args: { ...args, packages: ["Scikit_Learn==1.6", "pyarrow==16.0.0"] },
      expect: "update",
      after: (state) => expect(Object.keys(python(state))).toHaveLength(2),
    },
  ],
};
