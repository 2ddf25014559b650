import { afterAll, describe, expect, test } from "vitest";
import { type SecondPlatform, startSecondPlatform, switchCatalogue } from "../second-platform";
import { expected } from "./expected";
import { functionFindings } from "./function-lives";
import { oneOfEach, type Reading, singleReadings, titleOf } from "./readings";
import { WholeLife } from "./whole-life";

/**
 * Every resource and every function, on a platform that reads the specification in each way that its silences allow:
 * what the provider promises holds on all of them, or a clear error says why not.
 */

/** Platforms that refuse or break off some requests whatever they ask for: what fails is run again. */
const restless = /rateLimit=|connection=reset/;
const workers = 8;
let livesRun = 0;

async function findingsOf(reading: Reading): Promise<string[]> {
  const platform = await startSecondPlatform(reading.switches);
  try {
    await crowdOtherAccount(platform, reading);
    const patience = restless.test(titleOf(reading)) ? 20 : 0;
    const concernsAll = reading.names.length >= oneOfEach.length;
    const said = await functionFindings(platform, reading.switches, { concernsAll, patience });
    const life = new WholeLife(platform, reading.names, { patience, delays: "policyDelay" in reading.switches });
    livesRun += reading.names.length;
    return [...said.map((one) => `function ${one}`), ...(await life.run())];
  } finally {
    await platform.close();
  }
}

/** Where a platform lists all accounts: the ids that our entries will get, and one of our addresses, are there too. */
async function crowdOtherAccount({ url, tokens }: SecondPlatform, { switches }: Reading): Promise<void> {
  if (switches.whitelistScope !== "all accounts") return;
  const headers = { "x-auth-token": tokens.otherAccount, "content-type": "application/json" };
  for (const ip of ["198.51.100.20", "192.0.2.22", "203.0.113.50", "203.0.113.51", "203.0.113.52", "203.0.113.53"]) {
    const body = JSON.stringify({ ip_cidr: ip });
    await (await fetch(`${url}/api/v1.2/whitelist_ip`, { method: "POST", headers, body })).text();
  }
}

async function inParallel(readings: readonly Reading[], work: (reading: Reading) => Promise<void>): Promise<void> {
  const waiting = [...readings];
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

describe("one silence read otherwise at a time", () => {
  const readings = singleReadings();
  const findings = new Map<string, string[]>();

  test("every value of every switch is lived through", async () => {
    await inParallel(readings, async (reading) => void findings.set(titleOf(reading), await findingsOf(reading)));
    const switched = new Set(readings.flatMap(({ switches }) => Object.keys(switches)));
    expect([...switched].sort()).toEqual(Object.keys(switchCatalogue).sort());
  });

  test("nothing is lost, made twice, wrong or in the way, but what the table expects", () => {
    const surprises = [...findings].flatMap(([reading, found]) => {
      const allowed = expected.filter((row) => row.reading === reading).flatMap((row) => row.findings);
      return found.filter((one) => !allowed.some((pattern) => pattern.test(one))).map((one) => `${reading}: ${one}`);
    });
    expect(surprises).toEqual([]);
  });

  test("every row of the table is needed", () => {
    const idle = expected.filter(({ reading, findings: patterns }) => {
      const found = findings.get(reading) ?? [];
      return !found.some((one) => patterns.some((pattern) => pattern.test(one)));
    });
    expect(idle.map(({ reading }) => reading)).toEqual([]);
  });
});

afterAll(() => console.info(`${livesRun} lives`));
