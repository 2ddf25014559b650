import * as dataplatform from "pulumi-dataplatform";

new dataplatform.WhitelistedIp("from-anywhere", { ipCidr: "0.0.0.0/0" });

new dataplatform.IpWhitelist("in-two-halves", { addresses: ["0.0.0.0/1", "128.0.0.0/1", "::/0"] });
