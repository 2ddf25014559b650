import * as dataplatform from "pulumi-dataplatform";

const operators = 205;

new dataplatform.GroupRoleAssignment("operators-may-do-everything", { groupId: operators, role: "system-admin" });
