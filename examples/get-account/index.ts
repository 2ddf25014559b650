import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const account = dataplatform.getAccountOutput();

// The result holds credentials, so all of it is secret unless you say otherwise.
const shown = pulumi.unsecret(account.apply(({ id, name, storageLocation }) => ({ id, name, storageLocation })));

export const name = shown.name;
export const storageLocation = shown.storageLocation;
export const storageAccessKey = account.storageAccessKey;
