import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

// pulumi config set --secret account:storageSecretKey …
const config = new pulumi.Config();
const secret = (key: string) => config.getSecret(key) ?? pulumi.secret("only-for-the-emulator");

const team = new dataplatform.Account("team", {
  name: "Team Blue",
  defloc: "s3://team-blue/logs",
  awsRegion: "eu-west-1",
  storageAccessKey: secret("storageAccessKey"),
  storageSecretKey: secret("storageSecretKey"),
  computeAccessKey: secret("computeAccessKey"),
  computeSecretKey: secret("computeSecretKey"),
  idleSessionTimeout: 480,
});

export const accountId = team.id;
/** A secret, for managing resources in the new account. */
export const token = team.authenticationToken;
