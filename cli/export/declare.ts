import { checkInputs } from "../../provider/core/check";
import { withoutUndefined } from "../../provider/core/values";
import { resources as definitions } from "../../provider/resources";
import type { Environment } from "./read";

/** A resource of the program, with its import id. */
export interface Declaration {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  /** Added as a comment next to it. */
  readonly remark?: string | undefined;
}

export interface Plan {
  readonly declarations: readonly Declaration[];
  /** What exists but cannot be declared, and why. */
  readonly notes: readonly string[];
}

/** What the program declares. Anything its own validation would reject becomes a note instead. */
export function plan(environment: Environment): Plan {
  const names = new Names();
  const notes: string[] = [];
  const all = [
    ...accountOf(environment, names),
    ...whitelistOf(environment, names),
    ...usersOf(environment, names, notes),
    ...policiesOf(environment, names, notes),
  ];
  const declarations = all.filter((declaration) => {
    const problem = problemOf(declaration);
    if (problem) notes.push(`${declaration.type} ${declaration.id} is not declared: ${problem}`);
    return problem === undefined;
  });
  return { declarations, notes };
}

function accountOf({ account }: Environment, names: Names): Declaration[] {
  if (!account) return [];
  const { id, name, storageLocation, idleSessionTimeout } = account;
  return [
    {
      type: "Account",
      name: names.of("account"),
      id: String(id),
      inputs: withoutUndefined({ name, defloc: storageLocation, idleSessionTimeout }),
    },
  ];
}

function whitelistOf({ whitelist = [] }: Environment, names: Names): Declaration[] {
  return whitelist.map(({ id, ipCidr }) => ({
    type: "WhitelistedIp",
    name: names.of(`ip-${ipCidr}`),
    id: String(id),
    inputs: { ipCidr },
  }));
}

function usersOf({ users = [], pendingUsers = [] }: Environment, names: Names, notes: string[]): Declaration[] {
  for (const { id, email } of users.filter(({ disabled }) => disabled))
    notes.push(`user ${id ?? ""} ${email ?? ""} is disabled; declaring an EnabledUser would enable the user`);
  for (const { id, email } of pendingUsers)
    notes.push(`user ${id ?? ""} ${email ?? ""} awaits approval; declaring an EnabledUser would approve the user`);
  return users
    .filter(({ disabled, id, email }) => !disabled && (id !== undefined || email !== undefined))
    .map(({ id, email }) => {
      // By id, because an e-mail address can change.
      const svcUserId = id === undefined ? email! : String(id);
      return {
        type: "EnabledUser",
        name: names.of(`user-${email?.split("@")[0] ?? id}`),
        id: svcUserId,
        inputs: { svcUserId },
        remark: email === svcUserId ? undefined : email,
      };
    });
}

function policiesOf({ objects }: Environment, names: Names, notes: string[]): Declaration[] {
  return objects.flatMap(({ sourceType, sourceId, policy }): Declaration[] => {
    const id = `${sourceType}/${sourceId}`;
    if (sourceType === "environment") {
      notes.push(`the policy of ${id} can be viewed but not set: ${JSON.stringify(policy)}`);
      return [];
    }
    if (policy.length === 0) {
      notes.push(`${id} has no policy; declaring an ObjectPolicy would set one`);
      return [];
    }
    return [{ type: "ObjectPolicy", name: names.of(`policy-${id}`), id, inputs: { sourceType, sourceId, policy } }];
  });
}

function problemOf({ type, inputs }: Declaration): string | undefined {
  const definition = definitions.find((candidate) => candidate.type === type);
  if (!definition) return `this version of pulumi-dataplatform has no type ${type}`;
  const failures = checkInputs(definition, inputs);
  return failures.length > 0 ? failures.map(({ property, reason }) => `${property} ${reason}`).join("; ") : undefined;
}

/** Hands out unique names of lower-case letters, digits and hyphens. */
class Names {
  readonly #used = new Set<string>();

  of(text: string): string {
    const base = slug(text) || "resource";
    let name = base;
    for (let count = 2; this.#used.has(name); count++) name = `${base}-${count}`;
    this.#used.add(name);
    return name;
  }
}

/** Lower-case letters, digits and single hyphens. */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
}
