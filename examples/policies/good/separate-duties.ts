import * as dataplatform from "pulumi-dataplatform";

const doorkeeper = new dataplatform.Role("doorkeeper", {
  name: "doorkeeper",
  policies: [{ access: "allow", resource: "svc_user", action: ["update"] }],
});

new dataplatform.Group("doorkeepers", { name: "doorkeepers", roles: [doorkeeper.name] });

const helpers = new dataplatform.Group("helpers", { name: "helpers" });
new dataplatform.GroupRoleAssignment("helpers-analyse", {
  groupId: helpers.id.apply(Number),
  role: "analyst",
});
