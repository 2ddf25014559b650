import * as dataplatform from "pulumi-dataplatform";

const office = new dataplatform.WhitelistedIp("office", { ipCidr: "203.0.113.7" });
const vpn = new dataplatform.WhitelistedIp("vpn", { ipCidr: "2001:db8::/48" });

export const officeId = office.id;
export const vpnAddedAt = vpn.createdAt;
