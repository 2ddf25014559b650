import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { account } from "../../provider/resources/account";
import { inProcess } from "../harness/in-process";
import { type EmulatorState, lifecycle } from "../harness/lifecycle";
import { TestStack } from "../harness/stack";
import { testOnEngine } from "../harness/tier";

const keys = {
  storageAccessKey: "canary-storage-access",
  storageSecretKey: "canary-storage-secret",
  computeAccessKey: "canary-compute-access",
  computeSecretKey: "canary-compute-secret",
};
const args = { name: "Blue", defloc: "s3://blue/logs", awsRegion: "eu-west-1", idleSessionTimeout: 480, ...keys };
const stored = {
  storage_access_key: keys.storageAccessKey,
  storage_secret_key: keys.storageSecretKey,
  compute_access_key: keys.computeAccessKey,
  compute_secret_key: keys.computeSecretKey,
};

/** Accounts beyond the two of the seed. */
const made = (state: EmulatorState) => state.accounts.filter(({ id }) => id > 1002);
const accountIn = (state: EmulatorState, id: string) => state.accounts.find((known) => String(known.id) === id);

/** Changes accounts behind the provider's back, which the API cannot do. */
function change(emulator: Emulator, alter: (one: EmulatorState["accounts"][number]) => object): void {
  const state = emulator.state({ secrets: true });
  emulator.reset({
    ...state,
    accounts: state.accounts.map((one) => (one.id > 1002 ? { ...one, ...alter(one) } : one)),
  });
}

