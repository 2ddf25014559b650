import { expect, test } from "vitest";
import type { Readings } from "../../../emulator/readings";
import { freshEmulator, ownEmulator } from "../../harness/emulators";
import { resultOf } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const call = (name: string, readings: Partial<Readings> = {}) => {
  emulator.setReadings(readings);
  return resultOf(name, {}, emulator, { extended: true });
};

test.each<Partial<Readings>>([{}, { groupList: "array" }, { groupList: "paged" }, { groupRecord: "records" }])(
  "getGroups: %j",
  async (readings) => {
    const { groups } = await call("getGroups", readings);
    expect((groups as { name: string }[]).map(({ name }) => name)).toEqual([
      "system-admin",
      "system-user",
      "everyone",
      "analysts",
      "operators",
      "engineers",
    ]);
    expect((groups as unknown[])[3]).toMatchObject({ id: 204, name: "analysts" });
  },
);

test.each<Partial<Readings>>([{}, { roleList: "array" }, { roleList: "paged" }, { roleRecord: "plain" }])(
  "getRoles: %j",
  async (readings) => {
    const { roles } = await call("getRoles", readings);
    const analyst = (roles as { name: string }[]).find(({ name }) => name === "analyst");
    expect(analyst).toMatchObject({ id: 301, name: "analyst" });
    expect("policies" in analyst!).toBe(readings.roleRecord !== "plain");
  },
);

test.each(["getGroups", "getRoles"])("%s says why it cannot run", async (name) => {
  await expect(resultOf(name, {}, emulator)).rejects.toThrow(
    `${name}: needs the extended API; set dataplatform:extendedApi`,
  );
  await expect(resultOf(name, {}, await ownEmulator(), { extended: true })).rejects.toThrow(
    /this installation of the platform cannot list the \w+ \(GET/,
  );
  await expect(resultOf(name, {}, emulator, { extended: true, token: "powerless" })).rejects.toThrow(
    /a role that allows viewing/,
  );
});
