import * as dataplatform from "pulumi-dataplatform";

const vpn = "198.51.100.10";

new dataplatform.IpWhitelist("office", { addresses: ["192.0.2.0/24", vpn], keep: [vpn], exclusive: true });
