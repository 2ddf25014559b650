const { IpWhitelist } = require("pulumi-dataplatform");

new IpWhitelist("all", {
  addresses: Array.from({ length: Number(process.env.BENCH_SIZE) }, (_, index) => `10.0.${index >> 8}.${index & 255}`),
});
