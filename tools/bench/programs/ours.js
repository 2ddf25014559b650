const { WhitelistedIp } = require("pulumi-dataplatform");

for (let index = 0; index < Number(process.env.BENCH_SIZE); index++) {
  new WhitelistedIp(`ip-${index}`, { ipCidr: `10.0.${index >> 8}.${index & 255}` });
}
