import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { whitelistOf } from "../platform/whitelist";
import { outputId } from "../values/id";

const entry = z
  .object({
    id: z.int().describe("Id of the record, which is also the import id of a `WhitelistedIp`."),
    accountId: z.int().describe("Account that owns the record."),
    ipCidr: z.string().describe("Address or range, as the platform returns it."),
    createdAt: z.string().describe("Time when the record was created."),
    updatedAt: z.string().describe("Time when the record was last changed."),
  })
  .meta({ id: "WhitelistedIpRecord", description: "A whitelist record." });

export const getWhitelistedIps = defineFunction({
  name: "getWhitelistedIps",
  doc: `Returns the addresses from which users of the account may log in.

The platform plans to deprecate v1.2 of the whitelist operations. With the extended API (\`dataplatform:extendedApi\`) v2 is used where the installation has it.`,
  inputs: z.object({}),
  outputs: z.object({ whitelistedIps: z.array(entry).describe("Whitelist records.") }),
  effect: "reads",
  async run({ api, log }) {
    const entries = (await whitelistOf(api).listing()).told(log);
    return {
      whitelistedIps: entries.map(({ id, accountId, description: _, ...entry }) => ({
        ...(entry as { ipCidr: string; createdAt: string; updatedAt: string }),
        id: outputId(id),
        accountId: outputId(accountId) as number,
      })),
    };
  },
});
