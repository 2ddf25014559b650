import * as pulumi from "@pulumi/pulumi";
import type { Provider } from "../provider";
import { isKnown } from "../readiness";
import { Account } from "../resources/account";
import type { Command } from "../resources/command";
import { DataStore } from "../resources/data-store";
import type { FolderPolicy } from "../resources/folder-policy";
import type { Group } from "../resources/group";
import type { GroupMembership } from "../resources/group-membership";
import type { GroupRoleAssignment } from "../resources/group-role-assignment";
import { IpWhitelist, type IpWhitelistArgs } from "../resources/ip-whitelist";
import type { ObjectPolicy } from "../resources/object-policy";
import { PackageSet } from "../resources/package-set";
import type { PartitionSensor } from "../resources/partition-sensor";
import type { Role } from "../resources/role";
import { type ByName, mapped } from "./by-name";
import { Children } from "./children";
import { createAccess } from "./team-access";
import type { TeamEnvironmentArgs, TeamWhitelistArgs } from "./team-environment-args";
import { createJobs } from "./team-jobs";

/**
 * Everything a team needs, as one component: an account, a whitelist with a way back in, data stores, groups and roles,
 * policies for notebooks and folders, packages, and first jobs. Every part is optional.
 *
 * ```typescript
 * const blue = new dataplatform.TeamEnvironment("blue", {
 *   account: { name: "blue", defloc: "s3://blue/logs" },
 *   whitelist: { addresses: ["203.0.113.7"], wayBackIn: ["198.51.100.10"] },
 *   dataStores: { orders: { dbHost: "orders.example.com", dbName: "orders", dbUser: "reader", dbPasswd } },
 *   groups: { operators: { id: 205, roles: ["analyst"] } },
 *   folderPolicies: { reports: { type: "notes", location: "Common/reports", teamMay: ["read", "write"] } },
 * });
 * export const accountId = blue.account?.id;
 * export const storeId = blue.dataStores["orders"]?.id;
 * ```
 */
export class TeamEnvironment extends pulumi.ComponentResource {
  /** The new account, if the arguments have one. */
  readonly account: Account | undefined;
  /** The provider with the token of the new account: pass it to whatever else belongs there. */
  readonly accountProvider: Provider | undefined;
  readonly whitelist: IpWhitelist | undefined;
  readonly dataStores: ByName<DataStore>;
  /** The roles that the environment creates. */
  readonly roles: ByName<Role>;
  /** The groups that the environment creates. */
  readonly groups: ByName<Group>;
  /** Roles of groups that exist already, by `group.role`. */
  readonly roleAssignments: ByName<GroupRoleAssignment>;
  /** Members of groups that exist already, by group. */
  readonly memberships: ByName<GroupMembership>;
  readonly objectPolicies: ByName<ObjectPolicy>;
  readonly folderPolicies: ByName<FolderPolicy>;
  readonly packages: ByName<PackageSet>;
  /** What the jobs wait for, by job. */
  readonly sensors: ByName<PartitionSensor>;
  readonly jobs: ByName<Command>;

  /** Ids of all groups, new and old. */
  readonly groupIds: ByName<pulumi.Output<string>>;

  constructor(name: string, given: TeamEnvironmentArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    // Without its arguments: the children keep them, with their secrets encrypted.
    super("dataplatform:index:TeamEnvironment", name, {}, withFormerName(opts, given.renamedFrom));
    const args = checked(name, given);
    const children = childrenOf(this, name, args);
    this.account = args.account && new Account(children.nameOf("account"), args.account, children.optionsOf("account"));
    this.accountProvider = this.account && children.useAccount(this.account);
    this.whitelist = args.whitelist && createWhitelist(args.whitelist, children);
    void warnOfFirstAddresses(this, args);
    this.dataStores = mapped(args.dataStores, (store, key) => {
      const options = children.optionsOf(`dataStores.${key}`);
      return new DataStore(children.nameOf(key), { ...store, name: store.name ?? key }, options);
    });
    const { groupIds, ...access } = createAccess(args, children);
    this.groupIds = groupIds;
    this.roles = access.roles;
    this.groups = access.groups;
    this.roleAssignments = access.roleAssignments;
    this.memberships = access.memberships;
    this.objectPolicies = access.objectPolicies;
    this.folderPolicies = access.folderPolicies;
    this.packages = mapped(args.packages, (set, key) => {
      const packages = { ...set, sourceType: set.sourceType ?? "python_package" };
      return new PackageSet(children.nameOf(key), packages, children.optionsOf(`packages.${key}`));
    });
    const others: ByName<pulumi.Resource>[] = [this.dataStores, this.packages, ...Object.values(access)];
    const { sensors, jobs } = createJobs(args, children, others.flatMap(Object.values<pulumi.Resource>));
    this.sensors = sensors;
    this.jobs = jobs;
    this.registerOutputs(outputsOf(this, opts));
  }
}

