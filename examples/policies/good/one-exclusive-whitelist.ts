import * as dataplatform from "pulumi-dataplatform";

// The exclusive list is declared elsewhere in this program, and keeps what this one declares.
new dataplatform.IpWhitelist("team-a", { addresses: ["192.0.2.64/26"] });
new dataplatform.IpWhitelist("team-b", { addresses: ["192.0.2.128/26"] });
