import { isIP } from "node:net";
import { type Answer, invalid, missing, ok, Refusal, refuseIf } from "../answers";
import { type Call, needs, type Operation, operation, pageOf } from "../operation";
import { type WhitelistEntry, whitelisted } from "../state";
import type { World } from "../world";

interface Address {
  /** In the shortest spelling, in small letters. */
  text: string;
  bits: 32 | 128;
  /** Prefix length when one was given. */
  prefix: number | undefined;
}

function parseAddress(text: string): Address | undefined {
  const [address = "", prefixText, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > bits)) return undefined;
  const prefix = prefixText === undefined ? undefined : Number(prefixText);
  return { text: version === 4 ? address : new URL(`http://[${address}]`).hostname.slice(1, -1), bits, prefix };
}

/** All eight groups of an IPv6 address, with four digits each. */
function expanded(text: string): string {
  const [head = "", tail] = text.split("::");
  const [left, right] = [head, tail].map((part) => (part ? part.split(":") : [])) as [string[], string[]];
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right];
  return groups.map((group) => group.padStart(4, "0")).join(":");
}

interface Spelling {
  expanded?: boolean;
  /** Adds /32 or /128 to a single address. */
  prefix?: boolean;
}

function formatAddress({ text, bits, prefix }: Address, spelling: Spelling = {}): string {
  const written = spelling.expanded && bits === 128 ? expanded(text) : text;
  const length = prefix ?? (spelling.prefix ? bits : undefined);
  return length === undefined ? written : `${written}/${length}`;
}

/** One text for all spellings of an address; a single address equals its /32 or /128. */
function canonical(text: string): string {
  const address = parseAddress(text.trim());
  return address ? formatAddress(address, { expanded: true, prefix: true }) : text;
}

const path = "/api/v1.2/whitelist_ip";
const done = "IP added";
const status = (code: number, message: string): Answer => ok({ status: { status_code: code, message } });

const ofCaller = ({ world, user }: Call) =>
  world.data.whitelist.filter((entry) => entry.accountId === user.accountId && !entry.gone);

/** The address as kept. */
function readAddress(world: World, text: string): string {
  const { switches } = world;
  const address = parseAddress(text);
  if (!address) {
    if (switches.whitelistInvalid === "stored") return text;
    throw invalid(`${text} is not an IP address`);
  }
  if (address.prefix !== undefined && switches.whitelistRanges === "refused")
    throw invalid(`${text} is not a single IP address`);
  return text;
}

function listed(world: World, ip: string): string {
  const address = parseAddress(ip.trim());
  if (!address) return ip;
  return {
    "as sent": ip,
    compressed: formatAddress(address),
    "with prefix length": formatAddress(address, { prefix: true }),
    "upper case": ip.toUpperCase(),
    expanded: formatAddress(address, { expanded: true }),
    "expanded with prefix length": formatAddress(address, { expanded: true, prefix: true }),
  }[world.switches.whitelistSpelling];
}

function record(world: World, entry: WhitelistEntry): Record<string, unknown> {
  const at = world.stamp(entry.createdAt);
  return {
    id: entry.id,
    ...(world.switches.whitelistScope === "all accounts, without account_id" ? {} : { account_id: entry.accountId }),
    ip_cidr: listed(world, entry.ip),
    ...{
      both: { created_at: at, updated_at: at },
      null: { created_at: null, updated_at: null },
      absent: {},
    }[world.switches.whitelistTimes],
  };
}

function checkFeature(call: Call): void {
  if (call.world.switches.whitelistFeature === "not enabled, all refused")
    throw new Refusal("forbidden", "whitelisting is not enabled for this account");
}

function addAnswer(world: World, entry: WhitelistEntry): Answer {
  return {
    "status only": status(200, done),
    "record beside": ok({
      status: { status_code: 200, message: done },
      account_whitelisted_ip: record(world, entry),
    }),
    "id in the status": ok({ status: { status_code: 200, message: done, id: entry.id } }),
    "empty message": status(200, ""),
  }[world.switches.whitelistAddAnswer];
}

