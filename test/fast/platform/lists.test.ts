import { describe, expect, test } from "vitest";
import type { Client } from "../../../provider/api/client";
import { PlatformError } from "../../../provider/api/errors";
import { extendedOperations } from "../../../provider/api/extended-operations";
import { operations } from "../../../provider/api/operations";
import type { AnyResource, Context } from "../../../provider/core/define";
import { Importable } from "../../../provider/core/importable";
import { entryOf, pageOf } from "../../../provider/platform/entries";
import { NamedCollection, namedRecord } from "../../../provider/platform/named-collection";
import { PagedList } from "../../../provider/platform/paged-list";
import { namedEntry } from "../../../provider/platform/references";
import { listUsers } from "../../../provider/platform/users";
import { whitelistPage } from "../../../provider/platform/whitelist-listing";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { freshEmulator, refusal } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";
import { scriptedPlatform } from "../api/scripted-platform";

const entries = (...ids: number[]) => ids.map((id) => ({ id }));
const refused = (status: number) =>
  new PlatformError("no", { code: status === 403 ? "forbidden" : "rejected", status, outcome: "refused" });

describe("a list that announces its pages", () => {
  test("and one that announces none is asked once, without a page", async () => {
    const asked: unknown[] = [];
    const read = async (page?: number) => {
      asked.push(page);
      return { entries: entries(1, 2), nextPage: undefined };
    };
    expect(await new PagedList({ hasPages: false }).read(read)).toEqual({ entries: entries(1, 2), isWhole: true });
    expect(asked).toEqual([undefined]);
  });

  /** The addresses that a whitelist of these pages shows, and the pages that are asked for. */
  async function read(...pages: object[]) {
    const asked = new Set<number>();
    const { entries: found, isWhole } = await new PagedList({ hasPages: false }).read(async (page = 1) => {
      asked.add(page);
      const shown = { id: page, ip_cidr: `192.0.2.${page}` };
      return whitelistPage.parse({ account_whitelisted_ips: [shown], ...pages[page - 1] });
    });
    return [isWhole, found.length, asked.size];
  }

  test.each<[form: string, say: (page: number, next: number | null) => object]>([
    ["next_page", (_, next) => ({ next_page: next })],
    ["nextPage, in a text", (_, next) => ({ nextPage: String(next ?? 0) })],
    ["next_page in meta", (_, next) => ({ meta: { next_page: next ?? false } })],
    ["current_page in meta", (page) => ({ meta: { current_page: page, total_pages: 3, total: 9 } })],
    ["last_page", (page, next) => ({ current_page: page, last_page: 3, next_page_url: next && "/ips?cursor=a" })],
    ["page and pages", (page) => ({ pagination: { page, pages: 3 } })],
    ["a link", (_, next) => ({ links: { next: next && `https://x.example/ips?per_page=1&page=${next}#here` } })],
    [
      "a link in _links",
      (page, next) => ({ _links: { self: `?page=${page}`, ...(next && { next: { href: `?page=${next}` } }) } }),
    ],
    ["paging", (_, next) => ({ paging: { next: next ?? "" } })],
  ])("%s leads through all pages", async (_form, say) => {
    expect(await read(say(1, 2), say(2, 3), say(3, null))).toEqual([true, 3, 3]);
  });

  test.each<[object, isWhole: boolean, rows: number, asked: number]>([
    [{ total: 5 }, false, 1, 1],
    [{ meta: { total_count: 2 } }, false, 1, 1],
    [{ total_entries: "2" }, false, 1, 1],
    [{ count: 1, pagination: { total: 2 } }, false, 1, 1],
    [{ links: { next: "/ips?cursor=abc" } }, false, 1, 1],
    [{ has_more: true }, false, 1, 1],
    [{ total: 1 }, true, 1, 1],
    [{ count: 0 }, true, 1, 1],
    // It says itself that this is the end, so the total counts something else.
    [{ total: 5, next_page: null }, true, 1, 1],
    [{ total: 5, links: { next: "" } }, true, 1, 1],
    [{ total: 5, has_more: false }, true, 1, 1],
    [{ current_page: 1, total_pages: 1, total: 5 }, true, 1, 1],
    [{ next_page: 1 }, true, 1, 1],
  ])("%j: whole is %s, with %i of them after %i requests", async (said, ...expected) => {
    expect(await read(said)).toEqual(expected);
  });

  test("the last page that announces itself is the end; one that repeats what was shown instead of the rest is not", async () => {
    expect(await read({ next_page: 2 }, { next_page: 2 })).toEqual([true, 2, 2]);
    const ignored = { account_whitelisted_ips: [{ id: 1, ip_cidr: "192.0.2.1" }], current_page: 1, total_pages: 3 };
    expect(await read(ignored, ignored)).toEqual([false, 1, 2]);
  });

  test("the same row twice is two of those that a total counts", async () => {
    const account_whitelisted_ips = [{ ip_cidr: "192.0.2.1" }, { ip_cidr: "192.0.2.1" }];
    expect(await read({ account_whitelisted_ips, total: 2 })).toEqual([true, 1, 1]);
  });
});

