import * as dataplatform from "pulumi-dataplatform";

const operators = 205;
const engineers = 206;

new dataplatform.GroupRoleAssignment("operators-may-do-everything", { groupId: operators, role: "system-admin" });
new dataplatform.GroupRoles("engineers-may-do-everything", { groupId: engineers, roles: ["system-admin"] });
