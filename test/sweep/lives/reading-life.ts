import { request } from "../../harness/http";
import { type SecondPlatform, startSecondPlatform } from "../../second-platform";
import { functionFindings } from "./function-lives";
import { oneOfEach, type Reading } from "./readings";
import { WholeLife } from "./whole-life";

/** Platforms that randomly reject or reset requests: failed runs are retried. */
const flaky = /rateLimit=|connection=reset/;

/** Everything wrong after every life and function that a reading affects. */
export async function findingsOf(reading: Reading, profile?: string): Promise<string[]> {
  const platform = Object.assign(await startSecondPlatform(reading.switches), { profile });
  try {
    await crowdOtherAccount(platform, reading);
    const patience = flaky.test(reading.title) ? 20 : 0;
    const concernsAll = reading.names.length >= oneOfEach.length;
    const said = await functionFindings(platform, reading.switches, { concernsAll, patience });
    const life = new WholeLife(platform, reading.names, { patience, delays: "policyDelay" in reading.switches });
    return [...said.map((one) => `function ${one}`), ...(await life.run())];
  } finally {
    await platform.close();
  }
}

/** For platforms that list all accounts: gives the other account entries with our ids and one of our addresses. */
async function crowdOtherAccount(platform: SecondPlatform, { switches }: Reading): Promise<void> {
  if (switches.whitelistScope !== "all accounts") return;
  for (const ip of ["198.51.100.20", "192.0.2.22", "203.0.113.50", "203.0.113.51", "203.0.113.52", "203.0.113.53"])
    await request(platform, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: ip }, "otherAccount");
}
