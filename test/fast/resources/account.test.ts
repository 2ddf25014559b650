import { describe, expect, test } from "vitest";
import { account } from "../../../provider/resources/account";
import { args, change, extendedArgs, keys, made, otherKeys } from "../../cases/account";
import { answers, freshEmulator, ownEmulator } from "../../harness/emulators";
import { createdBy, inProcess, partOf } from "../../harness/in-process";

const emulator = freshEmulator();

test("an explicit default is not a change, nor is a trailing slash in defloc", async () => {
  const { life, said } = inProcess(account, emulator);
  const defaults = { apiVersion: "v2", level: "free", idleClusterTimeout: 2, cacheQuotaSizeInGB: 25 };
  expect(life.diff(args, { ...args, ...defaults, defloc: "s3://blue/logs/" }).changed).toEqual([]);
  expect(said.warnings).toEqual([]);
  const { replaces } = await life.plan("1003", args, { ...args, storageSecretKey: "other" });
  expect(replaces).toEqual(["storageSecretKey"]);
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
  const { life, id, state } = await createdBy(inProcess(account, emulator), { name: "Blue" });
  await expect(life.read(id, state)).resolves.toEqual({ id, state });
  change(emulator, () => ({ name: "Renamed", idle_session_timeout: 7, storage_location: "s3://other" }));
  await expect(life.read(id, state)).resolves.toEqual({ id, state: { ...state, name: "Renamed" } });
  await expect(life.read(id, { ...state, ...args })).resolves.toMatchObject({
    // The specification does not say that the view's storage_location is defloc.
    state: { name: "Renamed", idleSessionTimeout: 7, defloc: args.defloc, ...keys },
  });
});

test.each([
  ["a token that is refused", { token: "new" }, "40"],
  ["a token that may no longer view", { groups: [] }, "40"],
  ["a page instead of the account", undefined, "404)"],
])("%s keeps the state, with a warning", async (_what, spoilt, status) => {
  const { life, said, id, state } = await createdBy(inProcess(account, emulator), args);
  if (spoilt) change(emulator, ({ users }) => ({ users: users.map((user) => ({ ...user, ...spoilt })) }));
  else answers(emulator, "account.view", 404, "<html>");
  await expect(life.read(id, state)).resolves.toEqual({ id, state });
  expect(said.warnings.join()).toContain(`cannot view account ${id} with its own token (${status}`);
  expect(said.warnings.join()).not.toContain(String(state["authenticationToken"]));
});

test("a platform failure is an error, and does not keep the state silently", async () => {
  const { life, id, state } = await createdBy(inProcess(account, emulator, { retries: 0 }), args);
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
  const shown = { ...args, name: "Analytics", idleSessionTimeout: 1440 };
  expect(life.diff(state, shown).changed).toEqual([]);
  expect(life.diff(state, { ...shown, name: "Blue" }).replaces, "a name that is not the one found").toEqual(["name"]);
  const shorter = life.diff(state, { ...shown, idleSessionTimeout: 600 });
  expect(shorter.replaces, "what is shown, and is the default").toEqual(["idleSessionTimeout"]);
  // The first `up` put the program's inputs into the state; from then on they count.
  const settled = { ...state, ...args, name: "Analytics" };
  expect(life.diff(settled, { ...args, name: "Analytics", awsRegion: "eu-west-2" }).changed).toEqual(["awsRegion"]);
  expect((await life.read("1001", { ...settled, name: "old" }))?.state["name"]).toBe("Analytics");
});

test("importing an account of another token trusts the program, with a warning", async () => {
  const { life, said } = inProcess(account, emulator);
  const { state } = (await life.read("1002", {}))!;
  expect(life.diff(state, args).changed).toEqual([]);
  expect(said.warnings.join()).toContain("the configured token belongs to account 1001");
});

const edits = ["account.edit", "account.editV2"];
const changed = { ...extendedArgs, ...otherKeys };

