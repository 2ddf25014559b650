// Declares BENCH_SIZE addresses in the way that BENCH_PROGRAM names. Resources that do nothing have the properties of ours.
const pulumi = require("@pulumi/pulumi");

const size = Number(process.env.BENCH_SIZE);
const addresses = Array.from({ length: size }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
const outputs = { adopt: undefined, accountId: undefined, createdAt: undefined, updatedAt: undefined };

const programs = {
  ours: () => require("pulumi-dataplatform").WhitelistedIp,
  // The text of the provider is as short as ours.
  "noop-dynamic": () =>
    class extends pulumi.CustomResource {
      constructor(name, { ipCidr }) {
        const __provider = 'exports.handler=()=>require("./noop-provider")';
        super("pulumi-nodejs:dynamic/bench:Nothing", name, { ipCidr, ...outputs, __provider });
      }
    },
  "noop-plugin": () =>
    class extends pulumi.CustomResource {
      constructor(name, { ipCidr }) {
        super("noop:index:Nothing", name, { ipCidr, ...outputs });
      }
    },
};

if (process.env.BENCH_PROGRAM === "set") {
  new (require("pulumi-dataplatform").IpWhitelist)("all", { addresses });
} else {
  const Resource = programs[process.env.BENCH_PROGRAM]();
  for (const [index, ipCidr] of addresses.entries()) new Resource(`ip-${index}`, { ipCidr });
}
