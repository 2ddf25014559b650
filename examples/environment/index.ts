import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const config = new pulumi.Config();
const blue = new dataplatform.TeamEnvironment("blue", {
  account: { name: "blue", defloc: "s3://blue/logs", awsRegion: "eu-west-1", subAccountCreation: true },
  whitelist: { addresses: config.requireObject("addresses"), wayBackIn: ["198.51.100.10"] },
  dataStores: { orders: { dbHost: "db.example.com", dbName: "orders", dbPasswd: config.requireSecret("dbPasswd") } },
  groups: { operators: { id: 205, roles: ["analyst"] } },
  objectPolicies: { plan: { sourceId: 501, teamMay: ["read", "update"] } },
  folderPolicies: { reports: { type: "notes", location: "Common/reports", teamMay: ["read"], onDestroy: "clear" } },
  packages: { libraries: { envId: 403, packages: ["pyarrow", "scikit-learn==1.5.0"] } },
  jobs: { load: { tableRefresh: { dbName: "default", hiveTable: "daily_ticks" }, wait: true } },
});
export const accountId = blue.account?.id;
