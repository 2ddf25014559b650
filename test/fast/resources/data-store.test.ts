import { describe, expect, test } from "vitest";
import { dataStore } from "../../../provider/resources/data-store";
import { behindGateway, full, minimal, storesIn } from "../../cases/data-store";
import { freshEmulator } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";

describe("DataStore", () => {
  const emulator = freshEmulator();

  test("cross-property rules wait for unknown values", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const { life } = inProcess(dataStore, emulator);
    expect(life.check({ ...behindGateway, dbLocation: unknown }).failures).toEqual([]);
    expect(life.check({ ...behindGateway, gatewayIp: unknown }).failures).toEqual([]);
    expect(life.check({ ...minimal, dbType: unknown, catalogName: "sales" }).failures).toEqual([]);
  });

  test("an explicit default is not a change; any change except skipValidation replaces it", () => {
    const { life } = inProcess(dataStore, emulator);
    expect(life.diff(minimal, { ...minimal, dbType: "mysql", skipValidation: false }).changed).toEqual([]);
    const change = { ...behindGateway, port: 1, skipValidation: true };
    const { changed, replaces } = life.diff(full, change);
    expect(changed).toEqual([...replaces, "skipValidation"]);
  });

  test("a lost answer is reported as an unknown outcome, and nothing is sent twice", async () => {
    emulator.setFaults({ rules: [{ operation: "dbTaps.create", kind: "reset-after" }] });
    const { life } = inProcess(dataStore, emulator);
    await expect(life.create(full)).rejects.toThrow(
      /its outcome is unknown.*new data store for sales on db.example.com/,
    );
    expect(storesIn(emulator.state())).toHaveLength(1);
  });

  test("a rejection contains the reason but not the password", async () => {
    const { life } = inProcess(dataStore, emulator);
    const refused = life.create({ ...full, dbHost: "unreachable.example.com" });
    await expect(refused).rejects.toThrow(/cannot connect to unreachable.example.com/);
    await expect(refused).rejects.not.toThrow(/canary/);
    await expect(
      life.create({ ...full, dbHost: "unreachable.example.com", skipValidation: true }),
    ).resolves.toBeTruthy();
  });

  test("an import knows the id and the account", async () => {
    const { life } = inProcess(dataStore, emulator);
    await expect(life.read("my sales", {})).rejects.toThrow(/"my sales" is not a data store id/);
    await expect(life.read("7", {})).resolves.toMatchObject({ id: "7", state: { accountId: 1001 } });
  });
});
