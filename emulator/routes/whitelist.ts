import { z } from "zod";
import { anyone } from "../auth";
import { conflict, invalid, notFound } from "../errors";
import { normaliseAddress, spell } from "../ip";
import type { RecordOf } from "../records";
import { type Context, defineRoute } from "../router";
import { done, statusAnswer } from "./shared";

const path = "/api/v1.2/whitelist_ip";

export const entry = z.object({
  id: z.int(),
  account_id: z.int(),
  ip_cidr: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

type Entry = RecordOf<"whitelist">;

const normalised = new WeakMap<Entry, string | undefined>();

function addressOf(known: Entry): string | undefined {
  if (!normalised.has(known)) normalised.set(known, normaliseAddress(known.ip_cidr));
  return normalised.get(known);
}

interface Addition {
  ip_cidr: string;
  description?: string | undefined;
}

export function addEntry({ store, clock, account, readings }: Context, { ip_cidr, description }: Addition): void {
  if (!account.features.includes("ip_whitelisting"))
    throw invalid("IP whitelisting is not enabled for this account: ask support to enable it");
  const address = normaliseAddress(ip_cidr);
  if (address === undefined) throw invalid(`ip_cidr: ${JSON.stringify(ip_cidr)} is not an IPv4 or IPv6 address`);
  const same = store.list("whitelist", account.id).find((known) => addressOf(known) === address);
  if (same && readings.whitelistDuplicate === "409") throw conflict(`ip_cidr: ${ip_cidr} is already whitelisted`);
  if (same && readings.whitelistDuplicate === "200") return;
  const now = clock.timestamp();
  store.put("whitelist", account.id, {
    id: store.nextId("whitelist"),
    ip_cidr,
    ...(description !== undefined && { description }),
    created_at: now,
    updated_at: now,
  });
}

const add = defineRoute({
  operation: "whitelist.add",
  summary: "Whitelist an IP address",
  method: "POST",
  paths: [path],
  access: anyone("editing an account"),
  params: z.strictObject({ ip_cidr: z.string().describe("IPv4 or IPv6 address") }),
  answer: statusAnswer,
  handle(context, { ip_cidr }) {
    addEntry(context, { ip_cidr });
    return done("IP whitelisted successfully");
  },
});

/** The entries in the order and spelling that the readings prescribe. */
export function listEntries({ store, account, readings }: Context, { descriptions = false } = {}): object {
  const entries = store.list("whitelist", account.id).map((known) => ({
    id: known.id,
    account_id: account.id,
    ip_cidr: spell(known.ip_cidr, readings.whitelistSpelling),
    ...(descriptions && { description: known.description ?? null }),
    created_at: known.created_at,
    updated_at: known.updated_at,
  }));
  if (readings.whitelistOrder === "newest-first") entries.reverse();
  if (readings.whitelistOrder === "by-address") entries.sort((a, b) => (a.ip_cidr < b.ip_cidr ? -1 : 1));
  return { account_whitelisted_ips: entries };
}

const list = defineRoute({
  operation: "whitelist.list",
  summary: "List the whitelisted IP addresses",
  method: "GET",
  paths: [path],
  access: anyone("editing an account"),
  answer: z.object({ account_whitelisted_ips: z.array(entry) }),
  handle: (context) => listEntries(context),
});

const remove = defineRoute({
  operation: "whitelist.delete",
  summary: "Delete whitelisted IP addresses: one id, or a comma-separated list",
  method: "DELETE",
  paths: [`${path}/:id`],
  access: anyone("editing an account"),
  answer: statusAnswer,
  handle({ store, account, readings }, _params, { id = "" }) {
    const ids = [...new Set(id.split(",").map((part) => part.trim()))];
    const missing = ids.filter((one) => !/^\d+$/.test(one) || !store.get("whitelist", account.id, Number(one)));
    if (missing.length > 0 && readings.whitelistDeleteUnknown === "404")
      throw notFound(`no whitelisted IP with id ${missing.join(", ")}; nothing was deleted`);
    for (const one of ids.filter((known) => !missing.includes(known)))
      store.delete("whitelist", account.id, Number(one));
    return done(`${ids.length} whitelisted IP deleted successfully`);
  },
});

export { add as addWhitelisted, list as listWhitelisted, remove as deleteWhitelisted };

export const whitelistRoutes = [add, list, remove];
