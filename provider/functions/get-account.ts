import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { asNumber } from "../values/id";

const text = z.string().nullish().catch(undefined);
const flag = z.boolean().nullish().catch(undefined);

const view = z.looseObject({
  id: z.union([z.number(), z.string().min(1)]).transform(asNumber),
  name: text,
  storage_type: text,
  compute_type: text,
  storage_validated: flag,
  compute_validated: flag,
  is_aws_role_enabled: flag,
  idle_session_timeout: z.int().nullish().catch(undefined),
  storage_access_key: text,
  storage_secret_key: text,
  storage_location: text,
  authorized_ssh_key: text,
  compute_access_key: text,
  compute_secret_key: text,
  role_arn: text,
  external_id: text,
});

export const getAccount = defineFunction({
  name: "getAccount",
  doc: `Returns the account that the token belongs to.

For an account with role-based credentials, the result also has the role and the external id. It is read with v1.2 of the operation, which the platform plans to deprecate.`,
  inputs: z.object({}),
  outputs: z.object({
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
    storageAccessKey: z.string().optional().describe("Access key for the storage."),
    storageSecretKey: z.string().optional().describe("Secret key for the storage."),
    computeAccessKey: z.string().optional().describe("Access key for compute."),
    computeSecretKey: z.string().optional().describe("Secret key for compute."),
  }),
  secrets: ["storageAccessKey", "storageSecretKey", "computeAccessKey", "computeSecretKey"],
  effect: "reads",
  async run({ api }) {
    const account = await api.call(operations.viewAccount, { answer: view });
    return {
      id: account.id as number,
      name: account.name ?? "",
      storageType: orUndefined(account.storage_type),
      computeType: orUndefined(account.compute_type),
      storageValidated: account.storage_validated ?? undefined,
      computeValidated: account.compute_validated ?? undefined,
      isAwsRoleEnabled: account.is_aws_role_enabled ?? undefined,
      idleSessionTimeout: account.idle_session_timeout ?? undefined,
      storageLocation: orUndefined(account.storage_location),
      authorizedSshKey: orUndefined(account.authorized_ssh_key),
      roleArn: orUndefined(account.role_arn),
      externalId: orUndefined(account.external_id),
      storageAccessKey: orUndefined(account.storage_access_key),
      storageSecretKey: orUndefined(account.storage_secret_key),
      computeAccessKey: orUndefined(account.compute_access_key),
      computeSecretKey: orUndefined(account.compute_secret_key),
    };
  },
});

/** The API may return empty strings for what an account does not have. */
function orUndefined(value: string | null | undefined): string | undefined {
  return value || undefined;
}
