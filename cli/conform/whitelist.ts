import type { Readings } from "../../emulator/readings";
import { normaliseIp } from "../../provider/values/ip-address";
import type { Fields } from "../../provider/values/json";
import { plural } from "../terminal/plural";
import { type Undone, undoneUnless } from "./cleanup";
import { type Answer, idOf, recordsIn, statusText } from "./forms";
import type { Session } from "./session";
import { whitelistList, whitelistStatus } from "./specified";

const listName = "account_whitelisted_ips";

export async function readWhitelist(session: Session): Promise<void> {
  const { facts } = session;
  const answer = await session.expectReadable("whitelist.list", "getWhitelistedIps");
  if (!answer) return;
  session.check("whitelist.list", answer.json, whitelistList);
  if ("paging_info" in answer.fields)
    session.deviates("whitelist.list", "the list has pages, which the specification does not show");
  const entries = recordsIn(answer.json, listName);
  const own = facts.account?.id;
  const others = entries.filter(({ account_id }) => own !== undefined && (idOf(account_id) ?? own) !== own);
  if (others.length > 0)
    session.deviates("whitelist.list", `lists ${plural(others.length, "record")} of other accounts`);
  session.reading("whitelist.list", "whitelistOrder", orderOf(entries));
}

/** Only an order that is neither of the others proves itself. */
function orderOf(entries: readonly Fields[]): Readings["whitelistOrder"] | undefined {
  const ids = entries.map(({ id }) => Number(id));
  const addresses = entries.map(({ ip_cidr }) => String(ip_cidr));
  if (entries.length < 2 || ids.some(Number.isNaN)) return undefined;
  const rises = (list: readonly (number | string)[]) => list.every((one, at) => at === 0 || list[at - 1]! <= one);
  const fits = [
    ...(rises(ids) ? (["oldest-first"] as const) : []),
    ...(rises(ids.toReversed()) ? (["newest-first"] as const) : []),
    ...(rises(addresses) ? (["by-address"] as const) : []),
  ];
  return fits.length === 1 ? fits[0] : undefined;
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

function choose(mark: string, taken: readonly string[]): Addresses {
  for (let at = Number.parseInt(mark.slice(0, 4), 16); ; at++) {
    const chosen = addressesAt(at);
    if (
      !Object.values(chosen)
        .flat()
        .map(normaliseIp)
        .some((address) => taken.includes(address))
    )
      return chosen;
  }
}

export async function writeWhitelist(session: Session): Promise<void> {
  const { facts } = session;
  const before = await session.records("whitelist.list", listName);
  if (!before) return session.notTried("the list does not answer", "whitelist.add", "whitelist.delete");
  const chosen = choose(session.options.mark, before.map(addressOf));
  const all = Object.values(chosen).flat();
  const undo = () => removeAddresses(session, all.map(normaliseIp));
  session.cleanup.add({ what: `whitelisted addresses ${all.join(", ")}`, undo });
  for (const ip_cidr of [...chosen.plain, chosen.odd]) {
    const answer = await session.expect("whitelist.add", { body: { ip_cidr } });
    if (!answer) return;
    facts.unlisted.add(normaliseIp(ip_cidr));
    session.check("whitelist.add", answer.json, whitelistStatus);
    // What is not listed cannot be removed, so there should not be more of it.
    if ((await find(session, [ip_cidr])).length === 0)
      return session.deviates("whitelist.list", "a new entry is not listed", "needs this");
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
  if (whole?.isLate) session.deviates("whitelist.list", "a new entry is listed late", "copes");
  return found;
}

async function readList(session: Session, { plain, odd }: Addresses): Promise<void> {
  const found = await find(session, [...plain, odd]);
  const listed = found.map(addressOf);
  const missing = [...plain, odd].map(normaliseIp).filter((address) => !listed.includes(address));
  if (missing.length > 0)
    session.deviates("whitelist.list", `${missing.length} of 4 new entries are not listed`, "needs this");
  const [second, third, first] = plain;
  // Not by their ids, which need not rise with time.
  const orders: Readonly<Record<string, Readings["whitelistOrder"]>> = {
    [plain.join()]: "oldest-first",
    [plain.toReversed().join()]: "newest-first",
    [[first, second, third].join()]: "by-address",
  };
  const order = orders[listed.filter((address) => address !== normaliseIp(odd)).join()];
  session.reading("whitelist.list", "whitelistOrder", order, "the list has another order");
  const shown = found.find((entry) => addressOf(entry) === normaliseIp(odd))?.["ip_cidr"];
  const spelling = spellingOf(odd, shown);
  session.reading("whitelist.list", "whitelistSpelling", spelling, "another spelling");
  if (!spelling) session.note("whitelist.list", "addresses are listed in a spelling that the emulator does not have");
}

function spellingOf(sent: string, listed: unknown): Readings["whitelistSpelling"] | undefined {
  const canonical = normaliseIp(sent);
  if (listed === sent) return "as-given";
  if (listed === canonical) return "canonical";
  if (listed === `${canonical}/128`) return "with-prefix";
  return /^([0-9a-f]{4}:){7}[0-9a-f]{4}$/.test(String(listed)) ? "expanded" : undefined;
}

async function writeDuplicate(session: Session, ip_cidr: string): Promise<void> {
  const { error } = await session.ask("whitelist.add", { body: { ip_cidr } });
  if (!error) {
    const count = (await find(session, [ip_cidr])).length;
    return session.reading("whitelist.add", "whitelistDuplicate", count > 1 ? "second-record" : "200");
  }
  if (error.code === "conflict") return session.reading("whitelist.add", "whitelistDuplicate", "409");
  session.note("whitelist.add", `an address that is listed already is refused (${statusText(error)}), not 409`);
  session.leaveOpen("whitelistDuplicate", `refused with ${statusText(error)}`);
}

/** A text that is not an address; it is removed again if the platform takes it. */
async function writeInvalid(session: Session): Promise<void> {
  const text = `conform-${session.options.mark}-is-no-address`;
  const step = { what: `whitelisted address ${text}`, undo: () => removeAddresses(session, [text]) };
  const answer = await session.ask("whitelist.add", { body: { ip_cidr: text } }, step);
  if (answer.error) return noteRefusal(session, answer);
  session.deviates("whitelist.add", "a text that is not an address is accepted", "copes");
}

/** Whether the whitelist refuses with HTTP 200, where others have a status of their own. */
function noteRefusal(session: Session, { status }: Answer): void {
  if (session.facts.refusalsHaveStatus)
    session.reading("whitelist.add", "refusalStatus", status >= 300 ? "own" : "200-whitelist");
}

async function writeDeletes(session: Session, plain: Addresses["plain"]): Promise<void> {
  const [second, third, first] = plain;
  const idsOf = async (...addresses: string[]) => (await find(session, addresses)).map(({ id }) => idOf(id));
  const [id] = await idsOf(first);
  if (id === undefined) return session.notTried("a new entry has no id", "whitelist.delete");
  const deleted = await session.expect("whitelist.delete", { path: { ids: id } });
  if (!deleted) return;
  session.check("whitelist.delete", deleted.json, whitelistStatus);
  const again = await session.ask("whitelist.delete", { path: { ids: id } });
  const { error } = again;
  const form = !error ? "200" : error.code === "not-found" ? "404" : undefined;
  session.reading("whitelist.delete", "whitelistDeleteUnknown", form, error && `refused with ${statusText(error)}`);
  if (error && !form) session.note("whitelist.delete", `an unknown id is refused (${statusText(error)}), not 404`);
  if (error) noteRefusal(session, again);
  const several = (await idsOf(second, third)).join(",");
  await session.expect("whitelist.delete", { path: { ids: several } });
  if (!(await isGone(session, plain)))
    session.deviates("whitelist.delete", "deleted entries are still listed", "needs this");
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
  const { facts } = session;
  const description = `conform ${session.options.mark}`;
  if (!session.has("whitelist.listV2"))
    return session.notTried("the list of v2 is lacking", "whitelist.addV2", "whitelist.deleteV2");
  if (!(await session.expect("whitelist.addV2", { body: { ip_cidr: describedV2, description } }))) return;
  const shownBy = async (name: "whitelist.list" | "whitelist.listV2", address: string) =>
    (await session.records(name, listName))?.find((entry) => addressOf(entry) === address);
  const [v1, v2] = [await shownBy("whitelist.list", describedV2), await shownBy("whitelist.listV2", describedV2)];
  const isShown = (entry: Fields | undefined) => entry?.["description"] === description;
  const shown = isShown(v1) ? "both" : isShown(v2) ? "v2" : "neither";
  session.reading("whitelist.listV2", "whitelistListDescription", shown);
  const { error } = await session.ask("whitelist.add", { body: { ip_cidr: described, description } });
  facts.takesDescriptions = !error;
  if (error) session.reading("whitelist.add", "whitelistDescription", "refused");
  else if (isShown(v2)) {
    const kept = isShown(await shownBy("whitelist.listV2", described));
    session.reading("whitelist.add", "whitelistDescription", kept ? "accepted" : "ignored");
  } else session.leaveOpen("whitelistDescription", "no list shows descriptions");
  const id = idOf(v2?.["id"]);
  if (id !== undefined) await session.expect("whitelist.deleteV2", { path: { ids: id } });
}

/** Each address that the platform said it had added must be seen once to be removed. */
async function removeAddresses(session: Session, addresses: readonly string[]): Promise<Undone> {
  const entries = await session.records("whitelist.list", listName);
  if (!entries) return { failed: "the list does not answer" };
  const ids = entries.filter((entry) => addresses.includes(addressOf(entry))).map(({ id }) => idOf(id));
  if (ids.includes(undefined)) return { failed: "the list shows no id" };
  if (ids.length > 0) {
    const { error } = await session.ask("whitelist.delete", { path: { ids: ids.join(",") } });
    // Deleted before, and still listed for a while.
    if (error && error.code !== "not-found") return undoneUnless(error, "the delete");
  }
  if (!(await isGone(session, addresses))) return { failed: "it is still listed" };
  const unlisted = addresses.filter((address) => session.facts.unlisted.has(address));
  return unlisted.length === 0
    ? undefined
    : { failed: `${unlisted.join(", ")} was added but never listed; look for it in the user interface` };
}
