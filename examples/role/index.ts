import * as dataplatform from "pulumi-dataplatform";

const analyst = new dataplatform.Role("report-analyst", {
  name: "report-analyst",
  policies: [
    { access: "allow", resource: "command", actions: ["create", "read"] },
    { access: "allow", resource: "note", actions: ["read"] },
  ],
});

export const roleId = analyst.id;
