import { describe, expect, test } from "vitest";
import { folderPolicy } from "../../../provider/resources/folder-policy";
import { renameFolder } from "../../cases/folder";
import { policyOf } from "../../cases/folder-grant";
import { args, policy } from "../../cases/folder-policy";
import { freshEmulator } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";

describe("FolderPolicy against the emulator", () => {
  const emulator = freshEmulator();
  const reports = (): unknown => policyOf(emulator.state({ secrets: true }));

  test("destroy sets destroyPolicy, without a warning", async () => {
    const { life, said } = inProcess(folderPolicy, emulator);
    const { id, state } = await life.create({ ...args, onDestroy: "set", destroyPolicy: [{ access: "deny" }] });
    await life.delete(id, state);
    expect(reports()).toEqual([{ access: "deny" }]);
    expect(said.warnings).toEqual([]);
  });

  test("destroying the policy of a moved folder succeeds, and says that the policy moved along", async () => {
    const { life, said } = inProcess(folderPolicy, emulator);
    const { id, state } = await life.create({ ...args, onDestroy: "clear" });
    await renameFolder(emulator, "Common/reports", "renamed");
    await life.delete(id, state);
    expect(said.warnings).toEqual([expect.stringContaining("folder notes/Common/reports no longer exists")]);
  });

  test("the policy is sent as one JSON string, and Folder as its source type", async () => {
    emulator.clearRequests();
    await inProcess(folderPolicy, emulator).life.create({ ...args, policy: [policy[1]], name: "reports" });
    const sent = emulator.requests().requests.filter(({ operation }) => operation === "folders.policy");
    expect(sent.map(({ body }) => body)).toEqual([
      {
        location: "Common/reports",
        source_type: "Folder",
        type: "notes",
        policy: '[{"access":"deny"}]',
        name: "reports",
      },
    ]);
  });

  test("an owner with manage permission on the folder may set its policy", async () => {
    const own = { ...args, location: "Users/owner@analytics.example.com/private" };
    const { id } = await inProcess(folderPolicy, emulator, { token: "owner" }).life.create(own);
    expect(folderPolicy.importId.tells?.(id)).toEqual({ type: "notes", location: own.location });
    expect(folderPolicy.importId.tells?.("notes//")).toEqual({ type: "notes", location: "/" });
  });

  test.each(["Common/reports", "notes", "notes/", "note/Common", ""])("import by %j is rejected", (id) => {
    expect(() => folderPolicy.importId.tells?.(id)).toThrow("expected type/location, such as notes/Common/reports");
  });
});
