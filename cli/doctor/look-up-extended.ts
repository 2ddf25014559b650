import type { Client } from "../../provider/api/client";
import { Reader } from "../platform/connect";
import type { Managed } from "../pulumi/managed";
import { subjectOf } from "../pulumi/subject";

/** Whether something that an interrupted run may have created exists on the platform. Contains no secret. */
export type Outcome =
  /** `id` is undefined if it is a secret. */
  | { readonly kind: "exists"; readonly id: string | undefined; readonly says: string; readonly repeatable: boolean }
  | { readonly kind: "absent"; readonly says: string }
  /** Cannot be looked up. `repeatable`: running it again is safe, so it does not matter. */
  | { readonly kind: "unknown"; readonly says: string; readonly repeatable: boolean };

interface Listed {
  readonly id: string | number;
  readonly [property: string]: unknown;
}

/** How to find what only the extended API can list: the function, its output, and the inputs that identify one. */
const lists: Readonly<Record<string, { readonly call: string; readonly by: readonly string[] }>> = {
  DataStore: { call: "getDataStores", by: ["name", "dbHost", "dbName"] },
  Group: { call: "getGroups", by: ["name"] },
  Role: { call: "getRoles", by: ["name"] },
};

/** Undefined without the extended API, and for types that it does not list. */
export async function lookUpInList(resource: Managed, client: Client): Promise<Outcome | undefined> {
  const list = lists[resource.type];
  if (!list || !client.settings.extendedApi) return undefined;
  const [listed] = Object.values(await new Reader(client).run(list.call)) as [readonly Listed[]];
  const found = listed.filter((one) => list.by.every((name) => isAlike(resource.inputs[name], one[name])));
  const subject = subjectOf(resource);
  const [first, ...others] = found;
  if (!first) return { kind: "absent", says: `the platform does not list it (${subject})` };
  if (others.length > 0)
    return {
      kind: "unknown",
      repeatable: false,
      says: `the platform lists ${found.length} that look like it (${subject}): ids ${found.map(({ id }) => id).join(", ")}`,
    };
  return { kind: "exists", id: String(first.id), says: `it exists: ${subject} (id ${first.id})`, repeatable: false };
}

/** What the program does not set or keeps secret, or the platform does not show, proves nothing. */
function isAlike(wanted: unknown, found: unknown): boolean {
  return typeof wanted !== "string" || found === undefined || wanted === String(found);
}
