// The lower bound in plugin mode: resources of a no-op plugin (noop-plugin-server.js).
const pulumi = require("@pulumi/pulumi");

class Nothing extends pulumi.CustomResource {
  constructor(name, ipCidr) {
    super("noop:index:Nothing", name, {
      ipCidr,
      adopt: undefined,
      accountId: undefined,
      createdAt: undefined,
      updatedAt: undefined,
    });
  }
}

for (let index = 0; index < Number(process.env.BENCH_SIZE); index++) {
  new Nothing(`ip-${index}`, `10.0.${index >> 8}.${index & 255}`);
}
