import { z } from "zod";
import { answeredId, type Id } from "../values/id";
import { normaliseIp } from "../values/ip-address";

const text = z.string().nullish();

/** A record of the whitelist. Only what tells it from the others is needed; the rest may be missing. */
const Entry = z.object({ id: answeredId, account_id: answeredId, ip_cidr: text, created_at: text, updated_at: text });

export interface WhitelistEntry {
  readonly id: Id;
  readonly accountId: Id | undefined;
  readonly ipCidr: string;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
}

/** One answer of the list. One odd record does not spoil the others, and is no proof that something is gone. */
export class WhitelistListing {
  readonly entries: readonly WhitelistEntry[];
  readonly #byAddress = new Map<string, WhitelistEntry>();
  readonly #byId = new Map<string, WhitelistEntry>();
  /** Ids of records that show no address. */
  readonly #withoutAddress = new Set<string>();
  /** Records that show no id: any of ours may be among them. */
  #withoutId = 0;

  /** `account`: the one whose records count, where those of others are listed too. */
  constructor(records: readonly unknown[], account?: string) {
    this.entries = records
      .flatMap((record) => this.#take(record))
      .filter(({ accountId }) => account === undefined || accountId === undefined || String(accountId) === account);
    for (const entry of this.entries) {
      this.#byAddress.set(normaliseIp(entry.ipCidr), entry);
      this.#byId.set(String(entry.id), entry);
    }
  }

  /** The account whose list it is, if an entry tells. */
  get accountId(): Id | undefined {
    return this.accountIds[0];
  }

  /** The accounts that the entries name. */
  get accountIds(): string[] {
    return [...new Set(this.entries.flatMap(({ accountId }) => (accountId === undefined ? [] : [String(accountId)])))];
  }

  get size(): number {
    return this.#byAddress.size;
  }

  has(address: string): boolean {
    return this.#byAddress.has(normaliseIp(address));
  }

  find(address: string): WhitelistEntry | undefined {
    return this.#byAddress.get(normaliseIp(address));
  }

  findById(id: Id): WhitelistEntry | undefined {
    return this.#byId.get(String(id));
  }

  /** Whether an id is listed, or may be. */
  mayHold(id: Id): boolean {
    return this.#byId.has(String(id)) || this.#withoutAddress.has(String(id)) || this.#withoutId > 0;
  }

  /** Normalised, each once. */
  addresses(): Iterable<string> {
    return this.#byAddress.keys();
  }

  /** All records of these addresses: one may be listed twice, in two spellings. */
  idsOf(addresses: Iterable<string>): Id[] {
    const wanted = new Set([...addresses].map(normaliseIp));
    return this.entries.filter(({ ipCidr }) => wanted.has(normaliseIp(ipCidr))).map(({ id }) => id);
  }

  #take(record: unknown): WhitelistEntry[] {
    const { data } = Entry.safeParse(record);
    if (data?.id === undefined) {
      this.#withoutId++;
      return [];
    }
    if (!data.ip_cidr) {
      this.#withoutAddress.add(String(data.id));
      return [];
    }
    const { id, account_id, ip_cidr, created_at, updated_at } = data;
    return [
      {
        id,
        accountId: account_id,
        ipCidr: ip_cidr,
        createdAt: created_at ?? undefined,
        updatedAt: updated_at ?? undefined,
      },
    ];
  }
}
