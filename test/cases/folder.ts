import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import {
  accountIn,
  type EmulatorState,
  type LifecycleCase,
  replace,
  update,
  withExtendedApi,
} from "../harness/lifecycle";

export const locationOf = (state: EmulatorState, id: number): string =>
  accountIn(state).folders.find((candidate) => candidate.id === id)!.location;

/** What somebody else does to a folder. */
export const renameFolder = (emulator: Emulator, location: string, name: string, id = "701"): Promise<void> =>
  request(emulator, "PUT", "/api/v1.2/folders/rename", { name, folder_id: id, location, type: "notes" });

export const args = { folderId: "701", type: "notes", name: "quarterly", location: "Common/reports" };

/** Folders that no other resource of the same stack manages. */
async function addFolders(emulator: Emulator): Promise<void> {
  const add = (id: number, name: string, location: string, type = "notes") =>
    request(emulator, "PUT", "/_emulator/state/folders", { id, name, location, type });
  await add(711, "drafts", "Common/drafts");
  await add(712, "weekly", "Common/drafts/weekly");
  await add(714, "charts", "Common/charts", "notebook_dashboards");
}
const own = { ...args, folderId: "711", location: "Common/drafts" };

export const life: LifecycleCase = {
  type: "Folder",
  args: own,
  prepare: addFolders,
  present: (state, id) => {
    expect(locationOf(state, 711)).toBe("Common/quarterly");
    expect(id).toBe("notes/711");
  },
  absent: (state) =>
    expect([locationOf(state, 711), locationOf(state, 714)]).toEqual(["Common/yearly", "Common/panels"]),
  changes: [
    update(
      "another name, while the program still has the first location",
      { ...own, name: "monthly" },
      { "folders.rename": 1 },
      (state) => expect(locationOf(state, 711)).toBe("Common/monthly"),
    ),
    update("and another", { ...own, name: "yearly" }, { "folders.rename": 1 }, (state) =>
      expect([locationOf(state, 711), locationOf(state, 712)]).toEqual(["Common/yearly", "Common/yearly/weekly"]),
    ),
    replace(
      "another folder",
      { folderId: "714", type: "notebook_dashboards", name: "panels", location: "Common/charts" },
      { "folders.rename": 1 },
      (state) => expect(locationOf(state, 714)).toBe("Common/panels"),
    ),
  ],
  kept: "folder ID stays on the platform at Common/panels, with its current name",
  bad: [
    [{ ...own, name: "a/b" }, "name", "must be a name without slashes"],
    [{ ...own, name: "" }, "name", "must be a name"],
    [{ ...own, name: " a" }, "name", "without leading or trailing spaces"],
    [{ ...own, folderId: "" }, "folderId", "is empty; expected an id"],
    [{ ...own, folderId: "7 1" }, "folderId", "contains spaces"],
    [{ ...own, location: " " }, "location", "is empty"],
  ],
  badLater: { args: { ...own, name: { $later: "a/b" } }, says: "must be a name without slashes" },
  forbidden: { token: "powerless", says: "submitting a command" },
};

// The extended API cannot read or remove a folder either.
export const extended = withExtendedApi(life, { absent: life.absent, changes: life.changes!, kept: life.kept! });