describe("a list with pages according to its manual", () => {
  test("an entry that is inserted between two pages does not end the paging, now or later", async () => {
    const list = new PagedList({ hasPages: true });
    let all = [1, 2, 3, 4, 5, 6];
    const read = async (page = 1) => {
      const shown = all.slice((page - 1) * 2, page * 2);
      if (page === 1 && all.length === 6) all = [0, ...all];
      return { entries: entries(...shown), nextPage: undefined };
    };
    const ids = ({ entries: found }: { readonly entries: unknown[] }) =>
      found.map((one) => (one as { id: number }).id).sort();
    expect(ids(await list.read(read))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(ids(await list.read(read))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test.each([422, 403])(
    "a second page refused with %s: out of bounds ends the list, a missing permission is an error",
    async (status) => {
      const read = async (page = 1) => {
        if (page > 1) throw refused(status);
        return { entries: entries(1), nextPage: undefined };
      };
      const reading = new PagedList({ hasPages: true }).read(read);
      await (status === 403
        ? expect(reading).rejects.toThrow("no")
        : expect(reading).resolves.toEqual({ entries: entries(1), isWhole: true }));
    },
  );
});

test("a listing goes on from the start after an error, and does not count as ended", async () => {
  let fails = true;
  const definition = {
    type: "Thing",
    async *list() {
      for (let id = 1; id <= 5; id++) {
        if (id === 3 && fails) throw new Error("lost");
        yield { id: String(id) };
      }
    },
  } as unknown as AnyResource;
  const listing = new Importable(definition, { client: () => emptyClient, log: { info() {}, warn() {} } } as never);
  await expect(listing.page(0, 4)).rejects.toThrow("lost");
  fails = false;
  const page = await listing.page(0, 4);
  expect([page.items.length, page.hasMore]).toEqual([4, true]);
});
const emptyClient = { throwIfStopped() {}, settings: {} };

const emulator = freshEmulator();

test("on a whitelist in pages, ids of later pages do not count as deleted after a refused batch", async () => {
  const pages = [entries(1, 2), entries(3)].map((some, index) => ({
    account_whitelisted_ips: some.map(({ id }) => ({ id, account_id: 1001, ip_cidr: `192.0.2.${id}` })),
    paging_info: { next_page: index === 0 ? 2 : null },
  }));
  const refused = { operation: "whitelist.delete", kind: "respond" as const, status: 422, body: refusal("in use") };
  const list = { ...refused, operation: "whitelist.list", status: 200 };
  emulator.setFaults({ rules: [refused, { ...list, body: pages[0], nth: 1 }, { ...list, body: pages[1] }] });
  const { life } = inProcess(whitelistedIp, emulator);
  await expect(life.delete("3", { ipCidr: "192.0.2.3" })).rejects.toThrow("in use");
});

describe("what a list names", () => {
  const member = namedEntry("email");

  test.each([["14,20"], [{ users: "14, 20" }], [{ ids: "14,20" }], [{ users: ["14", "20"], count: 2 }]])(
    "%j is two of them",
    (answer) => {
      expect(pageOf("users", member).parse(answer).entries).toEqual(["14", "20"]);
    },
  );

  test("a record inside another, beside what the list says about the membership", () => {
    const inside = { svc_user: { id: 14, email: "a@example.com" }, since: "2024-01-01" };
    expect(entryOf(member, inside)).toEqual({ id: 14, name: "a@example.com" });
  });

  test("a group of a user that is a text of digits is a name: nobody knows better", async () => {
    const shown = { users: [{ id: 1, groups: ["2024", 204, { id: 3, name: "analysts" }] }] };
    // The emulator has no such group, and what is read needs no more than an answer.
    const api = {
      call: async (_: unknown, { answer }: { answer: { parse(json: unknown): unknown } }) => answer.parse(shown),
    };
    const { records } = await listUsers(api as unknown as Client, operations.listUsers);
    expect(records[0]!.groups).toEqual([{ name: "2024" }, { id: 204 }, { id: 3, name: "analysts" }]);
  });
});

describe("an empty list", () => {
  const { server, client } = scriptedPlatform();
  const { listRoles, viewRole, createRole, updateRole, deleteRole } = extendedOperations;
  const common = {
    type: "Shelf",
    noun: "shelf",
    listName: "shelves",
    record: namedRecord,
    operations: { list: listRoles, view: viewRole, create: createRole, update: updateRole, delete: deleteRole },
  };

  test.each([
    ["that one is gone of which an account may have none", {}, "gone"],
    ["nothing where every account has some", { systemNames: ["everything"] }, "unknown"],
  ])("proves %s", async (_what, more, expected) => {
    server.script({ body: { shelves: [] } });
    const context = { api: client({ extendedApi: true }), log: { info() {}, warn() {} } } as unknown as Context;
    expect(await new NamedCollection({ ...common, ...more }).look(context, "poems")).toBe(expected);
  });
});