function add(call: Call): Answer {
  const { world, user } = call;
  const { switches } = world;
  checkFeature(call);
  const sent = call.parameters.only("ip_cidr").needs("ip_cidr").text("ip_cidr");
  const ip = readAddress(world, sent ?? "");
  if (switches.whitelistFeature === "not enabled, add without effect") return status(200, done);

  if (ofCaller(call).some((entry) => entry.ip === ip)) refuseIf(switches.whitelistRepeat, `${ip} is listed already`);
  const id = world.nextId(`whitelist of ${user.accountId}`);
  const entry = whitelisted(id, user.accountId, ip, world.now(), world.delay(switches.whitelistAddDelay));
  world.data.whitelist.push(entry);
  return addAnswer(world, entry);
}

function ordered(world: World, entries: WhitelistEntry[]): WhitelistEntry[] {
  switch (world.switches.whitelistOrder) {
    case "newest first":
      return entries.toReversed();
    case "by address":
      return entries.toSorted((a, b) => canonical(a.ip).localeCompare(canonical(b.ip)));
    case "changing": {
      const cut = world.count("whitelist turn") % (entries.length || 1);
      return [...entries.slice(cut), ...entries.slice(0, cut)];
    }
    default:
      return entries;
  }
}

const oddRecords: Record<string, unknown> = {
  "without id": { account_id: 1, ip_cidr: "192.0.2.99" },
  "null ip_cidr": { id: 990, account_id: 1, ip_cidr: null },
  "without ip_cidr": { id: 990, account_id: 1 },
  "null id": { id: null, account_id: 1, ip_cidr: "192.0.2.99" },
  "{}": {},
  null: null,
};

function list(call: Call): Answer {
  const { world, user } = call;
  const { switches } = world;
  checkFeature(call);
  // A deleted record leaves the data with the first read that no longer lists it.
  for (const entry of [...world.data.whitelist])
    if (entry.gone && world.passed(entry.gone)) world.data.whitelist.splice(world.data.whitelist.indexOf(entry), 1);
  const own = world.data.whitelist.filter(
    (entry) => switches.whitelistScope !== "own account" || entry.accountId === user.accountId,
  );
  const shown = own.filter((entry) => world.passed(entry.shown));
  const records: unknown[] = ordered(world, shown).map((entry) => record(world, entry));
  if (switches.whitelistOddRecord !== "none") records.splice(1, 0, oddRecords[switches.whitelistOddRecord]);
  if (switches.whitelistPages === "never") return ok({ account_whitelisted_ips: records });
  const { cut, paging } = pageOf(call, records, 2);
  const said = switches.whitelistPages === "2 a page with paging_info" ? paging : {};
  return ok({ ...said, account_whitelisted_ips: cut });
}

function remove(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  checkFeature(call);
  // An encoded comma separates nothing.
  const ids = (call.rawPath["id"] ?? "").split(",");
  const known = ofCaller(call);
  const found = ids.map((id) => known.find((entry) => String(entry.id) === id));
  const strangers = ids.filter((_, index) => !found[index]);
  if (strangers.length > 0 && switches.whitelistDeleteUnknown !== "200")
    throw missing(`no whitelisted IP has id ${strangers.join(", ")}`);
  // All of them or none.
  for (const entry of strangers.length > 0 ? [] : found) entry!.gone = world.delay(switches.whitelistDeleteDelay);
  if (switches.whitelistDeleteDelay === "at once")
    world.data.whitelist = world.data.whitelist.filter((entry) => !entry.gone);
  return status(200, "IP deleted");
}

export const whitelistOperations: readonly Operation[] = [
  operation("whitelist.add", `POST ${path}`, needs.editAccount, add, { deprecated: true }),
  operation("whitelist.list", `GET ${path}`, needs.editAccount, list, { deprecated: true }),
  operation("whitelist.delete", `DELETE ${path}/:id`, needs.editAccount, remove, { deprecated: true }),
];
