import * as dataplatform from "pulumi-dataplatform";

const analysts = 204;

new dataplatform.GroupRoleAssignment("by-name", { groupId: analysts, role: "account-editor" });
new dataplatform.GroupRoleAssignment("by-name-too", { groupId: analysts, role: "data-engineer" });
