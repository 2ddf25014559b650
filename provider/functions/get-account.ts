import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { told } from "../values/fields";
import { outputId, recordId } from "../values/id";
import { secret } from "../values/simple";

const view = z.looseObject({ id: recordId });

const outputs = z.object({
  id: z.int().describe("Id of the account."),
  name: z.string().describe("Name of the account."),
  storageType: z.string().optional().describe("Who manages storage, such as `CUSTOMER_MANAGED`."),
  computeType: z.string().optional().describe("Who manages compute, such as `CUSTOMER_MANAGED`."),
  storageValidated: z.boolean().optional().describe("Whether the storage credentials were validated."),
  computeValidated: z.boolean().optional().describe("Whether the compute credentials were validated."),
  isAwsRoleEnabled: z.boolean().optional().describe("Whether the account uses role-based credentials."),
  idleSessionTimeout: z.int().optional().describe("Minutes after which an idle session ends."),
  storageLocation: z.string().optional().describe("Default location for logs, results and cached data."),
  authorizedSshKey: z.string().optional().describe("Public SSH key that gives access to the clusters."),
  roleArn: z.string().optional().describe("ARN of the role, for an account with role-based credentials."),
  externalId: z.string().optional().describe("External id, for an account with role-based credentials."),
  storageAccessKey: z.string().optional().meta(secret).describe("Access key for the storage."),
  storageSecretKey: z.string().optional().meta(secret).describe("Secret key for the storage."),
  computeAccessKey: z.string().optional().meta(secret).describe("Access key for compute."),
  computeSecretKey: z.string().optional().meta(secret).describe("Secret key for compute."),
});

export const getAccount = defineFunction({
  name: "getAccount",
  doc: `Returns the account that the token belongs to.

For an account with role-based credentials, the result also has the role and the external id. It is read with v1.2 of the operation, which the platform plans to deprecate.`,
  inputs: z.object({}),
  outputs,
  effect: "reads",
  async run({ api }) {
    const account = await api.call(operations.viewAccount, { answer: view });
    return { name: "", ...told(outputs.shape, account), id: outputId(account.id) };
  },
});
