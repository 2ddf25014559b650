import { type Answer, answered, missing, ok } from "../../answers";
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
  return {
    "records under the key": ok({ [key]: records }),
    "list of records": ok(records),
    "ids under the key": ok({ [key]: ids }),
    "list of ids": ok(ids),
    "list of ids as text": ok(ids.map(String)),
    "names under the key": ok({ [key]: names }),
    "list of names": ok(names),
    "comma text of ids": ok({ [key]: ids.join(",") }),
    "records under the key, with paging_info": ok({
      paging_info: { previous_page: null, next_page: null, per_page: 10 },
      [key]: records,
    }),
    "records by id": ok(Object.fromEntries(items.map((item) => [String(item.id), item.record]))),
    "records under another key": ok({ [`svc_${key}`]: records }),
  }[form];
}

function emptyAnswer(key: string, none: Exclude<(typeof emptyListForms)[number], "[] in its form">): Answer {
  return answered<Answer>(
    {
      null: ok({ [key]: null }),
      "{}": ok({}),
      "empty body": { status: 200 },
      missing: missing(`no ${key}`),
      "204": { status: 204 },
    }[none],
  );
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
