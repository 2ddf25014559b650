import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const config = new pulumi.Config();

// Once there is one entry, users of the account can log in from the listed addresses only.
const office = new dataplatform.WhitelistedIp("office", { ipCidr: config.require("office") });

export const officeId = office.id;
export const account = office.accountId;
export const users = dataplatform.getUserEmailsOutput({}).emails;
