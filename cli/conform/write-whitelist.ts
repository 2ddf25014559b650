import type { Readings } from "../../emulator/readings";
import type { Client } from "../../provider/api/client";
import { normaliseIp } from "../../provider/values/ip-address";
import type { Undone } from "./cleanup";
import { type Answer, anyListIn, idOf, isRecord, type Json, recordsIn } from "./forms";
import { type Session, statusText } from "./session";
import { checkShape, whitelistStatus } from "./specified";

/** Addresses for documentation (RFC 5737, RFC 3849): nobody has them. Not in the order of their text. */
interface Addresses {
  readonly second: string;
  readonly third: string;
  readonly first: string;
  /** In a spelling that no platform would choose. */
  readonly odd: string;
  readonly described: string;
  readonly describedV2: string;
}

export async function writeWhitelist(session: Session): Promise<void> {
  const before = await entriesOf(session);
  if (!before) return session.notTried("the list does not answer", "whitelist.add", "whitelist.delete");
  const chosen = choose(session.options.mark, new Set(before.map(addressOf)));
  const ours = Object.values(chosen).map(normaliseIp);
  const added: string[] = [];
  session.cleanup.add(`whitelisted addresses ${Object.values(chosen).join(", ")}`, (client) =>
    removeAddresses(session, client, ours, added),
  );
  for (const ip_cidr of [chosen.second, chosen.third, chosen.first, chosen.odd]) {
    const answer = await session.expect("whitelist.add", { body: { ip_cidr } });
    if (!answer) return;
    added.push(normaliseIp(ip_cidr));
    checkShape(session.findings, "whitelist.add", answer.json, whitelistStatus, "4.1");
    // What is not listed cannot be removed, so there should not be more of it.
    if ((await find(session, [ip_cidr])).length === 0)
      return session.findings.deviates("whitelist.list", "a new entry is not listed", { provider: "needs this" });
  }
  await readList(session, chosen);
  await writeDuplicate(session, chosen.second);
  await writeInvalid(session);
  await writeDeletes(session, chosen);
  await writeDescriptions(session, chosen);
}

function choose(mark: string, taken: ReadonlySet<string>): Addresses {
  const start = Number.parseInt(mark.slice(0, 4), 16);
  for (let at = start; ; at++) {
    const [octet, group] = [(at % 250) + 2, (at % 0xfff0).toString(16)];
    const chosen = {
      second: `198.51.100.${octet}`,
      third: `203.0.113.${octet}`,
      first: `192.0.2.${octet}`,
      odd: `2001:DB8:0:0:0:0:${group}:AB`,
      described: `192.0.2.${(octet % 250) + 3}`,
      describedV2: `198.51.100.${(octet % 250) + 3}`,
    };
    if (!Object.values(chosen).some((address) => taken.has(normaliseIp(address)))) return chosen;
  }
}

/** The whole list, also where it has pages, which the specification does not show. */
async function entriesOf(session: Session, client?: Client): Promise<Json[] | undefined> {
  const entries: Json[] = [];
  for (let page = 1; page <= 100; page++) {
    const { json, error } = await session.ask("whitelist.list", page === 1 ? {} : { query: { page } }, client);
    // Some platforms have no list while it is empty.
    if (error) return error.code === "not-found" ? entries : undefined;
    entries.push(...recordsIn(anyListIn(json, "account_whitelisted_ips")));
    const paging = isRecord(json) ? json["paging_info"] : undefined;
    if (!isRecord(paging) || Number(paging["next_page"] ?? 0) !== page + 1) break;
  }
  return entries;
}

const addressOf = ({ ip_cidr }: Json): string => (typeof ip_cidr === "string" ? normaliseIp(ip_cidr) : "");

/** The entries with these addresses; new ones may show up late. */
async function find(session: Session, addresses: readonly string[]): Promise<Json[]> {
  const wanted = addresses.map(normaliseIp);
  for (let look = 0; ; look++) {
    const found = (await entriesOf(session))?.filter((entry) => wanted.includes(addressOf(entry))) ?? [];
    for (const entry of found) session.seen.add(addressOf(entry));
    const missing = wanted.some((address) => !found.some((entry) => addressOf(entry) === address));
    if (!missing || look === 4) {
      if (look > 0 && !missing)
        session.findings.deviates("whitelist.list", "a new entry is listed late", { provider: "copes" });
      return found;
    }
    await session.pause();
  }
}

