import * as dataplatform from "pulumi-dataplatform";

const analyst = new dataplatform.Role("report-analyst", {
  name: "report-analyst",
  policies: [
    { access: "allow", resource: "command", action: ["create", "read"] },
    { access: "allow", resource: "note", action: ["read"] },
  ],
});

export const roleId = analyst.id;
