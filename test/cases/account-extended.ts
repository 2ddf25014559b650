import { expect } from "vitest";
import type { ExtendedLife } from "../harness/lifecycle";
import { keys, made } from "./account";

export const args = {
  name: "Blue",
  defloc: "s3://blue/logs",
  ...keys,
};

export const changed = { ...args, computeSecretKey: "canary-compute-2", storageSecretKey: "canary-storage-2" };

export const extended: ExtendedLife = {
  type: "Account",
  args,
  present: (state) => expect(made(state)).toMatchObject([{ name: "Blue", compute_secret_key: args.computeSecretKey }]),
  absent: (state) => expect(made(state)).toHaveLength(1),
  changes: [
    {
      what: "keys",
      args: changed,
      expect: "update",
      after: (state, { text }) => {
        const stored = { compute_secret_key: "canary-compute-2", storage_secret_key: "canary-storage-2" };
        expect(made(state)).toMatchObject([stored]);
        expect(text).not.toContain("canary");
      },
    },
  ],
  kept: "(Blue) stays on the platform: the API cannot remove it",
};
