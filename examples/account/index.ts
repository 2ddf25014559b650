import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

// Set each of the four keys first: pulumi config set --secret storageAccessKey <key>
const config = new pulumi.Config();

const team = new dataplatform.Account("team", {
  name: "Team Blue",
  defloc: "s3://team-blue/logs",
  awsRegion: "eu-west-1",
  storageAccessKey: config.requireSecret("storageAccessKey"),
  storageSecretKey: config.requireSecret("storageSecretKey"),
  computeAccessKey: config.requireSecret("computeAccessKey"),
  computeSecretKey: config.requireSecret("computeSecretKey"),
  idleSessionTimeout: 480,
});

export const accountId = team.id;
/** A secret: it gives access to the new account. */
export const token = team.authenticationToken;
