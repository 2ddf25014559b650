import type { Client } from "../../provider/api/client";
import { operations } from "../../provider/api/operations";
import { listUsers, toUser } from "../../provider/platform/users";
import { asNumber, type Id } from "../../provider/values/id";
import { isAboutOneThing, reading } from "../platform/reading";
import { shortList } from "../terminal/plural";
import type { User } from "./directory";

/** Those of these users who await approval: the list of users leaves them out, but policies can name them. */
export async function readPending(
  client: Client,
  unlisted: readonly Id[],
  notes: string[],
): Promise<ReadonlyMap<Id, User>> {
  if (unlisted.length === 0) return new Map();
  try {
    const { users } = await reading(client, "pending users", notes, ({ api }) =>
      listUsers(api, operations.listPendingUsers),
    );
    return new Map(
      users.flatMap((entry): [Id, User][] => {
        if (entry.id === undefined || !unlisted.includes(asNumber(entry.id))) return [];
        const { email, name } = toUser(entry);
        const id = asNumber(entry.id);
        return [[id, { id, email, name, isPending: true, isListed: false }]];
      }),
    );
  } catch (error) {
    if (!isAboutOneThing(error)) throw error;
    notes.push(
      `not in the list of users, though named by a policy or a group: user ${shortList(unlisted)}. Whether they are pending is unknown, since the pending users cannot be listed: ${error.message}`,
    );
    return new Map();
  }
}
