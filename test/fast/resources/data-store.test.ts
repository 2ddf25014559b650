import { describe, expect, test } from "vitest";
import { dataStore } from "../../../provider/resources/data-store";
import { behindGateway, full, minimal } from "../../cases/data-store";
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
});
