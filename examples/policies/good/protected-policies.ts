import * as dataplatform from "pulumi-dataplatform";

new dataplatform.FolderPolicy(
  "reports",
  {
    type: "notes",
    location: "Common/reports",
    policy: [{ access: "deny", action: ["all"] }],
  },
  { protect: true },
);
