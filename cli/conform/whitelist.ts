import { normaliseIp } from "../../provider/values/ip-address";
import type { Fields } from "../../provider/values/json";
import { plural } from "../terminal/plural";
import type { Answer } from "./answer";
import { undoneUnless } from "./cleanup";
import { firstOf, idOf, recordsIn, statusText } from "./forms";
import type { Session } from "./session";
import { whitelistList, whitelistStatus } from "./specified";

const listName = "account_whitelisted_ips";

export async function readWhitelist(session: Session): Promise<void> {
  const answer = await session.expectReadable("whitelist.list", "getWhitelistedIps");
  if (!answer) return;
  const { op, json, fields } = answer;
  answer.check(whitelistList);
  if ("paging_info" in fields) op.deviates("the list has pages, which the specification does not show");
  const entries = recordsIn(json, listName);
  const own = session.facts.account?.id;
  const others = entries.filter(({ account_id }) => own !== undefined && (idOf(account_id) ?? own) !== own);
  if (others.length > 0) op.deviates(`lists ${plural(others.length, "record")} of other accounts`);
  const ids = entries.map(({ id }) => Number(id));
  const rises = (list: readonly (number | string)[]) => list.every((one, at) => at === 0 || list[at - 1]! <= one);
  const orders = {
    "oldest-first": rises(ids),
    "newest-first": rises(ids.toReversed()),
    "by-address": rises(entries.map(({ ip_cidr }) => String(ip_cidr))),
  };
  // Only an order that is neither of the others proves itself.
  const isProven = Object.values(orders).filter(Boolean).length === 1;
  if (entries.length > 1 && !ids.some(Number.isNaN) && isProven) op.reading("whitelistOrder", orders);
}

/** Addresses for documentation (RFC 5737, RFC 3849): nobody has them. */
type Addresses = ReturnType<typeof addressesAt>;

function addressesAt(at: number) {
  const octet = (at % 250) + 2;
  const other = (octet % 250) + 3;
  return {
    // Not in the order of their text.
    plain: [`198.51.100.${octet}`, `203.0.113.${octet}`, `192.0.2.${octet}`] as const,
    /** In a spelling that no platform would choose. */
    odd: `2001:DB8:0:0:0:0:${(at % 0xfff0).toString(16)}:AB`,
    described: `192.0.2.${other}`,
    describedV2: `198.51.100.${other}`,
  };
}

const allOf = (chosen: Addresses): string[] => Object.values(chosen).flat().map(normaliseIp);

function choose(mark: string, taken: readonly string[]): Addresses {
  let at = Number.parseInt(mark.slice(0, 4), 16);
  while (allOf(addressesAt(at)).some((address) => taken.includes(address))) at++;
  return addressesAt(at);
}

export async function writeWhitelist(session: Session): Promise<void> {
  const before = await session.records("whitelist.list", listName);
  if (!before) return session.notTried("the list does not answer", "whitelist.add", "whitelist.delete");
  const chosen = choose(session.options.mark, before.map(addressOf));
  session.cleanup.add({
    what: `whitelisted addresses ${Object.values(chosen).flat().join(", ")}`,
    undo: () => removeAddresses(session, allOf(chosen)),
  });
  for (const ip_cidr of [...chosen.plain, chosen.odd]) {
    const answer = await session.expect("whitelist.add", { body: { ip_cidr } });
    if (!answer) return;
    session.facts.unlisted.add(normaliseIp(ip_cidr));
    answer.check(whitelistStatus);
    // What is not listed cannot be removed, so there should not be more of it.
    if ((await find(session, [ip_cidr])).length === 0)
      return session.op("whitelist.list").deviates("a new entry is not listed", "needs this");
  }
  await readList(session, chosen);
  await writeDuplicate(session, chosen.plain[0]);
  await writeInvalid(session);
  await writeDeletes(session, chosen.plain);
  await writeDescriptions(session, chosen);
}

const addressOf = ({ ip_cidr }: Fields): string => (typeof ip_cidr === "string" ? normaliseIp(ip_cidr) : "");

/** The entries with these addresses; new ones may show up late. */
async function find(session: Session, addresses: readonly string[]): Promise<Fields[]> {
  const wanted = addresses.map(normaliseIp);
  let found: Fields[] = [];
  const whole = await session.eventually(async () => {
    const entries = (await session.records("whitelist.list", listName)) ?? [];
    found = entries.filter((entry) => wanted.includes(addressOf(entry)));
    const listed = found.map(addressOf);
    for (const address of listed) session.facts.unlisted.delete(address);
    return wanted.every((address) => listed.includes(address)) || undefined;
  });
  if (whole?.isLate) session.op("whitelist.list").deviates("a new entry is listed late", "copes");
  return found;
}

async function readList(session: Session, { plain, odd }: Addresses): Promise<void> {
  const op = session.op("whitelist.list");
  const found = await find(session, [...plain, odd]);
  const listed = found.map(addressOf);
  const canonical = normaliseIp(odd);
  const missing = [...plain, canonical].filter((address) => !listed.includes(address));
  if (missing.length > 0) op.deviates(`${missing.length} of 4 new entries are not listed`, "needs this");
  const [second, third, first] = plain;
  const order = listed.filter((address) => address !== canonical).join();
  // Not by their ids, which need not rise with time.
  const orders = {
    "oldest-first": order === plain.join(),
    "newest-first": order === plain.toReversed().join(),
    "by-address": order === [first, second, third].join(),
  };
  op.reading("whitelistOrder", orders, "the list has another order");
  const shown = found.find((entry) => addressOf(entry) === canonical)?.["ip_cidr"];
  const spelling = firstOf({
    "as-given": shown === odd,
    canonical: shown === canonical,
    "with-prefix": shown === `${canonical}/128`,
    expanded: /^([0-9a-f]{4}:){7}[0-9a-f]{4}$/.test(String(shown)),
  });
  op.reading("whitelistSpelling", spelling, "another spelling");
  if (!spelling) op.note("addresses are listed in a spelling that the emulator does not have");
}

