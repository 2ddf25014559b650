import * as dataplatform from "pulumi-dataplatform";

const vpn = "198.51.100.10";

// Each of the two removes what the other one adds.
new dataplatform.IpWhitelist("team-a", { addresses: ["192.0.2.64/26", vpn], keep: [vpn], exclusive: true });
new dataplatform.IpWhitelist("team-b", { addresses: ["192.0.2.128/26"], keep: [vpn], exclusive: true });
