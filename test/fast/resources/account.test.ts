import { expect, test } from "vitest";
import { account } from "../../../provider/resources/account";
import { args, change, keys, made } from "../../cases/account";
import { answers, freshEmulator } from "../../harness/emulators";
import { createdBy, inProcess } from "../../harness/in-process";

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
  await expect(life.read("1001", { ...settled, name: "old" })).resolves.toMatchObject({
    state: { name: "Analytics" },
  });
});

test("importing an account of another token trusts the program, with a warning", async () => {
  const { life, said } = inProcess(account, emulator);
  const { state } = (await life.read("1002", {}))!;
  expect(life.diff(state, args).changed).toEqual([]);
  expect(said.warnings.join()).toContain("the configured token belongs to account 1001");
  await expect(life.read("two words", {})).rejects.toThrow(/"two words" is not an account id/);
});