lifecycle({
  type: "Account",
  args,
  present: (state, id) =>
    expect(accountIn(state, id)).toMatchObject({
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
  drift: { make: (emulator) => change(emulator, () => ({ name: "Renamed" })) },
  changes: [
    {
      what: "apiVersion",
      args: { ...args, apiVersion: "v1.2" },
      expect: "update",
      calls: { "account.create": 0, "account.createV2": 0 },
    },
    {
      what: "everything else, by v1.2",
      args: {
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
      expect: "replace",
      calls: { "account.create": 1, "account.createV2": 0 },
      after: (state, { text }) => {
        expect(made(state).at(-1)).toMatchObject({
          name: "Green",
          cache_quota_size_in_gb: 1000,
          idle_cluster_timeout: 0,
          idle_cluster_timeout_in_secs: 300,
          idle_session_timeout: 10_800,
          plan: "enterprise",
          ...stored,
        });
        expect(text).toMatch(/changing name, .* creates a NEW account .* leaves account 1004 on the platform/);
        expect(text).toContain("account 1004 (Blue) stays on the platform: the API cannot remove it");
        expect(text).not.toContain("canary");
      },
    },
  ],
  kept: "account ID (Green) stays on the platform: the API cannot remove it",
  bad: [
    {
      what: "unknown region",
      args: { ...args, awsRegion: "eu-central-1" },
      property: "awsRegion",
      says: 'is "eu-central-1"; expected one of "us-east-1", "us-east-2", "us-west-1", "us-west-2"',
    },
    { what: "no name", args: {}, property: "name", says: "is required" },
    { what: "empty name", args: { name: "" }, property: "name", says: "is empty" },
    { what: "other level", args: { ...args, level: "gold" }, property: "level", says: 'is "gold"; expected "free"' },
    ...["computeType", "storageType"].map((property) => ({
      what: `other ${property}`,
      args: { ...args, [property]: "MANAGED" },
      property,
      says: 'is "MANAGED"; expected "CUSTOMER_MANAGED"',
    })),
    ...[-1, 7].map((idleClusterTimeout) => ({
      what: `${idleClusterTimeout} hours`,
      args: { ...args, idleClusterTimeout },
      property: "idleClusterTimeout",
      says: `is ${idleClusterTimeout}; expected 0 to 6 hours`,
    })),
    {
      what: "half an hour",
      args: { ...args, idleClusterTimeout: 0.5 },
      property: "idleClusterTimeout",
      says: /integer|int/,
    },
    {
      what: "299 seconds",
      args: { ...args, idleClusterTimeoutInSecs: 299 },
      property: "idleClusterTimeoutInSecs",
      says: "is 299; expected 300 or more seconds",
    },
    {
      what: "10801 minutes",
      args: { ...args, idleSessionTimeout: 10_801 },
      property: "idleSessionTimeout",
      says: "is 10801; expected 1 to 10800 minutes",
    },
    {
      what: "negative cache",
      args: { ...args, cacheQuotaSizeInGB: -1 },
      property: "cacheQuotaSizeInGB",
      says: "is -1; expected 0 or more gigabytes",
    },
    { what: "a version", args: { ...args, apiVersion: "v3" }, property: "apiVersion", says: 'one of "v2", "v1.2"' },
    {
      what: "the name of v1.2",
      args: { ...args, acc_key: "canary" },
      property: "acc_key",
      says: "is not a known property",
    },
  ],
  badLater: {
    args: { ...args, idleClusterTimeout: { $later: 7 } },
    property: "idleClusterTimeout",
    says: "is 7; expected 0 to 6 hours",
  },
  forbidden: { token: "powerless", says: "creating an account" },
});

describe("Account", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.close());

  test("an explicit default is not a change, nor is a trailing slash in defloc", () => {
    const { life, said } = inProcess(account, emulator);
    const defaults = { apiVersion: "v2", level: "free", idleClusterTimeout: 2, cacheQuotaSizeInGB: 25 };
    expect(life.diff("1003", args, { ...args, ...defaults, defloc: "s3://blue/logs/" }).changed).toEqual([]);
    expect(said.warnings).toEqual([]);
    expect(life.diff("1003", args, { ...args, storageSecretKey: "other" }).replaces).toEqual(["storageSecretKey"]);
    expect(said.warnings).toHaveLength(1);
  });

  test("warns about an incomplete pair of keys, unless the other key is still unknown", () => {
    const { life, said } = inProcess(account, emulator);
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    expect(life.check({ name: "Blue", storageAccessKey: "canary", storageSecretKey: unknown }).failures).toEqual([]);
    expect(said.warnings).toEqual([]);
    expect(life.check({ name: "Blue", storageAccessKey: "canary" }).failures).toEqual([]);
    expect(said.warnings.join()).toContain("only one of storageAccessKey and storageSecretKey is set");
    expect(said.warnings.join()).not.toContain("canary");
  });

  test("refresh compares declared inputs that the view shows, and no others", async () => {
    const { life } = inProcess(account, emulator);
    const { id, state } = await life.create({ name: "Blue" });
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    change(emulator, () => ({ name: "Renamed", idle_session_timeout: 7, storage_location: "s3://other" }));
    await expect(life.read(id, state)).resolves.toEqual({ id, state: { ...state, name: "Renamed" } });
    await expect(life.read(id, { ...state, ...args })).resolves.toMatchObject({
      // The specification does not say that the view's storage_location is defloc.
      state: { name: "Renamed", idleSessionTimeout: 7, defloc: args.defloc, ...keys },
    });
  });

  test.each([
    [
      "is refused",
      (emulator: Emulator) =>
        change(emulator, (one) => ({ users: one.users.map((user) => ({ ...user, token: "new" })) })),
    ],
    [
      "may no longer view",
      (emulator: Emulator) =>
        change(emulator, (one) => ({ users: one.users.map((user) => ({ ...user, groups: [] })) })),
    ],
  ])("a token that %s keeps the state, with a warning", async (_what, spoil) => {
    const { life, said } = inProcess(account, emulator);
    const { id, state } = await life.create(args);
    spoil(emulator);
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    expect(said.warnings.join()).toContain(`cannot view account ${id} with its own token (40`);
    expect(said.warnings.join()).not.toContain(String(state["authenticationToken"]));
  });

  test("a platform failure is an error, and does not keep the state silently", async () => {
    const { life } = inProcess(account, emulator, { retries: 0 });
    const { id, state } = await life.create(args);
    emulator.setFaults({ rules: [{ operation: "account.view", kind: "500" }] });
    await expect(life.read(id, state)).rejects.toThrow(/the platform failed \(500\)/);
  });

  test.each(["reset-after", "truncated", "500"] as const)(
    "%s: the outcome is unknown, and nothing is sent twice",
    async (kind) => {
      const { life } = inProcess(account, emulator);
      emulator.setFaults({ rules: [{ operation: "account.createV2", kind, work: "do" }] });
      const failed = await life.create(args).catch((error: Error) => error.message);
      expect(failed).toMatch(/its outcome is unknown.*new account named "Blue".*import/);
      expect(failed).not.toContain("canary");
      expect(made(emulator.state())).toHaveLength(1);
      for (const { token } of made(emulator.state({ secrets: true }))[0]!.users) expect(failed).not.toContain(token);
    },
  );

  test("import reads what the view shows, trusts the program for the rest, and is verified from then on", async () => {
    const { life, said } = inProcess(account, emulator);
    const { state } = (await life.read("1001", {}))!;
    expect(state).toMatchObject({ name: "Analytics" });
    expect(said.warnings).toEqual([]);
    expect(life.diff("1001", state, { ...args, name: "Analytics" }).changed).toEqual([]);
    expect(life.diff("1001", state, args).replaces, "a name that is not the one found").toEqual(["name"]);
    // The first `up` put the program's inputs into the state; from then on they count.
    const settled = { ...state, ...args, name: "Analytics" };
    expect(life.diff("1001", settled, { ...args, name: "Analytics", awsRegion: "eu-west-2" }).changed).toEqual([
      "awsRegion",
    ]);
    await expect(life.read("1001", { ...settled, name: "old" })).resolves.toMatchObject({
      state: { name: "Analytics" },
    });
  });

  test("importing an account of another token trusts the program, with a warning", async () => {
    const { life, said } = inProcess(account, emulator);
    const { state } = (await life.read("1002", {}))!;
    expect(life.diff("1002", state, args).changed).toEqual([]);
    expect(said.warnings.join()).toContain("the configured token belongs to account 1001");
    await expect(life.read("two words", {})).rejects.toThrow(/"two words" is not an account id/);
  });

  testOnEngine("keys and token are encrypted in the state and never printed", async () => {
    const stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
    try {
      const { code, text } = await stack.up({ it: { type: "Account", args } });
      expect(code, text).toBe(0);
      const state = await stack.exportState();
      const [{ token } = { token: "" }] = made(emulator.state({ secrets: true }))[0]!.users;
      expect(state.resources[0]!.outputs).toHaveProperty("authenticationToken");
      expect(`${state.text}${text}`).not.toContain("canary");
      expect(`${state.text}${text}`).not.toContain(token);
    } finally {
      stack.remove();
    }
  });
});
