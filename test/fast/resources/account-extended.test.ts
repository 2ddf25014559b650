import { describe, expect, test } from "vitest";
import { account } from "../../../provider/resources/account";
import { made } from "../../cases/account";
import { args, changed } from "../../cases/account-extended";
import { freshEmulator, ownEmulator } from "../../harness/emulators";
import { createdBy, inProcess, partOf } from "../../harness/in-process";

const edits = ["account.edit", "account.editV2"];

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
      const before = { ...args, apiVersion };
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
      expect(stored()).toMatchObject({
        compute_secret_key: "canary-compute-2",
        storage_secret_key: args.storageSecretKey,
        storage_location: "s3://blue/other",
      });
      expect(said.warnings).toEqual([]);
    },
  );

  test("a key that is taken away cannot be edited: nothing is sent, and the next up replaces the account", async () => {
    const { life, id, state } = await createdBy(on(), args);
    const { storageSecretKey: _, ...fewer } = args;
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
    const { life, id, state } = await createdBy(on(), args);
    emulator.setFaults({ rules });
    const failed = life.update(id, state, changed);
    await expect(failed).rejects.toThrow("404");
    await expect(failed).rejects.not.toHaveProperty("existing");
  });

  test("turned off after a lost answer: nothing is created, and a warning says what is left to do", async () => {
    const { life, id, state } = await createdBy(on({ retries: 0 }), args);
    emulator.setFaults({ rules: [{ operation: "account.editV2", kind: "reset-before" }] });
    const { state: part } = await partOf(life.update(id, state, changed));
    const off = inProcess(account, emulator);
    await off.life.update(id, part, changed);
    expect(made(emulator.state())).toHaveLength(1);
    expect(off.said.warnings).toEqual([expect.stringContaining(`the last change of account ${id} is not repeated`)]);
  });

  test("an imported account is edited with the configured token if it belongs to the account", async () => {
    const { life } = on();
    const own = { ...args, name: "Analytics" };
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
    const { life, said, id, state } = await createdBy(on(), args);
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
  const { life, said, id, state } = await createdBy(inProcess(account, emulator, { extended: true }), args);
  if (used === undefined) {
    const { state: kept } = await partOf(life.update(id, state, changed));
    expect((await life.plan(id, kept, changed)).replaces).toEqual(["storageSecretKey", "computeSecretKey"]);
    expect(made(emulator.state({ secrets: true }))).toMatchObject([{ compute_secret_key: args.computeSecretKey }]);
  } else {
    await life.update(id, state, changed);
    expect(made(emulator.state({ secrets: true }))).toMatchObject([{ compute_secret_key: "canary-compute-2" }]);
    expect(said.warnings).toEqual([]);
  }
});