async function readList(session: Session, chosen: Addresses): Promise<void> {
  const { findings } = session;
  const { second, third, first, odd } = chosen;
  const found = await find(session, [second, third, first, odd]);
  const missing = [second, third, first, odd].filter(
    (address) => !found.some((entry) => addressOf(entry) === normaliseIp(address)),
  );
  if (missing.length > 0)
    findings.deviates("whitelist.list", `${missing.length} of 4 new entries are not listed`, {
      provider: "needs this",
    });
  const order = found.map(addressOf).filter((address) => [second, third, first].includes(address));
  const orders: Readonly<Record<string, Readings["whitelistOrder"]>> = {
    [[second, third, first].join()]: "oldest-first",
    [[first, third, second].join()]: "newest-first",
    [[first, second, third].join()]: "by-address",
  };
  findings.reading("whitelist.list", "whitelistOrder", orders[order.join()]);
  if (!orders[order.join()]) findings.leaveOpen("whitelistOrder", "the list has another order");
  const listed = found.find((entry) => addressOf(entry) === normaliseIp(odd))?.["ip_cidr"];
  const spelling = typeof listed === "string" ? spellingOf(odd, listed) : undefined;
  findings.reading("whitelist.list", "whitelistSpelling", spelling);
  if (spelling) return;
  findings.note("whitelist.list", "addresses are listed in a spelling that the emulator does not have");
  findings.leaveOpen("whitelistSpelling", "another spelling");
}

function spellingOf(sent: string, listed: string): Readings["whitelistSpelling"] | undefined {
  const canonical = normaliseIp(sent);
  if (listed === sent) return "as-given";
  if (listed === canonical) return "canonical";
  if (listed === `${canonical}/128`) return "with-prefix";
  return /^([0-9a-f]{4}:){7}[0-9a-f]{4}$/.test(listed) ? "expanded" : undefined;
}

async function writeDuplicate(session: Session, ip_cidr: string): Promise<void> {
  const { findings } = session;
  const { error } = await session.ask("whitelist.add", { body: { ip_cidr } });
  if (error) {
    findings.reading("whitelist.add", "whitelistDuplicate", error.code === "conflict" ? "409" : undefined);
    if (error.code === "conflict") return;
    findings.note("whitelist.add", `an address that is listed already is refused (${statusText(error)}), not 409`);
    return findings.leaveOpen("whitelistDuplicate", `refused with ${statusText(error)}`);
  }
  const count = (await find(session, [ip_cidr])).length;
  findings.reading("whitelist.add", "whitelistDuplicate", count > 1 ? "second-record" : "200");
}

/** A text that is not an address; it is removed again if the platform takes it. */
async function writeInvalid(session: Session): Promise<void> {
  const text = `conform-${session.options.mark}-is-no-address`;
  session.cleanup.add(`whitelisted address ${text}`, (client) => removeAddresses(session, client, [text], []));
  const answer = await session.ask("whitelist.add", { body: { ip_cidr: text } });
  if (answer.error) return noteRefusal(session, answer);
  session.findings.deviates("whitelist.add", "a text that is not an address is accepted", { provider: "copes" });
}

/** Whether the whitelist refuses with HTTP 200, where others have a status of their own. */
function noteRefusal({ findings, refusalsHaveStatus }: Session, { status }: Answer): void {
  if (refusalsHaveStatus) findings.reading("whitelist.add", "refusalStatus", status >= 300 ? "own" : "200-whitelist");
}

