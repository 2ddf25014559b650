import { expect, test } from "vitest";
import { AccountCopier } from "../../../cli/rehearse/copy";
import { ProductionReader } from "../../../cli/rehearse/production";
import type { Thing } from "../../../cli/rehearse/thing";
import { ownEmulator } from "../../harness/emulators";
import { hostAt } from "../../harness/in-process";
import { forTest } from "../../harness/shared";
import { quiet } from "./platform";

/** What a copy of an emulator's account assumes for these plans. */
async function assumptionsFor(planned: readonly Thing[], existing: readonly Thing[] = []) {
  const emulator = await ownEmulator();
  const reader = new ProductionReader(forTest(hostAt(emulator).client), quiet());
  const copied = await new AccountCopier(reader, quiet()).copy({ existing, planned, replaceSecret: () => "stand-in" });
  return copied.assumptions;
}

const store = (inputs: Record<string, unknown>, id = ""): Thing => ({ type: "DataStore", id, inputs, state: inputs });
const connections = async (...things: Parameters<typeof assumptionsFor>) =>
  (await assumptionsFor(...things)).filter(({ what }) => what.includes("reaches"));

test("a planned data store assumes that the platform reaches its host, which the emulator cannot test", async () => {
  const planned = [
    store({ dbHost: "unreachable.example.com", dbName: "a" }),
    store({ dbHost: "db.example.com", dbName: "b", skipValidation: false }),
    store({ dbHost: "untested.example.com", dbName: "c", skipValidation: true }),
  ];
  expect(await connections(planned)).toEqual([
    { what: "whether the platform reaches the database at unreachable.example.com, db.example.com", assumed: "yes" },
  ]);
  expect(await connections([], [store({ dbHost: "db.example.com", dbName: "b" }, "601")])).toEqual([]);
});
