import { expect, test } from "vitest";
import type { Readings } from "../../../emulator/readings";
import { Client } from "../../../provider/api/client";
import { readSettings } from "../../../provider/api/settings";
import { FunctionRun } from "../../../provider/core/function-run";
import { functionNamed } from "../../../provider/functions";
import { ownEmulator } from "../../harness/emulators";

interface Options {
  readonly extended?: boolean | readonly string[];
  readonly readings?: Partial<Readings>;
  readonly token?: string;
  readonly isOn?: boolean;
}

async function call(name: string, { extended = true, readings = {}, token = "admin", isOn = true }: Options = {}) {
  const emulator = await ownEmulator({ extended, readings });
  const settings = readSettings(() => undefined, {
    DATAPLATFORM_BASE_URL: emulator.url,
    DATAPLATFORM_API_TOKEN: emulator.tokens[token],
    DATAPLATFORM_EXTENDED_API: String(isOn),
  });
  const client = new Client(settings);
  const host = { client: () => client, log: { info() {}, warn() {} }, extendedApi: () => settings.extendedApi };
  return await new FunctionRun(functionNamed(name)!, host).run({}, { preview: false });
}

test.each<Partial<Readings>>([{}, { groupList: "array" }, { groupList: "paged" }, { groupRecord: "records" }])(
  "getGroups: %j",
  async (readings) => {
    const { groups } = await call("getGroups", { readings });
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
    const { roles } = await call("getRoles", { readings });
    const analyst = (roles as { name: string }[]).find(({ name }) => name === "analyst");
    expect(analyst).toMatchObject({ id: 301, name: "analyst" });
    expect("policies" in analyst!).toBe(readings.roleRecord !== "plain");
  },
);

test.each(["getGroups", "getRoles"])("%s says why it cannot run", async (name) => {
  await expect(call(name, { isOn: false })).rejects.toThrow(
    `${name}: needs the extended API; set dataplatform:extendedApi`,
  );
  await expect(call(name, { extended: [] })).rejects.toThrow(
    /this installation of the platform cannot list the \w+ \(GET/,
  );
  await expect(call(name, { token: "powerless" })).rejects.toThrow(/a role that allows viewing/);
});
