/** What must compile: outputs instead of values, at every depth, and the output types. Nothing here ever runs. */
import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const text = pulumi.output("text");
const number = pulumi.output(1);

const vpn = new dataplatform.WhitelistedIp("vpn", { ipCidr: text, adopt: undefined });
export const id: pulumi.Output<string> = vpn.id;
export const account: pulumi.Output<number> = vpn.accountId;

const packages = new dataplatform.PackageSet("packages", {
  envId: number,
  sourceType: "python_package",
  packages: ["numpy", text, { name: text, version: "1.0" }, pulumi.output({ name: "pandas" })],
});
export const listed: pulumi.Output<(string | dataplatform.types.Package)[]> = packages.packages;

const sensor = new dataplatform.PartitionSensor("sensor", {
  schema: text,
  table: "orders",
  columns: [
    { column: "dt", values: ["2026-01-01", text, 1] },
    { column: "region", values: "[eu, us]" },
  ],
  wait: { timeoutSeconds: number },
});
export const ready: pulumi.Output<boolean> = sensor.ready;

const policy: dataplatform.types.PolicyElementArgs[] = [
  { access: "allow", action: ["read"], condition: { svcUsers: [101, number] } },
  { access: "deny" },
];
new dataplatform.ObjectPolicy("policy", { sourceType: "note", sourceId: vpn.id, policy }, { dependsOn: sensor });

const team = new dataplatform.Account("team", { name: "team", computeSecretKey: pulumi.secret("key") });
export const token: pulumi.Output<string> = team.authenticationToken;

const environment = new dataplatform.TeamEnvironment("team", {
  account: { name: text },
  inNewAccount: ["whitelist", "dataStores"],
  whitelist: { addresses: [text], wayBackIn: pulumi.output(["203.0.113.7"]) },
  dataStores: { orders: { dbHost: text, dbName: "n", dbPasswd: pulumi.secret("p") } },
  groups: { analysts: { id: number, roles: ["analyst"] } },
  objectPolicies: { plan: { sourceId: number, teamMay: ["read"] } },
  jobs: { load: { spark: { sql: text }, waitFor: { schema: text, table: "t" }, after: [] } },
});
export const teamStore: pulumi.Output<string> | undefined = environment.dataStores["orders"]?.id;
export const teamProvider: dataplatform.Provider | undefined = environment.accountProvider;
