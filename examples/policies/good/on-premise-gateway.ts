import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

new dataplatform.DataStore(
  "warehouse",
  {
    dbLocation: "on-premise",
    dbHost: "warehouse.internal",
    dbName: "warehouse",
    gatewayIp: "gateway.example.com",
    gatewayUsername: "tunnel",
    // A private key, in a real program.
    gatewayPrivateKey: new pulumi.Config().requireSecret("password"),
  },
  { protect: true },
);
