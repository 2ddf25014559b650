import * as dataplatform from "pulumi-dataplatform";

// One resource for all of them, by name or by id. Other roles of the group are left alone.
const operators = new dataplatform.GroupRoles("operators", {
  groupId: 205,
  roles: ["analyst", "303"],
});

export const operatorRoles = operators.roles;
