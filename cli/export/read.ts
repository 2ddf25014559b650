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

/** What the API returns about an account. Parts that the token may not read are absent; `refused` says why. */
export interface Environment {
  readonly account?: Account;
  readonly whitelist?: readonly { readonly id: number; readonly ipCidr: string }[];
  readonly users?: readonly User[];
  readonly pendingUsers?: readonly User[];
  readonly tables?: readonly Table[];
  readonly objects: readonly (ObjectName & { readonly policy: readonly unknown[] })[];
  readonly refused: readonly { readonly what: string; readonly why: string }[];
}

interface ReadRequest {
  readonly what: string;
  readonly part: Part;
  readonly call: string;
  readonly inputs?: Record<string, unknown>;
  /** The property of the answer to use; default: the whole answer. */
  readonly take?: string;
}

const requests: Readonly<Record<Exclude<keyof Environment, "objects" | "refused">, ReadRequest>> = {
  account: { what: "the account", part: "account", call: "getAccount" },
  whitelist: { what: "the whitelist", part: "whitelist", call: "getWhitelistedIps", take: "whitelistedIps" },
  users: { what: "the users", part: "users", call: "getUsers", take: "users" },
  pendingUsers: { what: "the pending users", part: "users", call: "getPendingUsers", take: "users" },
  tables: {
    what: "the Hive tables",
    part: "tables",
    call: "getHiveTables",
    inputs: { describe: true },
    take: "tables",
  },
};

export async function readEnvironment(
  reader: Reader,
  wanted: { readonly skip: readonly Part[]; readonly objects: readonly ObjectName[] },
  progress: StatusLine,
): Promise<Environment> {
  const refused: { what: string; why: string }[] = [];
  const selected = Object.entries(requests).filter(([, { part }]) => !wanted.skip.includes(part));
  const found = await progress.each("reading the platform", selected, 4, async ([name, request]) => {
    try {
      const answer = await reader.run(request.call, request.inputs);
      return [name, request.take ? answer[request.take] : answer] as const;
    } catch (error) {
      // Skip a part that the token may not read; give up on any other failure.
      if (!isPlatformError(error, "forbidden")) throw error;
      refused.push({ what: request.what, why: error.message });
      return [name, undefined] as const;
    }
  });
  const objects = await progress.each("reading policies", wanted.objects, 8, async (object) => ({
    ...object,
    policy: (await reader.run("getObjectPolicy", { ...object }))["policy"] as unknown[],
  }));
  return { ...(Object.fromEntries(found) as Partial<Environment>), objects, refused };
}
