import { isSystemGroup } from "../../provider/platform/groups";
import { isSystemRole } from "../../provider/platform/roles";
import { AddressSet } from "../../provider/values/address-set";
import type { Id } from "../../provider/values/id";
import type { Entry, User } from "../platform/lists";
import { problemWithKnown } from "../pulumi/declarable";
import type { Holder } from "./accounts";
import { type Adoption, entryOf, type Found, type Kind, labelOf, stackOf, type Thing, textsIn } from "./found";
import { matchParts } from "./match-parts";
import type { Things } from "./things";

/** The resources that count as managing something in an account. */
export interface Managers {
  /** Those of this account. */
  readonly holders: readonly Holder[];
  /** `Account` resources of all stacks: another account's token may have created this one. */
  readonly accountHolders: readonly Holder[];
}

/** What exists in an account by kind: how much of it the stacks declare, and what they do not. By meaning, not by spelling. */
export function match(things: Things, { holders, accountHolders }: Managers): Found[] {
  const { account, whitelist, users, roles, groups, dataStores } = things.lists;
  return [
    account && matchAccount(account, accountHolders),
    whitelist && matchAddresses(whitelist, holders),
    users && matchUsers(users.filter(isCounted), holders),
    roles && matchEntries("role", roles, holders, isSystemRole),
    groups && matchEntries("group", groups, holders, isSystemGroup),
    ...(things.groups ? matchParts(things, holders) : []),
    dataStores && matchEntries("data-store", dataStores, holders),
  ].filter((found) => found !== undefined);
}

/** A user who is disabled or pending is not declared by anybody: an EnabledUser would enable the user. */
export function isCounted({ id, email, disabled }: User): boolean {
  return !disabled && (id !== undefined || email !== undefined);
}

function matchAccount({ id, name }: { readonly id: number; readonly name: string }, holders: readonly Holder[]): Found {
  const thing: Thing = {
    what: name,
    id: String(id),
    adopt: { type: "Account", name: "account", id: String(id) },
    note: "the API does not show its keys and regions: what the program says about them is assumed",
  };
  return split("account", [thing], () => holders.some((holder) => holder.id === thing.id));
}

function matchAddresses(
  entries: readonly { readonly id: number; readonly ipCidr: string }[],
  holders: readonly Holder[],
): Found {
  const single = holders.filter(({ type }) => type === "WhitelistedIp");
  const lists = holders.filter(({ type }) => type === "IpWhitelist");
  const declared = new AddressSet([
    ...textsIn(single.map(({ state }) => state["ipCidr"])),
    ...lists.flatMap(({ state }) => textsIn(state["addresses"])),
  ]);
  // The id counts where the address is encrypted, or was changed on the platform.
  const ids = new Set(single.map(({ id }) => id));
  const things = entries.map(({ id, ipCidr }): Thing => {
    const remover = lists.find(
      ({ state }) => state["exclusive"] === true && !new AddressSet(textsIn(state["keep"])).has(ipCidr),
    );
    const note =
      remover &&
      `the next "pulumi up" of ${stackOf(remover)} removes it, because ${labelOf(remover)} is exclusive; to keep it, add it to addresses there`;
    const adopt = { type: "WhitelistedIp", name: `ip-${ipCidr}`, id: String(id) };
    return { what: ipCidr, id: String(id), ...(note ? { note } : adoptable(adopt, { ipCidr })) };
  });
  return split("address", things, ({ what, id }) => declared.has(what) || ids.has(id ?? ""));
}

function matchUsers(users: readonly User[], holders: readonly Holder[]): Found {
  const declared = new Set(
    holders
      .filter(({ type }) => type === "EnabledUser")
      .flatMap(({ id, state }) => [id, state["svcUserId"], state["email"]])
      .map((one) => String(one ?? "").toLowerCase()),
  );
  const things = users.map(({ id, email }): Thing & { readonly names: readonly Id[] } => {
    const key = id === undefined ? email! : String(id);
    return {
      what: email ?? key,
      id: key,
      adopt: { type: "EnabledUser", name: `user-${email?.split("@")[0] ?? key}`, id: key },
      names: [...(id === undefined ? [] : [id]), ...(email === undefined ? [] : [email])],
    };
  });
  return split("user", things, ({ names }) => names.some((name) => declared.has(String(name).toLowerCase())));
}

const entryTypes = { role: "Role", group: "Group", "data-store": "DataStore" } as const;

/** By id, else by the unique name. Several data stores may have one name. `isSystem`: those are nobody's to declare. */
function matchEntries(
  kind: keyof typeof entryTypes,
  all: readonly Entry[],
  holders: readonly Holder[],
  isSystem: (entry: Entry) => boolean = () => false,
): Found {
  const entries = all.filter((entry) => !isSystem(entry));
  const type = entryTypes[kind];
  const claimed = new Set(
    holders.filter((holder) => holder.type === type).map((holder) => entryOf(holder, entries, kind !== "data-store")),
  );
  const prefix = kind === "data-store" ? "store" : kind;
  const things = entries.map((entry) => {
    const { id, name, dbName, dbHost } = entry;
    const what =
      name ?? (dbName === undefined ? String(id) : `${dbName}${dbHost === undefined ? "" : ` at ${dbHost}`}`);
    const adopt = { type, name: `${prefix}-${name ?? dbName ?? id}`, id: String(id) };
    const isStore = kind === "data-store";
    const secrets = isStore ? { note: "the API never shows the password: the program must supply it" } : {};
    return {
      entry,
      what,
      id: String(id),
      ...secrets,
      ...adoptable(adopt, isStore || name === undefined ? {} : { name }),
    };
  });
  return split(kind, things, ({ entry }) => claimed.has(entry));
}

/** What the provider's own checks refuse cannot be declared, so an import does not help. */
function adoptable(adopt: Adoption, known: Record<string, unknown>): Pick<Thing, "adopt" | "note"> {
  const problem = problemWithKnown(adopt.type, known);
  return problem === undefined ? { adopt } : { note: `cannot be declared: ${problem}` };
}

function split<T extends Thing>(kind: Kind, things: readonly T[], isManaged: (thing: T) => boolean): Found {
  const unmanaged = things.filter((thing) => !isManaged(thing));
  return { kind, existing: things.length, unmanaged };
}
