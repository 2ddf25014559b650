import type { Client } from "../../provider/api/client";
import { findByTag, largestPage } from "../../provider/platform/commands/history";
import { findUser, usersOf } from "../../provider/platform/users";
import { normaliseIp } from "../../provider/values/ip-address";
import { Reader } from "../platform/connect";
import type { Managed } from "../pulumi/managed";
import { subjectOf } from "../pulumi/subject";
import { printable } from "../terminal/style";

/** Whether something that an interrupted run may have created exists on the platform. Contains no secret. */
export type Outcome =
  /** `id` is undefined if it is a secret. */
  | { readonly kind: "exists"; readonly id: string | undefined; readonly says: string; readonly repeatable: boolean }
  | { readonly kind: "absent"; readonly says: string }
  /** Cannot be looked up. `repeatable`: running it again is safe, so it does not matter. */
  | { readonly kind: "unknown"; readonly says: string; readonly repeatable: boolean };

const exists = (id: string | undefined, says: string, repeatable = false): Outcome => ({
  kind: "exists",
  id,
  says,
  repeatable,
});
const absent = (says: string): Outcome => ({ kind: "absent", says });
const unknown = (says: string, repeatable = false): Outcome => ({ kind: "unknown", says, repeatable });

const lookUps: Readonly<Record<string, (resource: Managed, client: Client) => Promise<Outcome>>> = {
  WhitelistedIp: lookUpAddress,
  EnabledUser: lookUpUser,
  Command: lookUpCommand,
};

/** Looks for the result of a pending create. Read-only. */
export async function lookUp(resource: Managed, client: () => Client): Promise<Outcome> {
  try {
    const look = lookUps[resource.type] ?? lookUpInList;
    return (await look(resource, client())) ?? withoutLookUp(resource);
  } catch (error) {
    return unknown(printable((error as Error).message));
  }
}

async function lookUpAddress(resource: Managed, client: Client): Promise<Outcome> {
  const wanted = normaliseIp(String(resource.inputs["ipCidr"]));
  const { whitelistedIps } = (await new Reader(client).run("getWhitelistedIps")) as {
    whitelistedIps: { id: number; ipCidr: string }[];
  };
  const found = whitelistedIps.find(({ ipCidr }) => normaliseIp(ipCidr) === wanted);
  const address = subjectOf(resource);
  if (!found) return absent(`${address} is not whitelisted`);
  return exists(String(found.id), `${address} is whitelisted (id ${found.id})`);
}

async function lookUpUser(resource: Managed, client: Client): Promise<Outcome> {
  const wanted = String(resource.inputs["svcUserId"]);
  const found = findUser(await usersOf(client).fresh(), wanted);
  const user = subjectOf(resource);
  if (!found || found.isDisabled) return absent(`${user} is not enabled`);
  const id = resource.secretNames.has("svcUserId") ? undefined : wanted;
  return exists(id, `${user} is enabled`, true);
}

const maxPages = 5;

async function lookUpCommand(resource: Managed, client: Client): Promise<Outcome> {
  const tag = resource.inputs["submissionTag"];
  if (typeof tag !== "string" || tag === "")
    return unknown("its submission tag is not in the state, so it cannot be looked up");
  // A different user may have submitted it.
  for (const all_users of [undefined, 1]) {
    const { found, isMissing } = await findByTag(client, tag, { all_users, maxPages });
    if (found)
      return exists(
        String(found.id),
        `it was submitted: command ${found.id} (${printable(found.status ?? "no status")})`,
      );
    if (!isMissing)
      return unknown(
        `its tag, ${printable(tag)}, is not on any of the first ${largestPage * maxPages} commands in the history, which is longer, or shows no such tags`,
      );
  }
  return absent("it is not in the command history of the last 30 days, so it was not submitted");
}

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
async function lookUpInList(resource: Managed, client: Client): Promise<Outcome | undefined> {
  const list = lists[resource.type];
  if (!list || !client.settings.extendedApi) return undefined;
  const [listed] = Object.values(await new Reader(client).run(list.call)) as [readonly Listed[]];
  const found = listed.filter((one) => list.by.every((name) => isAlike(resource.inputs[name], one[name])));
  const subject = subjectOf(resource);
  const [first, ...others] = found;
  if (!first) return absent(`the platform does not list it (${subject})`);
  if (others.length > 0)
    return unknown(
      `the platform lists ${found.length} that look like it (${subject}): ids ${found.map(({ id }) => id).join(", ")}`,
    );
  return exists(String(first.id), `it exists: ${subject} (id ${first.id})`);
}

/** What the program does not set or keeps secret, or the platform does not show, proves nothing. */
function isAlike(wanted: unknown, found: unknown): boolean {
  return typeof wanted !== "string" || found === undefined || wanted === String(found);
}

/** For types that the API cannot list; each resource's page says so. */
function withoutLookUp(resource: Managed): Outcome {
  const subject = subjectOf(resource);
  if (resource.type === "Account" || resource.type === "DataStore")
    return unknown(
      `the API cannot list it (${subject}), so it may or may not exist; if it does, the next "pulumi up" creates a second one`,
    );
  return unknown(
    `the API cannot tell whether this was done (${subject}); the next "pulumi up" repeats it, which is safe`,
    true,
  );
}
