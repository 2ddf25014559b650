// The Node host that we build always loads the TypeScript compiler, whatever Pulumi.yaml says, which takes a quarter of
// every run. Plain JavaScript programs do not need it.
const { existsSync } = require("node:fs");

if (process.env.PULUMI_NODEJS_TYPESCRIPT && !existsSync("index.ts")) process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
