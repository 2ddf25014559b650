import * as dataplatform from "pulumi-dataplatform";

const operators = 205;

const byName = new dataplatform.GroupRoleAssignment("operators-analyse", { groupId: operators, role: "analyst" });
const byId = new dataplatform.GroupRoleAssignment("operators-engineer", { groupId: operators, role: "303" });

export const assignments = [byName.id, byId.id];
