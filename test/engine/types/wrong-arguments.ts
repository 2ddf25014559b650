/**
 * What must not compile, beside what types.test.ts makes from the definitions. Every expected error is a line of its own:
 * if a type becomes too loose, the compiler reports the comment above it as unused. Nothing here ever runs.
 */
import * as dataplatform from "pulumi-dataplatform";

// @ts-expect-error the arguments are required
new dataplatform.WhitelistedIp("missing");
// @ts-expect-error names are in camelCase
new dataplatform.WhitelistedIp("snake", { ip_cidr: "203.0.113.7" });

const environment = { envId: 401, sourceType: "python_package" } as const;
// @ts-expect-error a package has a name
new dataplatform.PackageSet("nameless", { ...environment, packages: [{ version: "1.0" }] });
// @ts-expect-error a repository package says where it comes from
new dataplatform.PackageSet("repo", { ...environment, packages: [], repoPackages: [{ name: "lme4" }] });
// @ts-expect-error there is no such codec
new dataplatform.Command("codec", { s3DistCp: { src: "a", dest: "b", outputCodec: "zip" } });

const vpn = new dataplatform.WhitelistedIp("vpn", { ipCidr: "203.0.113.7" });
// @ts-expect-error an output is not its value
export const account: number = vpn.accountId;
// @ts-expect-error outputs cannot be set
vpn.ipCidr = vpn.createdAt;
// @ts-expect-error there is no such output
export const nothing = vpn.address;
// @ts-expect-error which data stores there are must be known
new dataplatform.TeamEnvironment("team", { dataStores: Promise.resolve({ orders: { dbHost: "h", dbName: "n" } }) });
// @ts-expect-error a part has the inputs of its resource
new dataplatform.TeamEnvironment("team", { dataStores: { orders: { dbHots: "h", dbName: "n" } } });
// @ts-expect-error not a part
new dataplatform.TeamEnvironment("team", { account: { name: "a" }, inNewAccount: ["everything"] });
