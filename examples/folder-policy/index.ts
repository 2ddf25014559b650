import * as dataplatform from "pulumi-dataplatform";

const analysts = 204;
const engineers = 206;

const reports = new dataplatform.FolderPolicy("reports", {
  type: "notes",
  location: "Common/reports",
  policy: [
    { access: "allow", action: ["read"], condition: { svcGroups: [analysts] } },
    { access: "allow", action: ["write"], condition: { svcGroups: [engineers] } },
    { access: "deny", action: ["all"], condition: { svcGroups: [analysts, engineers] } },
  ],
  // The API cannot show the previous policy, so say what destroy leaves behind.
  onDestroy: "set",
  destroyPolicy: [{ access: "deny" }],
});

export const policyId = reports.id;
