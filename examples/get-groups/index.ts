import * as dataplatform from "pulumi-dataplatform";

const { groups } = dataplatform.getGroupsOutput();

export const ownGroups = groups.apply((all) => all.filter(({ source }) => source !== "system").map(({ name }) => name));
