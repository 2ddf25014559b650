import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import {
  type BadInput,
  type EmulatorState,
  type ExtendedLife,
  type LifecycleCase,
  replace,
  update,
} from "../harness/lifecycle";

export const keys = {
  storageAccessKey: "canary-storage-access",
  storageSecretKey: "canary-storage-secret",
  computeAccessKey: "canary-compute-access",
  computeSecretKey: "canary-compute-secret",
};
export const extendedArgs = { name: "Blue", defloc: "s3://blue/logs", ...keys };
export const otherKeys = { computeSecretKey: "canary-compute-2", storageSecretKey: "canary-storage-2" };
export const args = { ...extendedArgs, awsRegion: "eu-west-1", idleSessionTimeout: 480 };
const stored = {
  storage_access_key: keys.storageAccessKey,
  storage_secret_key: keys.storageSecretKey,
  compute_access_key: keys.computeAccessKey,
  compute_secret_key: keys.computeSecretKey,
};

/** Accounts beyond the two of the seed. */
export const made = (state: EmulatorState) => state.accounts.filter(({ id }) => id > 1002);

/** Changes accounts behind the provider's back, which the API cannot do. */
export function change(emulator: Emulator, alter: (one: EmulatorState["accounts"][number]) => object): void {
  const { accounts, ...state } = emulator.state({ secrets: true });
  emulator.reset({ ...state, accounts: accounts.map((one) => (one.id > 1002 ? { ...one, ...alter(one) } : one)) });
}

const bad = (property: string, value: unknown, says: string | RegExp): BadInput => [
  { ...args, [property]: value },
  property,
  says,
];

export const life: LifecycleCase = {
  type: "Account",
  args,
  present: (state, id) =>
    expect(state.accounts.find((known) => String(known.id) === id)).toMatchObject({
      name: "Blue",
      storage_location: "s3://blue/logs",
      aws_region: "eu-west-1",
      idle_session_timeout: 480,
      idle_cluster_timeout: 2,
      cache_quota_size_in_gb: 25,
      plan: "free_trial",
      ...stored,
    }),
  absent: (state) => expect(made(state)).toHaveLength(3),
  drift: { make: (emulator) => change(emulator, () => ({ name: "Renamed" })), repaired: "delete-replaced" },
  changes: [
    update("apiVersion", { ...args, apiVersion: "v1.2" }, { "account.create": 0, "account.createV2": 0 }),
    replace(
      "everything else, by v1.2",
      {
        ...args,
        apiVersion: "v1.2",
        name: "Green",
        level: "free",
        computeType: "CUSTOMER_MANAGED",
        storageType: "CUSTOMER_MANAGED",
        cacheQuotaSizeInGB: 1000,
        idleClusterTimeout: 0,
        idleClusterTimeoutInSecs: 300,
        idleSessionTimeout: 10_800,
        subAccountCreation: true,
      },
      { "account.create": 1, "account.createV2": 0 },
      (state, { text }) => {
        expect(made(state).at(-1)).toMatchObject({
          name: "Green",
          cache_quota_size_in_gb: 1000,
          idle_cluster_timeout: 0,
          idle_cluster_timeout_in_secs: 300,
          idle_session_timeout: 10_800,
          plan: "enterprise",
          ...stored,
        });
        expect(text).toMatch(/changing name, .* creates a new Account, and account 1004 .* stays on the platform/);
        expect(text).toContain("account 1004 (Blue) stays on the platform: the API cannot remove it");
        expect(text).not.toContain("canary");
      },
    ),
  ],
  kept: "account ID (Green) stays on the platform: the API cannot remove it",
  bad: [
    bad("awsRegion", "eu-central-1", 'is "eu-central-1"; expected one of "us-east-1", "us-east-2", "us-west-1"'),
    [{ name: "" }, "name", "is empty"],
    bad("level", "gold", 'is "gold"; expected "free"'),
    bad("computeType", "MANAGED", 'is "MANAGED"; expected "CUSTOMER_MANAGED"'),
    bad("storageType", "MANAGED", 'is "MANAGED"; expected "CUSTOMER_MANAGED"'),
    bad("idleClusterTimeout", -1, "is -1; expected 0 to 6 hours"),
    bad("idleClusterTimeout", 7, "is 7; expected 0 to 6 hours"),
    bad("idleClusterTimeout", 0.5, /integer|int/),
    bad("idleClusterTimeoutInSecs", 299, "is 299; expected 300 or more seconds"),
    bad("idleSessionTimeout", 10_801, "is 10801; expected 1 to 10800 minutes"),
    bad("cacheQuotaSizeInGB", -1, "is -1; expected 0 or more gigabytes"),
    bad("apiVersion", "v3", 'one of "v2", "v1.2"'),
    bad("acc_key", "canary", "is not a known property"),
  ],
  badLater: { args: { ...args, idleClusterTimeout: { $later: 7 } }, says: "is 7; expected 0 to 6 hours" },
  forbidden: { token: "powerless", says: "creating an account" },
  secrets: {
    issued: { authenticationToken: (state) => state.accounts.at(-1)!.users[0]!.token },
    create: "account.createV2",
    read: "account.view",
  },
};

export const extended: ExtendedLife = {
  type: "Account",
  args: extendedArgs,
  present: (state) => expect(made(state)).toMatchObject([{ name: "Blue", compute_secret_key: keys.computeSecretKey }]),
  absent: (state) => expect(made(state)).toHaveLength(1),
  changes: [
    update("keys", { ...extendedArgs, ...otherKeys }, (state, { text }) => {
      const now = { compute_secret_key: otherKeys.computeSecretKey, storage_secret_key: otherKeys.storageSecretKey };
      expect(made(state)).toMatchObject([now]);
      expect(text).not.toContain("canary");
    }),
  ],
  kept: "(Blue) stays on the platform: the API cannot remove it",
};
