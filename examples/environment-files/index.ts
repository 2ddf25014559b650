import * as dataplatform from "pulumi-dataplatform";

const teams = dataplatform.teamEnvironments("environments/*.yaml");
export const accountIds = Object.values(teams).map(({ account }) => account?.id);
