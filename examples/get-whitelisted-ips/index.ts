import * as dataplatform from "pulumi-dataplatform";

const office = new dataplatform.WhitelistedIp("office", { ipCidr: "203.0.113.7" });

const list = dataplatform.getWhitelistedIpsOutput({}, { dependsOn: office });

export const addresses = list.whitelistedIps.apply((records) => records.map(({ ipCidr }) => ipCidr));