async function writeDeletes(session: Session, { second, third, first }: Addresses): Promise<void> {
  const { findings } = session;
  const idsOf = async (...addresses: string[]) => (await find(session, addresses)).map(({ id }) => idOf(id));
  const [id] = await idsOf(first);
  if (id === undefined) return session.notTried("a new entry has no id", "whitelist.delete");
  const deleted = await session.expect("whitelist.delete", { path: { ids: id } });
  if (!deleted) return;
  checkShape(findings, "whitelist.delete", deleted.json, whitelistStatus, "4.1");
  const again = await session.ask("whitelist.delete", { path: { ids: id } });
  if (!again.error) findings.reading("whitelist.delete", "whitelistDeleteUnknown", "200");
  else if (again.error.code === "not-found") findings.reading("whitelist.delete", "whitelistDeleteUnknown", "404");
  else {
    findings.note("whitelist.delete", `an unknown id is refused (${statusText(again.error)}), not 404`);
    findings.leaveOpen("whitelistDeleteUnknown", `refused with ${statusText(again.error)}`);
  }
  if (again.error) noteRefusal(session, again);
  const several = (await idsOf(second, third)).join(",");
  await session.expect("whitelist.delete", { path: { ids: several } });
  if (!(await isGone(session, [first, second, third])))
    findings.deviates("whitelist.delete", "deleted entries are still listed", { provider: "needs this" });
}

async function isGone(session: Session, addresses: readonly string[], client?: Client): Promise<boolean> {
  const gone = addresses.map(normaliseIp);
  for (let look = 0; look < 5; look++) {
    if (look > 0) await (client ?? session.options.client).pause(session.options.pauseMs);
    const left = (await entriesOf(session, client))?.filter((entry) => gone.includes(addressOf(entry)));
    if (left?.length === 0) return true;
  }
  return false;
}

/** `description` is not specified, so it is tried only where version 2 exists, which has it. */
async function writeDescriptions(session: Session, { described, describedV2 }: Addresses): Promise<void> {
  const { findings } = session;
  const description = `conform ${session.options.mark}`;
  if (!findings.has("whitelist.listV2"))
    return session.notTried("the list of v2 is lacking", "whitelist.addV2", "whitelist.deleteV2");
  if (!(await session.expect("whitelist.addV2", { body: { ip_cidr: describedV2, description } }))) return;
  const shownBy = async (name: "whitelist.list" | "whitelist.listV2", address: string) => {
    const { json } = await session.ask(name);
    const entries = recordsIn(anyListIn(json, "account_whitelisted_ips"));
    return entries.find((entry) => addressOf(entry) === normaliseIp(address));
  };
  const [v1, v2] = [await shownBy("whitelist.list", describedV2), await shownBy("whitelist.listV2", describedV2)];
  const isShown = (entry: Json | undefined) => entry?.["description"] === description;
  findings.reading(
    "whitelist.listV2",
    "whitelistListDescription",
    isShown(v1) ? "both" : isShown(v2) ? "v2" : "neither",
  );
  const { error } = await session.ask("whitelist.add", { body: { ip_cidr: described, description } });
  session.takesDescriptions = !error;
  if (error) findings.reading("whitelist.add", "whitelistDescription", "refused");
  else if (isShown(v2)) {
    const kept = isShown(await shownBy("whitelist.listV2", described));
    findings.reading("whitelist.add", "whitelistDescription", kept ? "accepted" : "ignored");
  } else findings.leaveOpen("whitelistDescription", "no list shows descriptions");
  const id = idOf(v2?.["id"]);
  if (id !== undefined) await session.expect("whitelist.deleteV2", { path: { ids: id } });
}

/** `added`: those that the platform said it had added; each must be seen once to be removed. */
async function removeAddresses(
  session: Session,
  client: Client,
  addresses: readonly string[],
  added: readonly string[],
): Promise<Undone> {
  const entries = await entriesOf(session, client);
  if (!entries) return { failed: "the list does not answer" };
  const unseen = added.filter((address) => !session.seen.has(address));
  const ids = entries.filter((entry) => addresses.includes(addressOf(entry))).map(({ id }) => idOf(id));
  if (ids.includes(undefined)) return { failed: "the list shows no id" };
  if (ids.length > 0) {
    const { error } = await session.ask("whitelist.delete", { path: { ids: ids.join(",") } }, client);
    // Deleted before, and still listed for a while.
    if (error && error.code !== "not-found") return { failed: `the delete was refused (${statusText(error)})` };
  }
  if (!(await isGone(session, addresses, client))) return { failed: "it is still listed" };
  return unseen.length === 0
    ? undefined
    : { failed: `${unseen.join(", ")} was added but never listed; look for it in the user interface` };
}
