import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

// pulumi config set --secret data-store:password …
const password = new pulumi.Config().getSecret("password") ?? pulumi.secret("only-for-the-emulator");

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
