import * as dataplatform from "pulumi-dataplatform";

new dataplatform.WhitelistedIp("from-the-office", { ipCidr: "203.0.113.0/24" });
