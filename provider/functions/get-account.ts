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
  doc: `The account of the token.

An account with role-based credentials shows its role and external id instead of keys.`,
  inputs: z.object({}),
  outputs: z.object({
    id: z.int().describe("Id of the account."),
    name: z.string().describe("Name of the account."),
    storageType: z.string().optional().describe("Who manages the storage: `CUSTOMER_MANAGED`."),
    computeType: z.string().optional().describe("Who manages the machines: `CUSTOMER_MANAGED`."),
    storageValidated: z.boolean().optional().describe("Whether the storage credentials were found good."),
    computeValidated: z.boolean().optional().describe("Whether the compute credentials were found good."),
    isAwsRoleEnabled: z.boolean().optional().describe("Whether the account uses a role instead of keys."),
    idleSessionTimeout: z.int().optional().describe("Minutes after which an idle session ends."),
    storageLocation: z.string().optional().describe("Default location of logs, results and cached data."),
    authorizedSshKey: z.string().optional().describe("Public key that may log in to the clusters."),
    roleArn: z.string().optional().describe("Role, for an account with role-based credentials."),
    externalId: z.string().optional().describe("External id, for an account with role-based credentials."),
    storageAccessKey: z.string().optional().describe("Access key of the storage."),
    storageSecretKey: z.string().optional().describe("Secret key of the storage."),
    computeAccessKey: z.string().optional().describe("Access key of the machines."),
    computeSecretKey: z.string().optional().describe("Secret key of the machines."),
  }),
  secrets: ["storageAccessKey", "storageSecretKey", "computeAccessKey", "computeSecretKey"],
  effect: "reads",
  async run({ api }) {
    const shown = await api.call(operations.viewAccount, { answer: view });
    return {
      id: shown.id as number,
      name: shown.name ?? "",
      storageType: given(shown.storage_type),
      computeType: given(shown.compute_type),
      storageValidated: shown.storage_validated ?? undefined,
      computeValidated: shown.compute_validated ?? undefined,
      isAwsRoleEnabled: shown.is_aws_role_enabled ?? undefined,
      idleSessionTimeout: shown.idle_session_timeout ?? undefined,
      storageLocation: given(shown.storage_location),
      authorizedSshKey: given(shown.authorized_ssh_key),
      roleArn: given(shown.role_arn),
      externalId: given(shown.external_id),
      storageAccessKey: given(shown.storage_access_key),
      storageSecretKey: given(shown.storage_secret_key),
      computeAccessKey: given(shown.compute_access_key),
      computeSecretKey: given(shown.compute_secret_key),
    };
  },
});

/** An account without keys shows them as empty. */
function given(value: string | null | undefined): string | undefined {
  return value || undefined;
}
