import { normaliseIp } from "../../../provider/values/ip-address";
import type { Program, ResourceSpec } from "../../harness/stack";
import { email } from "./places";
import { type Facts, ids, packageName, roleCount, roleName } from "./world";

/** What a resource makes true on the platform. */
export interface Claim {
  readonly fact: string;
  /** Undefined if the program leaves it open. */
  readonly value?: string | undefined;
  /** Whether it is taken away with the resource: whoever put it there, if the resource did, or perhaps. */
  readonly leaves: "always" | "if added" | "perhaps";
  readonly by: string;
}

/** Facts that a resource manages as a whole: what nobody declares is removed. */
export interface Whole {
  readonly start: string;
  readonly keep: readonly string[];
  readonly by: string;
}

interface Place {
  readonly facts: Facts;
  readonly extended: boolean;
}

const numbers = Array.from({ length: 6 }, (_, index) => index);

/** The id of a role, by its id or its name. Those that programs make are found by their names. */
function roleIn({ facts }: Place, spelled: unknown): string {
  const known = Array.from({ length: roleCount }, (_, index) => index).find((index) =>
    [roleName(index), String(ids.role(index))].includes(String(spelled)),
  );
  return known === undefined ? `${facts.get(`id of role ${spelled}`)}` : String(ids.role(known));
}

const groupIn = ({ facts }: Place, spelled: unknown): string => facts.get(`group ${spelled}`) ?? String(spelled);

const userIn = (spelled: unknown): string =>
  String(
    numbers
      .map((index) => ids.user(index))
      .find((id, index) => String(id) === String(spelled) || email(index) === String(spelled).toLowerCase()),
  );

const list = (args: ResourceSpec["args"], name: string) => (args[name] ?? []) as readonly unknown[];

function versionOf(given: unknown): [name: string, version: string | undefined] {
  const { name, version } =
    typeof given === "string"
      ? { name: given.split("==")[0]!, version: given.split("==")[1] }
      : (given as { name: string; version?: string });
  return [packageName(name), version];
}

export const rolePolicies = (policies: unknown): string =>
  JSON.stringify(
    (policies as { resource: string; access: string; action: string[] }[]).map(({ resource, access, action }) => [
      resource,
      access,
      [...action].sort(),
    ]),
  );

/** What it declares, but for policies. */
export function claimsOf(by: string, { type, args }: ResourceSpec, place: Place): Claim[] {
  const claim = (fact: string, leaves: Claim["leaves"] = "always", value?: string): Claim => ({
    fact,
    value,
    leaves,
    by,
  });
  const ifAdded = (isTakenOver: boolean) => (isTakenOver ? "always" : "if added");
  switch (type) {
    case "WhitelistedIp":
      return [claim(`whitelist ${normaliseIp(args["ipCidr"] as string)}`, "always", "1")];
    case "IpWhitelist":
      return list(args, "addresses").map((one) =>
        claim(`whitelist ${normaliseIp(one as string)}`, ifAdded(args["adopt"] === true), "1"),
      );
    case "GroupRoleAssignment":
      return [claim(`assigned ${groupIn(place, args["groupId"])} ${roleIn(place, args["role"])}`)];
    case "GroupRoles": {
      const leaves = ifAdded(!place.extended || args["adopt"] === true || args["exclusive"] === true);
      return list(args, "roles").map((role) =>
        claim(`assigned ${groupIn(place, args["groupId"])} ${roleIn(place, role)}`, leaves),
      );
    }
    case "GroupMembership":
      return list(args, "users").map((user) => claim(`member ${groupIn(place, args["group"])} ${userIn(user)}`));
    case "Role":
      return [claim(`role ${args["name"]}`, "always", rolePolicies(args["policies"]))];
    case "Group": {
      const id = groupIn(place, args["name"]);
      return [
        claim(`group ${args["name"]}`),
        ...list(args, "members").map((user) => claim(`member ${id} ${userIn(user)}`, "perhaps")),
        ...list(args, "roles").map((role) => claim(`assigned ${id} ${roleIn(place, role)}`, "perhaps")),
      ];
    }
    case "PackageSet":
      return list(args, "packages").map((given) => {
        const [name, version] = versionOf(given);
        return claim(`package ${args["envId"]} ${name}`, "always", version);
      });
    case "EnabledUser":
      return [claim(`enabled ${userIn(args["svcUserId"])}`, args["onDestroy"] === "disable" ? "always" : "perhaps")];
    case "Folder":
      return [claim(`place ${args["folderId"]}`, "perhaps", `Boards/0/${args["name"]}`)];
    default:
      return [];
  }
}

export function wholesOf(by: string, { type, args }: ResourceSpec, place: Place): Whole[] {
  const whole = (start: string, keep: readonly string[] = []): Whole => ({ start, keep, by });
  if (type === "Group") {
    const id = groupIn(place, args["name"]);
    return [...(args["members"] ? [whole(`member ${id} `)] : []), ...(args["roles"] ? [whole(`assigned ${id} `)] : [])];
  }
  if (args["exclusive"] !== true) return [];
  if (type === "GroupRoles") return [whole(`assigned ${groupIn(place, args["groupId"])} `)];
  return [
    whole(
      "whitelist ",
      list(args, "keep").map((one) => `whitelist ${normaliseIp(one as string)}`),
    ),
  ];
}

/** How often each thing is there that the API cannot find again: by what is counted on the platform. */
export function countsOf(program: Program): string[] {
  return Object.values(program).flatMap(({ type, args }) => {
    if (type === "Account" || type === "Command") return [`${type.toLowerCase()} ${args["name"]}`];
    return type === "DataStore" ? [`data store ${args["name"]} (${args["dbPasswd"]})`] : [];
  });
}
