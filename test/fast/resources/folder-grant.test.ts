import { expect, test } from "vitest";
import { folderGrant } from "../../../provider/resources/folder-grant";
import { renameFolder } from "../../cases/folder";
import { args, id, ours, policyOf, setPolicy } from "../../cases/folder-grant";
import { answers, freshEmulator, ownEmulator, refusal } from "../../harness/emulators";
import { createdBy, inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const start = (options: Parameters<typeof inProcess>[2] = {}) =>
  inProcess(folderGrant, emulator, { extended: true, ...options });
const reports = (): unknown => policyOf(emulator.state({ secrets: true }));

test("all as the two actions of folders is not drift", async () => {
  const { state } = await createdBy(start(), { ...args, allow: ["all"] });
  await setPolicy(emulator, [{ ...ours, action: ["write", "read"] }]);
  await expect(start().life.read(id, state)).resolves.toEqual({ id, state });
});

test("an installation that cannot show the policy: create and import fail, refresh keeps the state, destroy says what may stay", async () => {
  const half = await ownEmulator({ extended: [] });
  const { life: its, said } = inProcess(folderGrant, half, { extended: true });
  await expect(its.create(args)).rejects.toThrow(
    /could not read the policy of folder notes\/Common\/reports.*there is no such folder, or .* use FolderPolicy/,
  );
  await expect(its.read(id, {})).rejects.toThrow("does not show policies of folders");
  await expect(its.read(id, args)).resolves.toEqual({ id, state: args });
  await its.delete(id, args);
  expect(said.warnings.at(-1)).toMatch(/folder notes\/Common\/reports no longer exists, .* so no grant was taken out/);
  await its.foresee(undefined, args);
  expect(said.warnings.at(-1)).toContain("cannot preview what this changes on the platform");
  expect(half.requests().counts["folders.policy"]).toBeUndefined();
});

test("a folder that the token may not see does not stop the grant on another one", async () => {
  const { life: its } = start();
  answers(emulator, "folders.viewPolicy", 403, refusal("not yours", 403), { times: 1 });
  await expect(its.create({ ...args, location: "Common/other" })).rejects.toThrow("403");
  await expect(its.create(args)).resolves.toMatchObject({ id });
});

test("a passing error while looking whether the installation can show policies is not remembered", async () => {
  const { life: its } = start({ retries: 0 });
  const missing = { error: { error_code: 404, error_message: "no policy" } };
  emulator.setFaults({
    rules: [
      { operation: "folders.viewPolicy", kind: "respond", status: 404, body: missing, nth: [1, 3] },
      { operation: "folders.viewPolicy", kind: "500", nth: 2 },
    ],
  });
  await expect(its.create(args)).rejects.toThrow("500");
  await expect(its.create(args)).resolves.toMatchObject({ id });
});

test("turned off: nothing is sent, refresh keeps the state, destroy says what to set; on again it goes", async () => {
  const { state } = await start().life.create(args);
  const off = inProcess(folderGrant, emulator);
  emulator.clearRequests();
  await expect(off.life.read(id, state)).resolves.toEqual({ id, state });
  await expect(off.life.delete(id, state)).rejects.toThrow("needs the extended API");
  expect(emulator.requests().requests.filter(({ operation }) => operation?.startsWith("folders."))).toEqual([]);
  await start().life.delete(id, state);
  expect(reports()).toEqual([]);
});

test("a folder that was renamed keeps the grant: destroy says so, and refresh drops it", async () => {
  const { life: its, said, state } = await createdBy(start(), args);
  await renameFolder(emulator, "Common/reports", "renamed");
  await expect(start().life.read(id, state)).resolves.toBeUndefined();
  await its.delete(id, state);
  expect(said.warnings).toEqual([expect.stringContaining("if the folder was moved or renamed")]);
  expect(reports()).toEqual([ours]);
  await expect(its.create(args)).rejects.toThrow("404");
});
