// The Node host that can be built here always loads the TypeScript compiler, whatever Pulumi.yaml says, which takes a
// quarter of every run. Programs in plain JavaScript do without it.
const { existsSync } = require("node:fs");

if (process.env.PULUMI_NODEJS_TYPESCRIPT && !existsSync("index.ts")) process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
