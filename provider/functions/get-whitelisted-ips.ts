import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { whitelistOf } from "../platform/whitelist";
import { asNumber } from "../values/id";

const entry = z
  .object({
    id: z.int().describe("Id of the record: what importing a `WhitelistedIp` takes."),
    accountId: z.int().describe("Account that owns the record."),
    ipCidr: z.string().describe("Address, as the platform shows it."),
    createdAt: z.string().describe("When the record was made."),
    updatedAt: z.string().describe("When the record was last changed."),
  })
  .meta({ id: "WhitelistedIpRecord", description: "A record of the whitelist." });

export const getWhitelistedIps = defineFunction({
  name: "getWhitelistedIps",
  doc: "The addresses from which users of the account may log in.",
  inputs: z.object({}),
  outputs: z.object({ whitelistedIps: z.array(entry).describe("The records of the whitelist.") }),
  secrets: [],
  effect: "reads",
  async run({ api }) {
    const { entries } = await whitelistOf(api).listing(() => false);
    return {
      whitelistedIps: entries.map(({ id, accountId, ...entry }) => ({
        ...(entry as { ipCidr: string; createdAt: string; updatedAt: string }),
        // The schema promises numbers, which they are wherever the platform's ids are numbers.
        id: asNumber(id) as number,
        accountId: (accountId === undefined ? undefined : asNumber(accountId)) as number,
      })),
    };
  },
});
