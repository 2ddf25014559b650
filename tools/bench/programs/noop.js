// The lower bound: a no-op dynamic provider, with a __provider text as short as ours.
const pulumi = require("@pulumi/pulumi");

class Nothing extends pulumi.CustomResource {
  constructor(name, ipCidr) {
    const nothing = { ipCidr, adopt: undefined, accountId: undefined, createdAt: undefined, updatedAt: undefined };
    super("pulumi-nodejs:dynamic/bench:Nothing", name, {
      ...nothing,
      __provider: 'exports.handler=()=>require("./noop-provider")',
    });
  }
}

for (let index = 0; index < Number(process.env.BENCH_SIZE); index++) {
  new Nothing(`ip-${index}`, `10.0.${index >> 8}.${index & 255}`);
}
