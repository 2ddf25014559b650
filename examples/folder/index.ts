import * as dataplatform from "pulumi-dataplatform";

const boards = new dataplatform.Folder("boards", {
  folderId: "704",
  type: "notebook_dashboards",
  location: "Common/boards", // where it was at first; `name` can change any number of times
  name: "dashboards",
});

const policy = new dataplatform.FolderPolicy("boards-policy", {
  type: boards.type,
  location: boards.currentLocation,
  policy: [{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }, { access: "deny" }],
});

export const location = boards.currentLocation;
export const policyOf = policy.location;