async function writeDuplicate(session: Session, ip_cidr: string): Promise<void> {
  const { op, error } = await session.ask("whitelist.add", { body: { ip_cidr } });
  if (!error) {
    const isTwice = (await find(session, [ip_cidr])).length > 1;
    return op.reading("whitelistDuplicate", isTwice ? "second-record" : "200");
  }
  if (error.code === "conflict") return op.reading("whitelistDuplicate", "409");
  op.note(`an address that is listed already is refused (${statusText(error)}), not 409`);
  session.leaveOpen("whitelistDuplicate", `refused with ${statusText(error)}`);
}

/** A text that is not an address; it is removed again if the platform takes it. */
async function writeInvalid(session: Session): Promise<void> {
  const text = `conform-${session.options.mark}-is-no-address`;
  const step = { what: `whitelisted address ${text}`, undo: () => removeAddresses(session, [text]) };
  const answer = await session.ask("whitelist.add", { body: { ip_cidr: text } }, step);
  if (answer.error) readRefusal(session, answer);
  else answer.op.deviates("a text that is not an address is accepted", "copes");
}

/** Whether the whitelist refuses with HTTP 200, where others have a status of their own. */
function readRefusal(session: Session, { status }: Answer): void {
  if (session.facts.refusalsHaveStatus)
    session.op("whitelist.add").reading("refusalStatus", status >= 300 ? "own" : "200-whitelist");
}

async function writeDeletes(session: Session, plain: Addresses["plain"]): Promise<void> {
  const [second, third, first] = plain;
  const idsOf = async (...addresses: string[]) => (await find(session, addresses)).map(({ id }) => idOf(id));
  const [id] = await idsOf(first);
  if (id === undefined) return session.notTried("a new entry has no id", "whitelist.delete");
  const deleted = await session.expect("whitelist.delete", { path: { ids: id } });
  if (!deleted) return;
  deleted.check(whitelistStatus);
  const again = await session.ask("whitelist.delete", { path: { ids: id } });
  const { op, error } = again;
  const isMissing = error?.code === "not-found";
  op.reading("whitelistDeleteUnknown", { 200: !error, 404: isMissing }, error && `refused with ${statusText(error)}`);
  if (error && !isMissing) op.note(`an unknown id is refused (${statusText(error)}), not 404`);
  if (error) readRefusal(session, again);
  const several = (await idsOf(second, third)).join(",");
  await session.expect("whitelist.delete", { path: { ids: several } });
  if (!(await isGone(session, plain))) op.deviates("deleted entries are still listed", "needs this");
}

async function isGone(session: Session, addresses: readonly string[]): Promise<boolean> {
  const gone = await session.eventually(async () => {
    const entries = await session.records("whitelist.list", listName);
    return (entries && !entries.some((entry) => addresses.includes(addressOf(entry)))) || undefined;
  });
  return gone !== undefined;
}

/** `description` is not specified, so it is tried only where version 2 exists, which has it. */
async function writeDescriptions(session: Session, { described, describedV2 }: Addresses): Promise<void> {
  const description = `conform ${session.options.mark}`;
  const v2 = session.op("whitelist.listV2");
  if (!v2.isThere) return session.notTried("the list of v2 is lacking", "whitelist.addV2", "whitelist.deleteV2");
  if (!(await session.expect("whitelist.addV2", { body: { ip_cidr: describedV2, description } }))) return;
  const shownBy = async (name: "whitelist.list" | "whitelist.listV2", address: string) => {
    const entry = (await session.records(name, listName))?.find((one) => addressOf(one) === address);
    return { id: idOf(entry?.["id"]), isDescribed: entry?.["description"] === description };
  };
  const inV1 = await shownBy("whitelist.list", describedV2);
  const inV2 = await shownBy("whitelist.listV2", describedV2);
  v2.reading("whitelistListDescription", { both: inV1.isDescribed, v2: inV2.isDescribed, neither: true });
  const { op, error } = await session.ask("whitelist.add", { body: { ip_cidr: described, description } });
  op.doesMore = !error;
  if (error) op.reading("whitelistDescription", "refused");
  else if (inV2.isDescribed) {
    const { isDescribed } = await shownBy("whitelist.listV2", described);
    op.reading("whitelistDescription", isDescribed ? "accepted" : "ignored");
  } else session.leaveOpen("whitelistDescription", "no list shows descriptions");
  if (inV2.id !== undefined) await session.expect("whitelist.deleteV2", { path: { ids: inV2.id } });
}

/** Each address that the platform said it had added must be seen once to be removed. Returns why some are left. */
async function removeAddresses(session: Session, addresses: readonly string[]): Promise<string | undefined> {
  const entries = await session.records("whitelist.list", listName);
  if (!entries) return "the list does not answer";
  const ids = entries.filter((entry) => addresses.includes(addressOf(entry))).map(({ id }) => idOf(id));
  if (ids.includes(undefined)) return "the list shows no id";
  if (ids.length > 0) {
    const { error } = await session.ask("whitelist.delete", { path: { ids: ids.join(",") } });
    // Deleted before, and still listed for a while.
    if (error && error.code !== "not-found") return undoneUnless(error, "the delete");
  }
  if (!(await isGone(session, addresses))) return "it is still listed";
  const unlisted = addresses.filter((address) => session.facts.unlisted.has(address));
  if (unlisted.length === 0) return undefined;
  return `${unlisted.join(", ")} was added but never listed; look for it in the user interface`;
}
