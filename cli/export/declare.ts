import { unknownValue } from "../../provider/core/engine-values";
import { withoutUndefined } from "../../provider/core/properties";
import { definitionOf, problemWith } from "../pulumi/declarable";
import type { Names } from "../pulumi/names";
import { type Declaration, type Known, withKnown } from "./known";
import type { Environment, Imported } from "./read";
import { Secret, secretOf } from "./source";

export interface Plan {
  readonly declarations: readonly Declaration[];
  /** Keys of the stack's configuration without which the program does not run. */
  readonly requiredSecrets: readonly string[];
  /** What exists but cannot be declared, and why. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** What the program declares. Anything its own validation would reject becomes a note instead. */
export function plan(environment: Environment, names: Names, known: readonly Known[] = []): Plan {
  const notes = [...(environment.notes ?? [])];
  const found = [
    ...accountOf(environment, names),
    ...whitelistOf(environment, names),
    ...usersOf(environment, names, notes),
    ...accessOf(environment, names, notes),
    ...groupPartsOf(environment, names),
    ...dataStoresOf(environment, names),
    ...policiesOf(environment, names, notes),
  ];
  const { declarations: all, warnings } = withKnown(found, known, names);
  const declarations = all.filter((declaration) => {
    const problem = problemOf(declaration);
    if (problem && declaration.place) throw new Error(`${declaration.place}: ${declaration.type}: ${problem}`);
    if (problem) notes.push(`${declaration.type} ${declaration.id} is not declared: ${problem}`);
    return problem === undefined;
  });
  const requiredSecrets = declarations.flatMap(({ inputs }) =>
    Object.values(inputs).flatMap((value) => (value instanceof Secret && value.isRequired ? [value.key] : [])),
  );
  return { declarations, requiredSecrets, notes, warnings };
}

function accountOf({ account }: Environment, names: Names): Declaration[] {
  if (!account) return [];
  const { id, name, storageLocation, idleSessionTimeout } = account;
  const inputs = withoutUndefined({ name, defloc: storageLocation, idleSessionTimeout });
  // An import alone reads less of an account, and the state would have none of the rest.
  return [{ type: "Account", name: names.of("account"), id: String(id), inputs, supplied: inputs }];
}

function whitelistOf({ whitelist = [], details }: Environment, names: Names): Declaration[] {
  const detailed = new Map(importedOf("WhitelistedIp", details).map(({ id, inputs }) => [id, inputs]));
  return whitelist.map(({ id, ipCidr }) => ({
    type: "WhitelistedIp",
    name: names.of(`ip-${ipCidr}`),
    id: String(id),
    inputs: detailed.get(String(id)) ?? { ipCidr },
  }));
}

function importedOf(type: string, details: Environment["details"] = []): Imported[] {
  return details.filter((one): one is Imported => one.type === type && "inputs" in one);
}

function accessOf({ details = [] }: Environment, names: Names, notes: string[]): Declaration[] {
  for (const one of details) if ("why" in one) notes.push(one.why);
  return ["Role", "Group"].flatMap((type) =>
    importedOf(type, details).map(({ id, inputs }) => ({
      type,
      name: names.of(`${type}-${inputs["name"] ?? id}`),
      id,
      inputs,
    })),
  );
}

/** The API never shows a password or a private key: both come from the stack's configuration. */
function dataStoresOf({ details }: Environment, names: Names): Declaration[] {
  return importedOf("DataStore", details).map(({ id, inputs }) => {
    const name = names.of(`store-${inputs["name"] ?? inputs["dbName"] ?? id}`);
    return {
      type: "DataStore",
      name,
      id,
      inputs: {
        ...inputs,
        dbPasswd: secretOf(name, "dbPasswd", "get"),
        // A gateway does not work without its key.
        ...(inputs["gatewayIp"] !== undefined && { gatewayPrivateKey: secretOf(name, "gatewayPrivateKey", "require") }),
      },
    };
  });
}

/** Those of groups that cannot be declared as a whole, or that a stack declares without its members or roles. */
function groupPartsOf({ groupParts = [] }: Environment, names: Names): Declaration[] {
  const declarations = new Map<string, Declaration>();
  for (const { adopt, part } of groupParts) {
    if (!adopt || !part) continue;
    const { type, id } = adopt;
    const known = declarations.get(`${type} ${id}`);
    const users = type === "GroupMembership" ? [...usersIn(known), part.one.name ?? part.one.id] : undefined;
    declarations.set(`${type} ${id}`, {
      type,
      id,
      name: known?.name ?? names.of(adopt.name),
      inputs: { ...definitionOf(type).importId.tells?.(id), ...(users && { users }) },
      ...(users && { supplied: { users } }),
    });
  }
  return [...declarations.values()];
}

function usersIn(declaration: Declaration | undefined): unknown[] {
  const users = declaration?.inputs["users"];
  return Array.isArray(users) ? users : [];
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

function policiesOf({ objects, isExtended }: Environment, names: Names, notes: string[]): Declaration[] {
  return objects.flatMap(({ sourceType, sourceId, policy }): Declaration[] => {
    const id = `${sourceType}/${sourceId}`;
    if (sourceType === "environment" && !isExtended) {
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
  const known = Object.entries(inputs).map(([name, value]) => [name, value instanceof Secret ? unknownValue : value]);
  return problemWith(type, Object.fromEntries(known));
}
