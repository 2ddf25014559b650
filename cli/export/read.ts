import { isPlatformError } from "../../provider/api/errors";
import type { Reader } from "../platform/connect";
import type { StatusLine } from "../terminal/status-line";

export const parts = ["account", "whitelist", "users", "tables"] as const;
export type Part = (typeof parts)[number];

export interface ObjectName {
  readonly sourceType: string;
  readonly sourceId: string;
}

export interface User {
  readonly id?: number;
  readonly email?: string;
  readonly disabled?: boolean;
}
export interface Table {
  readonly name: string;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
}
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly storageLocation?: string;
  readonly idleSessionTimeout?: number;
  readonly isAwsRoleEnabled?: boolean;
}

/** What the API shows of a living environment. A part that the token may not read is absent, and `refused` says why. */
export interface Environment {
  readonly account?: Account;
  readonly whitelist?: readonly { readonly id: number; readonly ipCidr: string }[];
  readonly users?: readonly User[];
  readonly pendingUsers?: readonly User[];
  readonly tables?: readonly Table[];
  readonly objects: readonly (ObjectName & { readonly policy: readonly unknown[] })[];
  readonly refused: readonly { readonly what: string; readonly why: string }[];
}

interface Wish {
  readonly what: string;
  readonly part: Part;
  readonly ask: string;
  readonly inputs?: Record<string, unknown>;
  /** The property of the answer that holds it; without one, the answer itself. */
  readonly take?: string;
}

const wishes: Readonly<Record<Exclude<keyof Environment, "objects" | "refused">, Wish>> = {
  account: { what: "the account", part: "account", ask: "getAccount" },
  whitelist: { what: "the whitelist", part: "whitelist", ask: "getWhitelistedIps", take: "whitelistedIps" },
  users: { what: "the users", part: "users", ask: "getUsers", take: "users" },
  pendingUsers: { what: "the pending users", part: "users", ask: "getPendingUsers", take: "users" },
  tables: { what: "the Hive tables", part: "tables", ask: "getHiveTables", inputs: { describe: true }, take: "tables" },
};

export async function readEnvironment(
  reader: Reader,
  wanted: { readonly skip: readonly Part[]; readonly objects: readonly ObjectName[] },
  progress: StatusLine,
): Promise<Environment> {
  const refused: { what: string; why: string }[] = [];
  const asked = Object.entries(wishes).filter(([, { part }]) => !wanted.skip.includes(part));
  const found = await progress.each("reading the platform", asked, 4, async ([name, wish]) => {
    try {
      const answer = await reader.run(wish.ask, wish.inputs);
      return [name, wish.take ? answer[wish.take] : answer] as const;
    } catch (error) {
      // Not allowed to see one part is no reason to give up the others; a platform that fails is.
      if (!isPlatformError(error, "forbidden")) throw error;
      refused.push({ what: wish.what, why: error.message });
      return [name, undefined] as const;
    }
  });
  const objects = await progress.each("reading policies", wanted.objects, 8, async (object) => ({
    ...object,
    policy: (await reader.run("getObjectPolicy", { ...object }))["policy"] as unknown[],
  }));
  return { ...(Object.fromEntries(found) as Partial<Environment>), objects, refused };
}
