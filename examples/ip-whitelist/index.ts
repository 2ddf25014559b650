import * as dataplatform from "pulumi-dataplatform";

const offices = ["203.0.113.7", "203.0.113.8", "198.51.100.0/24"];
const vpn = "2001:db8::/48";

const whitelist = new dataplatform.IpWhitelist("logins", {
  addresses: [...offices, vpn],
  // Everything else on the list is removed, except what keep names.
  exclusive: true,
  keep: [vpn],
});

export const account = whitelist.accountId;
/** Addresses that were already listed: destroy leaves them alone. */
export const found = whitelist.adopted;
