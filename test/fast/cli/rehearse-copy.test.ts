import { expect, test } from "vitest";
import { AccountCopier } from "../../../cli/rehearse/copy";
import { ProductionReader } from "../../../cli/rehearse/production";
import type { Thing } from "../../../cli/rehearse/thing";
import { StatusLine } from "../../../cli/terminal/status-line";
import { Client } from "../../../provider/api/client";
import { readSettings } from "../../../provider/api/settings";
import { ownEmulator } from "../../harness/emulators";

/** What a copy of an emulator's account assumes for these plans. */
async function assumptionsFor(planned: readonly Thing[], existing: readonly Thing[] = []) {
  const emulator = await ownEmulator();
  const env = { DATAPLATFORM_BASE_URL: emulator.url, DATAPLATFORM_API_TOKEN: emulator.tokens["admin"]! };
  const client = new Client(readSettings(() => undefined, env));
  const progress = new StatusLine({ write: () => expect.unreachable("nothing is written without a terminal") });
  try {
    const copier = new AccountCopier(new ProductionReader(client, progress), progress);
    return (await copier.copy({ existing, planned, replaceSecret: () => "stand-in" })).assumptions;
  } finally {
    await client.close();
  }
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
