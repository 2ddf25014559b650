import { canonical, formatAddress, parseAddress } from "../addresses";
import { type Answer, invalid, missing, ok, Refusal, refuseIf } from "../answers";
import type { WhitelistEntry } from "../model";
import { type Call, needs, type Operation } from "../operation";
import type { World } from "../world";

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
  const times = world.switches.whitelistTimes;
  return {
    id: entry.id,
    ...(world.switches.whitelistScope === "all accounts, without account_id" ? {} : { account_id: entry.accountId }),
    ip_cidr: listed(world, entry.ip),
    ...(times === "both" && { created_at: world.stamp(entry.createdAt), updated_at: world.stamp(entry.updatedAt) }),
    ...(times === "null" && { created_at: null, updated_at: null }),
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
  const now = world.now();
  const entry: WhitelistEntry = {
    id: world.nextId(`whitelist of ${user.accountId}`),
    accountId: user.accountId,
    ip,
    createdAt: now,
    updatedAt: now,
    shown: world.delay(switches.whitelistAddDelay),
  };
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
      const turn = (world.data.counters["whitelist turn"] ?? 0) + 1;
      world.data.counters["whitelist turn"] = turn;
      const cut = turn % (entries.length || 1);
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
  const at = Math.max(1, Number(call.query["page"] ?? 1) || 1);
  const cut = { account_whitelisted_ips: records.slice((at - 1) * 2, at * 2) };
  if (switches.whitelistPages === "2 a page, nothing said") return ok(cut);
  const next = records.length > at * 2 ? at + 1 : null;
  return ok({ paging_info: { previous_page: at > 1 ? at - 1 : null, next_page: next, per_page: 2 }, ...cut });
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
  const drop = (entries: (WhitelistEntry | undefined)[]) => {
    for (const entry of entries) if (entry) entry.gone = world.delay(switches.whitelistDeleteDelay);
    if (switches.whitelistDeleteDelay === "at once")
      world.data.whitelist = world.data.whitelist.filter((entry) => !entry.gone);
  };
  if (strangers.length === 0) {
    drop(found);
    return status(200, "IP deleted");
  }
  if (switches.whitelistDeleteUnknown === "200") return status(200, "IP deleted");
  throw missing(`no whitelisted IP has id ${strangers.join(", ")}`);
}

const common = { need: needs.editAccount, deprecated: true };

export const whitelistOperations: readonly Operation[] = [
  { name: "whitelist.add", method: "POST", paths: [path], ...common, run: add },
  { name: "whitelist.list", method: "GET", paths: [path], ...common, run: list },
  { name: "whitelist.delete", method: "DELETE", paths: [`${path}/:id`], ...common, run: remove },
];
