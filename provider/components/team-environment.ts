import { z } from "zod";
import type { ComponentDefinition } from "../core/define-component";
import { checkTeamEnvironment } from "./check";
import { inputs } from "./inputs";

const idsByName = (what: string) => z.record(z.string(), z.string()).describe(`${what}, by name.`);

export const teamEnvironment: ComponentDefinition = {
  type: "TeamEnvironment",
  doc: `Everything a team needs, as one component: an account, a whitelist with a way back in, data stores, groups and roles, policies for notebooks and folders, packages, and first jobs.

Every part is optional, and every resource is a child of the component. The platform's rules are those of the resources: see their pages for what a change, refresh and destroy do.

With \`account\`, the parts that \`inNewAccount\` names are created through a \`Provider\` with the new account's token, so through the plugin, in dynamic mode too. The others stay in the account of the caller: a new account has no notebooks, folders and package environments yet.`,
  inputs,
  outputs: z.object({
    accountId: z.string().optional().describe("Id of the new account, as text."),
    addresses: z.array(z.string()).optional().describe("The addresses of the whitelist, the way back in included."),
    dataStoreIds: idsByName("Ids of the data stores"),
    roleIds: idsByName("Ids of the roles that were created"),
    groupIds: idsByName("Ids of the groups"),
    commandIds: idsByName("Ids of the commands of the jobs"),
    jobStatuses: idsByName("Statuses of the jobs"),
  }),
  check: checkTeamEnvironment,
};
