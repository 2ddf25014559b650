import * as pulumi from "@pulumi/pulumi";
import { FolderPolicy } from "../resources/folder-policy";
import { Group } from "../resources/group";
import { GroupMembership } from "../resources/group-membership";
import { GroupRoleAssignment } from "../resources/group-role-assignment";
import { ObjectPolicy } from "../resources/object-policy";
import { Role } from "../resources/role";
import { type ByName, mapped } from "./by-name";
import type { Children } from "./children";
import type { TeamEnvironmentArgs, TeamGroupArgs } from "./team-environment-args";

/** Who may do what in a team's environment. */
export interface TeamAccess {
  readonly roles: ByName<Role>;
  readonly groups: ByName<Group>;
  readonly roleAssignments: ByName<GroupRoleAssignment>;
  readonly memberships: ByName<GroupMembership>;
  readonly objectPolicies: ByName<ObjectPolicy>;
  readonly folderPolicies: ByName<FolderPolicy>;
  /** Ids of all groups, new and old. */
  readonly groupIds: ByName<pulumi.Output<string>>;
}

type Id = string | number;

export function createAccess(args: TeamEnvironmentArgs, children: Children): TeamAccess {
  const roles = mapped(
    args.roles,
    (role, name) =>
      new Role(children.nameOf(name), { ...role, name: role.name ?? name }, children.optionsOf(`roles.${name}`)),
  );
  const groups = mapped(only(args.groups, isNew), (group, name) => createGroup(group, name, roles, children));
  const existing = only(args.groups, (group) => !isNew(group));
  const ids = {
    ...mapped(existing, ({ id }) => pulumi.output(id!)),
    ...mapped(groups, ({ id }) => id.apply(asNumber)),
  };
  const teamIds = pulumi.all(Object.values(ids));
  const roleAssignments = assignRoles(existing, roles, children);
  const memberships = mapped(
    only(existing, ({ members }) => members !== undefined),
    ({ id, members }, name) =>
      new GroupMembership(
        children.nameOf(name),
        { group: id!, users: members! },
        children.optionsOf(`groups.${name}.members`),
      ),
  );
  // Of a group that the platform does not have, no policy must speak: nobody else could do anything then.
  const team = [...Object.values<pulumi.Resource>(roleAssignments), ...Object.values(memberships)];
  return {
    roles,
    groups,
    roleAssignments,
    memberships,
    objectPolicies: mapped(args.objectPolicies, ({ teamMay, ...given }, name) => {
      const policy = given.policy ?? teamPolicy(teamMay!, pulumi.output(teamMay!).apply(restOf), teamIds);
      const options = children.optionsOf(`objectPolicies.${name}`, teamMay && { dependsOn: team });
      return new ObjectPolicy(
        children.nameOf(name),
        { ...given, sourceType: given.sourceType ?? "note", policy },
        options,
      );
    }),
    folderPolicies: mapped(args.folderPolicies, ({ teamMay, ...given }, name) => {
      const policy = given.policy ?? teamPolicy(teamMay!, ["all"], teamIds);
      const options = children.optionsOf(`folderPolicies.${name}`, teamMay && { dependsOn: team });
      return new FolderPolicy(children.nameOf(name), { ...given, policy }, options);
    }),
    groupIds: mapped(ids, (id) => pulumi.output<Id>(id).apply(String)),
  };
}

function isNew({ id }: TeamGroupArgs): boolean {
  return id === undefined;
}

function only(
  groups: ByName<TeamGroupArgs> | undefined,
  choose: (group: TeamGroupArgs) => boolean,
): ByName<TeamGroupArgs> {
  return Object.fromEntries(Object.entries(groups ?? {}).filter(([, group]) => choose(group)));
}

function createGroup(
  { id: _, roles: wanted, ...group }: TeamGroupArgs,
  name: string,
  roles: ByName<Role>,
  children: Children,
): Group {
  const names = wanted && { roles: wanted.map((role) => referTo(role, roles)) };
  return new Group(
    children.nameOf(name),
    { ...group, name: group.name ?? name, ...names },
    children.optionsOf(`groups.${name}`),
  );
}

function assignRoles(
  groups: ByName<TeamGroupArgs>,
  roles: ByName<Role>,
  children: Children,
): ByName<GroupRoleAssignment> {
  const assignments = Object.entries(groups).flatMap(([name, { id, roles: wanted = [] }]) =>
    wanted.map((role): [string, GroupRoleAssignment] => [
      `${name}.${role}`,
      new GroupRoleAssignment(
        children.nameOf(name, role),
        { groupId: id!, role: referTo(role, roles) },
        children.optionsOf(`groups.${name}.roles.${role}`),
      ),
    ]),
  );
  return Object.fromEntries(assignments);
}

/** A role that the environment creates must exist before it is assigned. */
function referTo(role: string, roles: ByName<Role>): pulumi.Input<string> {
  return roles[role]?.name ?? role;
}

type Actions<Action extends string> = pulumi.Input<pulumi.Input<Action>[]>;

/** The groups may do this and not the rest: of object policies, the user interface writes it this way. */
function teamPolicy<Action extends string>(may: Actions<Action>, rest: Actions<Action>, groups: pulumi.Output<Id[]>) {
  const condition = { svcGroups: groups };
  return [
    { access: "allow" as const, action: may, condition },
    { access: "deny" as const, action: rest, condition },
  ];
}

/** All that a team may not do with an object. `all` is the read, update and delete that are not allowed by name. */
function restOf(may: readonly string[]): ("all" | "manage")[] {
  return may.includes("manage") ? ["all"] : ["all", "manage"];
}

/** Ids of new groups are text in Pulumi, and mostly numbers in the API. */
function asNumber(id: string): Id {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id;
}
