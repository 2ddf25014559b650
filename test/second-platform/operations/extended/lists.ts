import { type Answer, missing, ok } from "../../answers";
import type { emptyListForms, listForms } from "../../switches/define";

export interface Item {
  id: number;
  /** The e-mail address of a user. */
  name: string;
  record: Record<string, unknown>;
}

/** A list whose answer no source shows, in the form that a switch names. */
export function listAnswer(
  key: string,
  items: readonly Item[],
  form: (typeof listForms)[number],
  none: (typeof emptyListForms)[number],
): Answer {
  if (items.length === 0 && none !== "[] in its form") return emptyAnswer(key, none);
  const records = items.map((item) => item.record);
  const ids = items.map((item) => item.id);
  const names = items.map((item) => item.name);
  switch (form) {
    case "list of records":
      return ok(records);
    case "ids under the key":
      return ok({ [key]: ids });
    case "list of ids":
      return ok(ids);
    case "list of ids as text":
      return ok(ids.map(String));
    case "names under the key":
      return ok({ [key]: names });
    case "list of names":
      return ok(names);
    case "comma text of ids":
      return ok({ [key]: ids.join(",") });
    case "records under the key, with paging_info":
      return ok({ paging_info: { previous_page: null, next_page: null, per_page: 10 }, [key]: records });
    case "records by id":
      return ok(Object.fromEntries(items.map((item) => [String(item.id), item.record])));
    case "records under another key":
      return ok({ [`svc_${key}`]: records });
    default:
      return ok({ [key]: records });
  }
}

function emptyAnswer(key: string, none: (typeof emptyListForms)[number]): Answer {
  switch (none) {
    case "null":
      return ok({ [key]: null });
    case "{}":
      return ok({});
    case "missing":
      throw missing(`no ${key}`);
    case "204":
      return { status: 204 };
    default:
      return { status: 200 };
  }
}

/** Records in the order that a switch names. */
export function inOrder<T extends { id: number; name: string }>(items: readonly T[], order: string): T[] {
  if (order === "newest first") return items.toSorted((a, b) => b.id - a.id);
  if (order === "by name") return items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return items.toSorted((a, b) => a.id - b.id);
}

/** Puts the incomplete record that a switch names behind the first. */
export function withOdd(records: unknown[], odd: string): unknown[] {
  const strange: Record<string, unknown> = {
    null: null,
    "without id": { name: "odd" },
    "without name": { id: 9901 },
    "null name": { id: 9901, name: null },
    "{}": {},
  };
  return odd === "none" ? records : records.toSpliced(1, 0, strange[odd]);
}
