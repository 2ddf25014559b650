import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const config = new pulumi.Config();

const office = new dataplatform.WhitelistedIp("office", { ipCidr: config.get("office") ?? "203.0.113.7" });

const vpn = new dataplatform.WhitelistedIp("vpn", { ipCidr: "2001:db8::7" });

const others = (config.getObject<string[]>("addresses") ?? []).map(
  (ipCidr) => new dataplatform.WhitelistedIp(`address-${ipCidr}`, { ipCidr }),
);

export const officeId = office.id;
export const vpnId = vpn.id;
export const otherIds = others.map((address) => address.id);
export const account = office.accountId;
