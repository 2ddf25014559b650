import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

// Set it first: pulumi config set --secret password <password>
const password = new pulumi.Config().requireSecret("password");

const sales = new dataplatform.DataStore("sales", {
  dbType: "postgresql",
  dbLocation: "eu-west-1",
  dbHost: "sales.example.com",
  dbName: "sales",
  dbUser: "reader",
  dbPasswd: password,
  catalogName: "sales",
});

export const salesId = sales.id;
export const salesName = sales.assignedName;
