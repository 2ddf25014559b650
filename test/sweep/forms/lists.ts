import type { Hook } from "../../harness/go-between";
import { callOf, type Form, formsOf, type Item, inJson, is } from "./form";

/** Lists whose answer no source shows: where they are, what they are called, and who reads them. */
const lists = {
  "data stores": { at: /^GET .*\/db_taps\/?$/, key: "db_taps", types: ["DataStore"] },
  groups: { at: /^GET .*\/groups$/, key: "groups", types: ["Group", "GroupMembership"] },
  roles: { at: /^GET .*v1\.2\/roles$/, key: "roles", types: ["Role", "Group"] },
  "users of a group": { at: /^GET .*\/groups\/[^/]+\/svc_users$/, key: "users", types: ["Group", "GroupMembership"] },
  "roles of a group": {
    at: /^GET .*\/groups\/[^/]+\/roles$/,
    key: "roles",
    types: ["Group", "GroupRoles", "GroupRoleAssignment"],
  },
} as const;

type Envelope = (items: readonly Item[], key: string) => unknown;
const byId: Envelope = (items) => Object.fromEntries(items.map((item) => [String(item.id), item]));
const nameOf = ({ name, email }: Item) => email ?? name;

const ofRecords: Readonly<Record<string, Envelope>> = {
  "as a bare list": (items) => items,
  "under data": (items) => ({ data: items }),
  "by id": byId,
  "with paging_info": (items, key) => ({ paging_info: { next_page: null, previous_page: null }, [key]: items }),
  "newest first": (items, key) => ({ [key]: items.toReversed() }),
  "with null among them": (items, key) => ({ [key]: [null, ...items] }),
  "with an empty record among them": (items, key) => ({ [key]: [...items, {}] }),
  "with a deleted one of the same name": ([first, ...items], key) => ({
    [key]: [...(first ? [{ ...first, id: 990002, deleted: true }, first] : []), ...items],
  }),
  "with one without a name": (items, key) => ({ [key]: [{ id: 990001 }, ...items] }),
};

/** Members of a group may be less than records. */
const ofMembers: Readonly<Record<string, Envelope>> = {
  "as a bare list": (items) => items,
  "by id": byId,
  "under another key": (items) => ({ entries: items }),
  "as ids under the key": (items, key) => ({ [key]: items.map(({ id }) => id) }),
  "as a list of ids": (items) => items.map(({ id }) => id),
  "as a list of ids in texts": (items) => items.map(({ id }) => String(id)),
  "as names under the key": (items, key) => ({ [key]: items.map(nameOf) }),
  "as a list of names": (items) => items.map(nameOf),
  "as ids in one text": (items) => items.map(({ id }) => id).join(","),
};

const envelopes: readonly Form[] = Object.entries(lists).flatMap(([list, { at, key, types }]) =>
  formsOf(list, types, list.endsWith("of a group") ? ofMembers : ofRecords, (envelope) =>
    inJson(at, (body) => envelope((body as Record<string, Item[]>)[key]!, key)),
  )
    // Only where a client's key is all that is known of the answer.
    .filter(({ title }) => title !== "data stores by id"),
);

/** How an empty list may be answered. */
const empty: readonly Form[] = Object.entries(lists)
  .filter(([list]) => list.endsWith("of a group"))
  .flatMap(([list, { at, key, types }]) =>
    [
      { status: 200, text: "null" },
      { status: 200, text: "{}" },
      { status: 200, text: "[]" },
      { status: 200, text: "" },
      { status: 204, text: "" },
    ].map((none) => ({
      title: `no ${list}: ${none.status} ${none.text}`,
      types,
      answers: (): Hook => (passing) =>
        is(at, passing) && JSON.parse(passing.text)[key]?.length === 0 ? none : passing.text,
    })),
  );

/** In which words a page may announce the next one is in test/fast/platform/lists.test.ts. */
const nextPages: Readonly<Record<string, (next: number | null, asked: number) => object>> = {
  "with paging_info": (next) => ({ paging_info: { next_page: next } }),
  "that announce one more than there is": (_, asked) => ({ paging_info: { next_page: asked + 1 } }),
  "of which nothing is said": () => ({}),
};

/** Two entries on a page, whatever was asked for. A page that is out of bounds is refused as the emulator does. */
function inPages(at: RegExp, key: string, info: (typeof nextPages)[string]): Hook {
  let all: readonly Item[] = [];
  return (passing) => {
    if (!at.test(callOf(passing))) return passing.text;
    const page = Number(new URLSearchParams(passing.url.split("?")[1]).get("page") ?? 1);
    if (page === 1) all = JSON.parse(passing.text)[key];
    const shown = all.slice(2 * page - 2, 2 * page);
    if (page > 1 && shown.length === 0) return passing.text;
    const next = 2 * page < all.length ? page + 1 : null;
    return { status: 200, text: JSON.stringify({ ...info(next, page), [key]: shown }) };
  };
}

const paged: readonly Form[] = (["groups", "roles"] as const).flatMap((list) =>
  formsOf(`pages of ${list}`, lists[list].types, nextPages, (info) => inPages(lists[list].at, lists[list].key, info)),
);

export const listForms: readonly Form[] = [...envelopes, ...empty, ...paged];
