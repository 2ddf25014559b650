import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const config = new pulumi.Config();

// Users can log in from these addresses only. Whatever else is on the list, a merge removes: the comment on the pull
// request names it, and so does the drift of the schedule. No merge removes the VPN's.
const vpn = config.require("vpn");
const logins = new dataplatform.IpWhitelist("logins", {
  addresses: [...Object.values(config.requireObject<Record<string, string>>("addresses")), vpn],
  exclusive: true,
  keep: [vpn],
});

const packages = new dataplatform.PackageSet("packages", {
  envId: config.requireNumber("environment"),
  sourceType: "python_package",
  packages: config.requireObject<string[]>("packages"),
});

// Who may read the notebook. The comment on a pull request says who gains or loses access.
const readers = config.requireObject<number[]>("readers");
const notebook = new dataplatform.ObjectPolicy("notebook", {
  sourceType: "note",
  sourceId: config.require("notebook"),
  policy: [
    { access: "allow", action: ["read"], condition: { svcGroups: readers } },
    { access: "deny", action: ["all"], condition: { svcGroups: readers } },
  ],
});

export const whitelist = logins.id;
export const packageSet = packages.id;
export const notebookPolicy = notebook.id;
