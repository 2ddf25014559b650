import * as dataplatform from "pulumi-dataplatform";

new dataplatform.IpWhitelist("office", { addresses: ["192.0.2.0/24"], exclusive: true });