describe("Account with the extended API", () => {
  const emulator = freshEmulator({ extended: true });
  const on = (options: Parameters<typeof inProcess>[2] = {}) =>
    inProcess(account, emulator, { extended: true, ...options });
  const sent = () => emulator.requests().requests.filter(({ operation }) => edits.includes(operation ?? ""));
  const stored = () => made(emulator.state({ secrets: true }))[0]!;

  test.each([
    ["v2", "PUT /api/v2/accounts/", "storage_access_key", "storage_secret_key"],
    ["v1.2", "PUT /api/v1.2/account/", "acc_key", "secret"],
  ])(
    "%s: edits in place, and sends only the part that changes, nothing for another version of the API",
    async (apiVersion, request, accessKey, secretKey) => {
      const { life, said } = on();
      const before = { ...extendedArgs, apiVersion };
      const { id, state } = await life.create(before);
      const compute = { ...before, computeSecretKey: "canary-compute-2" };
      expect((await life.plan(id, state, compute)).replaces).toEqual([]);
      emulator.clearRequests();
      const { state: after } = await life.update(id, state, compute);
      expect(after).toMatchObject({ ...compute, authenticationToken: state["authenticationToken"] });
      const storage = { ...compute, defloc: "s3://blue/other" };
      const { state: latest } = await life.update(id, after, storage);
      await life.update(id, latest, { ...storage, apiVersion: apiVersion === "v2" ? "v1.2" : "v2" });
      expect(sent().map(({ method, path, body }) => [`${method} ${path}`, Object.keys(body as object)])).toEqual([
        [request, ["compute_type", "compute_access_key", "compute_secret_key"]],
        [request, [accessKey, secretKey, "defloc"]],
      ]);
      const { compute_secret_key, storage_secret_key, storage_location } = stored();
      expect([compute_secret_key, storage_secret_key]).toEqual(["canary-compute-2", keys.storageSecretKey]);
      expect(storage_location).toBe("s3://blue/other");
      expect(said.warnings).toEqual([]);
    },
  );

  test("a key that is taken away cannot be edited: nothing is sent, and the next up replaces the account", async () => {
    const { life, id, state } = await createdBy(on(), extendedArgs);
    const { storageSecretKey: _, ...fewer } = extendedArgs;
    emulator.clearRequests();
    const { state: kept } = await partOf(life.update(id, state, fewer));
    expect(sent()).toEqual([]);
    expect((await life.plan(id, kept, fewer)).replaces).toEqual(["storageSecretKey"]);
  });

  test("a missing companion is refused by the platform, and the error says what belongs together", async () => {
    const { life } = on();
    const compute = { name: "Blue", computeAccessKey: "a", computeSecretKey: "b" };
    const { id, state } = await life.create(compute);
    const failed = life.update(id, state, { ...compute, defloc: "s3://x" });
    await expect(failed).rejects.toThrow("both storage keys and defloc");
  });

  const page = { kind: "respond", status: 404, body: "<html>" } as const;
  test.each([
    ["before the edit", [{ ...page }]],
    [
      "from the edit on",
      [
        { ...page, operation: edits },
        { ...page, operation: "account.view", nth: [2, 3, 4] },
      ],
    ],
  ])("a gateway's page instead of every answer, %s, never leads to a second account", async (_when, rules) => {
    const { life, id, state } = await createdBy(on(), extendedArgs);
    emulator.setFaults({ rules });
    const failed = life.update(id, state, changed);
    await expect(failed).rejects.toThrow("404");
    await expect(failed).rejects.not.toHaveProperty("existing");
  });

  test("turned off after a lost answer: nothing is created, and a warning says what is left to do", async () => {
    const { life, id, state } = await createdBy(on({ retries: 0 }), extendedArgs);
    emulator.setFaults({ rules: [{ operation: "account.editV2", kind: "reset-before" }] });
    const { state: part } = await partOf(life.update(id, state, changed));
    const off = inProcess(account, emulator);
    await off.life.update(id, part, changed);
    expect(made(emulator.state())).toHaveLength(1);
    expect(off.said.warnings).toEqual([expect.stringContaining(`the last change of account ${id} is not repeated`)]);
  });

  test("an imported account is edited with the configured token if it belongs to the account", async () => {
    const { life } = on();
    const own = { ...extendedArgs, name: "Analytics" };
    const { state } = (await life.read("1001", {}))!;
    const settled = { ...state, ...own };
    expect((await life.plan("1001", settled, { ...own, computeSecretKey: "canary-compute-2" })).replaces).toEqual([]);
    await life.update("1001", settled, { ...own, computeSecretKey: "canary-compute-2" });
    const analytics = emulator.state({ secrets: true }).accounts.find(({ id }) => id === 1001);
    expect(analytics).toMatchObject({ compute_secret_key: "canary-compute-2" });
  });

  test.each([
    ["an account of another token", undefined],
    ["a token that was renewed", "canary-old"],
  ])("%s cannot be edited, so the change replaces it with the warning", async (_what, authenticationToken) => {
    const { life, said, id, state } = await createdBy(on(), extendedArgs);
    const spoilt = { ...state, authenticationToken };
    expect((await life.plan(id, spoilt, changed)).replaces).toEqual(["storageSecretKey", "computeSecretKey"]);
    expect(said.warnings.join()).toContain("creates a new Account");
    await expect(life.update(id, spoilt, changed)).rejects.toThrow("Nothing was changed");
    expect(said.warnings.join()).not.toContain("canary");
  });
});

test.each([
  ["in either version", false, undefined],
  ["in v2", ["account.edit"], "account.edit"],
])("an installation that cannot edit accounts %s", async (_what, extended, used) => {
  const emulator = await ownEmulator({ extended });
  const { life, said, id, state } = await createdBy(inProcess(account, emulator, { extended: true }), extendedArgs);
  if (used === undefined) {
    const { state: kept } = await partOf(life.update(id, state, changed));
    expect((await life.plan(id, kept, changed)).replaces).toEqual(["storageSecretKey", "computeSecretKey"]);
    expect(made(emulator.state({ secrets: true }))).toMatchObject([{ compute_secret_key: keys.computeSecretKey }]);
  } else {
    await life.update(id, state, changed);
    expect(made(emulator.state({ secrets: true }))).toMatchObject([{ compute_secret_key: "canary-compute-2" }]);
    expect(said.warnings).toEqual([]);
  }
});
