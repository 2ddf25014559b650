// The program of every test stack: creates the resources listed in program.json. Plain JavaScript, so that no test waits
// for a compiler. Special values: {$ref: "name.property"}, {$secret: value}, {$later: value} (unknown at preview).
const pulumi = require("@pulumi/pulumi");
const dataplatform = require("pulumi-dataplatform");
const { resources, outputs } = require("./program.json");

/** Returns its input as an output, so that the value is unknown while its creation is previewed. */
class Later extends pulumi.CustomResource {
  constructor(name, value) {
    const provider =
      "exports.handler=()=>({create:async(i)=>({id:'later',outs:{out:i.value,value:i.value}}),update:async(id,o,n)=>({outs:{out:n.value,value:n.value}}),diff:async(id,o,n)=>({changes:JSON.stringify(o.value)!==JSON.stringify(n.value)})})";
    super("pulumi-nodejs:dynamic/test:Later", name, { value, out: undefined, __provider: provider });
  }
}

const made = {};
let later = 0;

function resolve(value) {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) {
    const [name, ...path] = value.$ref.split(".");
    return path.reduce((found, key) => found[key], made[name]);
  }
  if ("$secret" in value) return pulumi.secret(resolve(value.$secret));
  if ("$later" in value) return new Later(`later-${later++}`, value.$later).out;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
}

/** Parents are named; null stands for none. */
const aliasOf = ({ parent, ...rest }) =>
  parent === undefined ? rest : { ...rest, parent: made[parent] ?? pulumi.rootStackResource };

for (const { name, type, args, opts = {} } of resources) {
  const { dependsOn, provider, parent, aliases, promise, ...rest } = opts;
  const options = { ...rest };
  if (dependsOn) options.dependsOn = dependsOn.map((other) => made[other]);
  if (provider) options.provider = made[provider];
  if (parent) options.parent = made[parent];
  if (aliases) options.aliases = aliases.map(aliasOf);
  // Types start with a capital letter; anything else is a function, by default called in its Output form.
  if (type === "Component") made[name] = new pulumi.ComponentResource("test:index:Component", name, args, options);
  else if (/^[A-Z]/.test(type)) made[name] = new dataplatform[type](name, resolve(args), options);
  else if (promise) made[name] = pulumi.output(dataplatform[type](resolve(args), options));
  else made[name] = dataplatform[`${type}Output`](resolve(args), options);
}

module.exports = resolve(outputs);
