import { printable } from "../terminal/style";
import type { Declaration } from "./known";
import { comment, Secret, source } from "./source";

interface Kind {
  /** The file, without `.ts`. */
  readonly file: string;
  readonly heading?: string;
  /** If it differs with the extended API. */
  readonly extendedHeading?: string;
}

/** In the order of the program. */
const kinds: Readonly<Record<string, Kind>> = {
  Account: {
    file: "account",
    heading:
      "The account. The API cannot update an account: changing a value would replace it with a new one, which protect prevents. The API does not return keys, region and cluster settings, so whatever you set here for them is assumed to be correct.",
    extendedHeading:
      "The account. Only its keys and defloc can be changed: changing another value would replace it with a new one, which protect prevents. The API does not return keys, region and cluster settings, so whatever you set here for them is assumed to be correct.",
  },
  WhitelistedIp: { file: "addresses", heading: "Addresses from which users of the account may log in." },
  IpWhitelist: { file: "addresses" },
  EnabledUser: {
    file: "users",
    heading: "Enabled users of the account. The API cannot disable a user: removing one here leaves the user enabled.",
    extendedHeading:
      'Enabled users of the account. Removing one here leaves the user enabled, unless onDestroy is "disable".',
  },
  Role: { file: "roles", heading: "What the members of a group with this role may do." },
  Group: {
    file: "groups",
    heading:
      "Groups, with all their members and roles, as far as the platform shows them: the next up removes what others have added.",
  },
  GroupMembership: {
    file: "groups",
    heading: "Members of groups that are not declared with all their members: others may be added elsewhere.",
  },
  GroupRoleAssignment: { file: "groups", heading: "Roles of groups that are not declared with all their roles." },
  GroupRoles: { file: "groups" },
  DataStore: {
    file: "data-stores",
    heading:
      'External databases. The API never shows their passwords: set the actual ones with "pulumi config set --secret". A password that is not set stays as it is on the platform. Add what this platform does not show, such as a gateway.',
  },
  ObjectPolicy: {
    file: "policies",
    heading: "Who may do what. A policy is always complete: the next up overwrites what others have set.",
  },
  ObjectGrant: { file: "policies" },
  Folder: { file: "folders" },
  FolderPolicy: { file: "folders" },
  FolderGrant: { file: "folders" },
  PackageSet: { file: "packages" },
  PartitionSensor: { file: "sensors" },
  Command: { file: "commands" },
};

/** A file of the program: what it declares is in one function. */
export interface KindFile {
  /** Without `.ts`. */
  readonly file: string;
  readonly functionName: string;
  readonly text: string;
}

/** One file for each kind of thing that is declared. */
export function kindFiles(declarations: readonly Declaration[], isExtended = false): KindFile[] {
  const allTypes = typesFor(declarations);
  const files = [...new Set(allTypes.map((type) => kindOf(type).file))];
  return files.flatMap((file) => {
    const types = allTypes.filter((type) => kindOf(type).file === file);
    const sections = types.flatMap((type) => section(type, declarations, isExtended));
    if (sections.length === 0) return [];
    const functionName = file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const own = declarations.filter(({ type }) => types.includes(type));
    const signature = `export function ${functionName}(adopted: pulumi.CustomResourceOptions): void`;
    return [{ file, functionName, text: `${header(own)}\n${signature} {\n${sections.join("\n")}}\n` }];
  });
}

/** Every type, in the order of the program. */
export function typesFor(declarations: readonly Declaration[]): string[] {
  return [...new Set([...Object.keys(kinds), ...declarations.map(({ type }) => type)])];
}

/** A type without a file of its own goes to that of the others. */
function kindOf(type: string): Kind {
  return kinds[type] ?? { file: "others" };
}

function header(declarations: readonly Declaration[]): string {
  const needsConfig = declarations.some(hasSecret);
  return [
    `import ${needsConfig ? "" : "type "}* as pulumi from "@pulumi/pulumi";\n`,
    'import * as dataplatform from "pulumi-dataplatform";\n',
    ...(needsConfig ? ["\nconst config = new pulumi.Config();\n"] : []),
  ].join("");
}

/** It needs the stack's configuration. */
export function hasSecret({ inputs }: Declaration): boolean {
  return Object.values(inputs).some((value) => value instanceof Secret);
}

/** What the program says about all declarations of a type. */
export function titleOf(type: string, isExtended: boolean): string | undefined {
  const { heading, extendedHeading } = kindOf(type);
  return (isExtended ? extendedHeading : undefined) ?? heading;
}

function section(type: string, declarations: readonly Declaration[], isExtended: boolean): string[] {
  const own = declarations.filter((declaration) => declaration.type === type);
  if (own.length === 0) return [];
  const title = titleOf(type, isExtended);
  return [`${title ? comment(title, "  ") : ""}${own.map(statement).join("")}`];
}

function statement({ type, name, inputs, remark }: Declaration): string {
  const trailingComment = remark === undefined ? "" : ` // ${printable(remark)}`;
  const [before, after] = [`  new dataplatform.${type}(${JSON.stringify(name)}, `, ", adopted);"];
  return `${before}${source(inputs, "  ", before.length + after.length)}${after}${trailingComment}\n`;
}
