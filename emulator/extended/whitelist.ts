import { z } from "zod";
import type { Readings } from "../readings";
import { type Context, defineRoute, type Route } from "../router";
import { done } from "../routes/shared";
import { addEntry, addWhitelisted, deleteWhitelisted, entry, listEntries, listWhitelisted } from "../routes/whitelist";

const path = "/api/v2/accounts/whitelist_ip";

const plain = z.strictObject({ ip_cidr: z.string().describe("IPv4 or IPv6 address") });
const described = plain.extend({ description: z.string().max(255).optional() });

type Addition = z.infer<typeof described>;

/** Takes the place of the specified operation, which has no description. */
const add = defineRoute<Addition>({
  ...(addWhitelisted as unknown as Route<Addition>),
  params: described,
  choose: (_given, { whitelistDescription }) => (whitelistDescription === "refused" ? plain : described),
  handle(context, { ip_cidr, description }) {
    addEntry(context, context.readings.whitelistDescription === "accepted" ? { ip_cidr, description } : { ip_cidr });
    return done("IP whitelisted successfully");
  },
});

const addV2 = defineRoute<Addition>({
  ...(addWhitelisted as unknown as Route<Addition>),
  operation: "whitelist.addV2",
  summary: "Whitelist an IP address (v2)",
  paths: [path],
  params: described,
  handle(context, params) {
    addEntry(context, params);
    return done("IP whitelisted successfully.");
  },
});

const shows = (version: "v1.2" | "v2", form: Readings["whitelistListDescription"]) =>
  form === "both" || form === version;

/** Takes the place of the specified operation, for installations whose list shows descriptions. */
const list = {
  ...listWhitelisted,
  handle: (context: Context) =>
    listEntries(context, { descriptions: shows("v1.2", context.readings.whitelistListDescription) }),
};

const listV2 = {
  ...listWhitelisted,
  operation: "whitelist.listV2",
  summary: "List the whitelisted IP addresses (v2)",
  paths: [path],
  answer: z.object({ account_whitelisted_ips: z.array(entry.extend({ description: z.string().nullable() })) }),
  handle: (context: Context) =>
    listEntries(context, { descriptions: shows("v2", context.readings.whitelistListDescription) }),
};

const removeV2: Route = {
  ...deleteWhitelisted,
  operation: "whitelist.deleteV2",
  summary: "Delete whitelisted IP addresses (v2)",
  paths: [`${path}/:id`],
  answerNotShown: true,
};

export const extendedWhitelistRoutes: Route[] = [add, list, addV2, listV2, removeV2];
