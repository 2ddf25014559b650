import * as dataplatform from "pulumi-dataplatform";

const operators = 205;
const engineers = 206;

new dataplatform.GroupRoleAssignment("operators-analyse", { groupId: operators, role: "analyst" });
new dataplatform.GroupRoles("engineers-analyse", { groupId: engineers, roles: ["analyst"] });
