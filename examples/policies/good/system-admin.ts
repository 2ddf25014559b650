import * as dataplatform from "pulumi-dataplatform";

const operators = 205;

new dataplatform.GroupRoleAssignment("operators-analyse", { groupId: operators, role: "analyst" });
