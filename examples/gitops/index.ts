import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const config = new pulumi.Config();

// Users can log in from these addresses only. A pull request that changes Pulumi.<stack>.yaml changes them.
const addresses = Object.entries(config.requireObject<Record<string, string>>("addresses")).map(
  ([name, ipCidr]) => new dataplatform.WhitelistedIp(name, { ipCidr }),
);

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

export const addressIds = addresses.map(({ id }) => id);
export const packageSet = packages.id;
export const notebookPolicy = notebook.id;
