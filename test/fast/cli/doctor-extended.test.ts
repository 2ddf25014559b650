import { describe, expect, test } from "vitest";
import { extendedFindings } from "../../../cli/doctor/extended";
import type { Emulator } from "../../../emulator";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { hostAt } from "../../harness/in-process";
import { creating, examineStack, imports } from "./doctor-state";
import { resource } from "./drift-state";
import { quiet } from "./platform";

const emulator = freshEmulator({ extended: true });
const plain = freshEmulator();

const settingsFor = (platform: Emulator, extended: boolean, token = "admin") =>
  hostAt(platform, { extended, token }).client.settings;

describe("which operations an installation has", () => {
  test("all of them, whether or not they are used", async () => {
    const on = await extendedFindings(settingsFor(emulator, true), quiet());
    expect(on[0]).toMatchObject({ area: "Extended API", what: "on", verdict: "ok" });
    expect(on.slice(1).filter(({ says }) => !/^(can|not tried)/.test(says))).toEqual([]);
    expect(on.map(({ says }) => says)).toEqual(expect.arrayContaining(["can list the groups", "can list the roles"]));
    const off = await extendedFindings(settingsFor(emulator, false), quiet(), { onStack: " --stack dev" });
    expect(off[0]!.says).toContain("pulumi config set dataplatform:extendedApi true --stack dev");
  });

  test("none of them", async () => {
    const off = await extendedFindings(settingsFor(plain, false), quiet());
    expect(off.map(({ says }) => says)).toEqual(["this installation has none of its operations"]);
    const on = await extendedFindings(settingsFor(plain, true), quiet());
    expect(on.filter(({ says }) => says.startsWith("can "))).toEqual([]);
    expect(on.map(({ says }) => says)).toContain("cannot list the groups: the operation is lacking");
  });

  test("a token that may not use them", async () => {
    const powerless = await extendedFindings(settingsFor(emulator, true, "powerless"), quiet());
    expect(powerless.map(({ says }) => says)).toContainEqual(
      expect.stringMatching(/^may not list the groups: needs system-user/),
    );
    expect(powerless.some(({ verdict }) => verdict === "problem")).toBe(false);
  });
});

describe("what an interrupted run created", () => {
  const examine = (type: string, inputs: Record<string, unknown>) =>
    examineStack(emulator, { pending: [creating(resource(type, "r", "", inputs))] }, { extendedApi: true });

  test("a data store is found in the list, or is certainly not there", async () => {
    const inputs = { name: "crm", dbName: "crm", dbHost: "db1.example.com" };
    expect((await examine("DataStore", inputs))[0]).toMatchObject({
      says: expect.stringContaining("does not list it"),
    });
    await request(emulator, "POST", "/api/v1.2/db_taps/", {
      name: "crm",
      db_name: "crm",
      db_host: "db1.example.com",
      skip_validation: true,
    });
    const id = accountOf(emulator).dataStores.at(-1)!.id;
    expect((await examine("DataStore", inputs))[0]!.fix).toContain(imports(`dataplatform:index:DataStore r ${id}`));
  });

  test.each(["Group", "Role"])("a %s is found by its name", async (type) => {
    const [first] = emulator.state().accounts[0]![type === "Group" ? "groups" : "roles"];
    expect((await examine(type, { name: first!.name }))[0]!.fix).toContain(`dataplatform:index:${type} r ${first!.id}`);
    expect((await examine(type, { name: "nobody" }))[0]!.says).toContain("does not list it");
  });
});