/** What other languages see of an environment, and what its state keeps. */
export function outputsOf(environment: TeamEnvironment, opts: OutputOptions = {}): pulumi.Inputs {
  const { account, whitelist, dataStores, roles, groupIds, jobs } = environment;
  const outputs: pulumi.Inputs = {
    accountId: account?.id,
    addresses: whitelist?.addresses,
    dataStoreIds: mapped(dataStores, ({ id }) => id),
    roleIds: mapped(roles, ({ id }) => id),
    groupIds,
    commandIds: mapped(jobs, ({ id }) => id),
    jobStatuses: mapped(jobs, ({ status }) => status),
  };
  // The engine marks the outputs of single resources only.
  for (const name of opts.additionalSecretOutputs ?? [])
    if (name in outputs) outputs[name] = pulumi.secret(outputs[name]);
  return outputs;
}

/** Pulumi's types allow it for single resources only; other languages send it for components too. */
type OutputOptions = pulumi.ComponentResourceOptions & Pick<pulumi.CustomResourceOptions, "additionalSecretOutputs">;

/** Children inherit the alias: Pulumi knows that their names start with that of the component. */
function withFormerName(
  opts: pulumi.ComponentResourceOptions | undefined,
  name: unknown,
): pulumi.ComponentResourceOptions | undefined {
  return typeof name === "string" ? { ...opts, aliases: [...(opts?.aliases ?? []), { name }] } : opts;
}

/** Loaded here, so that programs without environments load nothing beside the classes. */
function rules(): typeof import("../../provider/components/program") {
  return require("../../provider/components/program") as typeof import("../../provider/components/program");
}

/** The arguments, after the check that files and other languages get: types do not help JavaScript, nor `as any`. */
function checked(name: string, given: TeamEnvironmentArgs): TeamEnvironmentArgs {
  const { withoutNullParts, problemsInProgram } = rules();
  const args = withoutNullParts(given, isOpaque);
  const problems = problemsInProgram(name, args, isOpaque);
  if (problems.length > 0) throw new pulumi.RunError(`TeamEnvironment ${name}: ${problems.join("\n  ")}`);
  return args;
}

function isOpaque(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise || pulumi.Resource.isInstance(value);
}

function childrenOf(component: pulumi.ComponentResource, name: string, args: TeamEnvironmentArgs): Children {
  const { isInNewAccount } = rules();
  const { movedFrom } = args;
  return new Children({
    component,
    name,
    movedFrom,
    isInNewAccount: (part) => isInNewAccount(args, part),
  });
}

/** The way back in is on the list, and nothing removes it. */
function createWhitelist({ wayBackIn, ...given }: TeamWhitelistArgs, children: Children): IpWhitelist {
  const args: IpWhitelistArgs = wayBackIn === undefined ? given : { ...given, ...keeping(given, wayBackIn) };
  return new IpWhitelist(children.nameOf("whitelist"), args, children.optionsOf("whitelist"));
}

/** The engine asks nothing of a provider whose token is not known yet, so the component itself says what a preview of the list would. */
async function warnOfFirstAddresses({ account, whitelist }: TeamEnvironment, args: TeamEnvironmentArgs): Promise<void> {
  if (!account || !whitelist || !rules().isInNewAccount(args, "whitelist")) return;
  if (args.whitelist?.wayBackIn ?? args.whitelist?.keep) return;
  if (!pulumi.runtime.isDryRun() || (await isKnown(account.authenticationToken))) return;
  await pulumi.log.warn(
    "IpWhitelist: the whitelist of the new account is empty, and these addresses would be the first on it: once whitelisting is enabled for the account, users can log in only from listed addresses. Name the address that you log in from in wayBackIn, or you may lock yourself out",
    whitelist,
  );
}

type Addresses = IpWhitelistArgs["addresses"];

function keeping(
  { addresses, keep = [] }: IpWhitelistArgs,
  wayBackIn: Addresses,
): Pick<IpWhitelistArgs, "addresses" | "keep"> {
  const both = (list: Addresses) =>
    pulumi.all([list, wayBackIn]).apply(([one, other]) => [...new Set([...one, ...other])]);
  return { addresses: both(addresses), keep: both(keep) };
}
